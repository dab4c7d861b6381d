/** Rows of the Video page by keyboard: the one that has the focus, and the ones beside it. */

/** Does something with the row that has the focus, where one has it. */
export const withRow = (act: (path: string) => void) => (): void => {
  const path = document.activeElement?.closest<HTMLElement>('[data-path]')?.dataset['path'];
  if (path !== undefined) act(path);
};

/** Moves the focus to the next row (1) or the one before (-1); to the first where none has it. */
export function focusBeside(by: 1 | -1): void {
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-path]')).filter((row) => row.checkVisibility());
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[now === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, now + by))];
  next?.querySelector<HTMLElement>('input, button')?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** To the row of this path: after its editor was closed. */
export function focusRow(path: string): void {
  const row = Array.from(document.querySelectorAll<HTMLElement>('[data-path]')).find(
    (one) => one.dataset['path'] === path,
  );
  row?.querySelector<HTMLElement>('[data-edit]')?.focus();
}
