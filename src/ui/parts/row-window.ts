/** Which rows of a long list are drawn, all of one height, while it is scrolled. */

/** Rows that are drawn beyond each end, so that a turn of the wheel meets drawn ones. */
export const BEYOND = 6;

export interface Scrolled {
  /** Rows of the list. */
  count: number;
  /** How far it is scrolled, and how high a row is, CSS pixels. */
  top: number;
  height: number;
  /** Rows that are in sight at once. */
  shown: number;
}

/** Rows `first` up to, and without, `end`. A browser that lets itself be scrolled beyond the ends draws the last ones. */
export function rowsDrawn({ count, top, height, shown }: Scrolled): { first: number; end: number } {
  const atTop = Math.min(Math.floor(top / height), count - shown);
  const first = Math.max(0, atTop - BEYOND);
  return { first, end: Math.min(count, first + shown + 2 * BEYOND) };
}
