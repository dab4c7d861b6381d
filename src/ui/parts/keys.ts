/**
 * Keys of one character work anywhere on a page except in a field or an open dialog, and can be
 * switched off altogether (WCAG 2.2, 2.1.4), because speech input types into the page.
 */
const KEY = 'single-keys';

export function singleKeysOn(): boolean {
  return localStorage.getItem(KEY) !== 'off';
}

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}

type Handler = (event: KeyboardEvent) => void;

/** A listener for `keydown` that calls the handler named by `event.key` (letters in lower case). */
export function singleKeys(handlers: Record<string, Handler>): Handler {
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target;
    if (target instanceof HTMLElement) {
      if (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'))
        return;
      if (target.closest('dialog, [role=dialog]') !== null) return;
      // Enter and Space belong to the control that has the focus.
      if (
        (event.key === 'Enter' || event.key === ' ') &&
        target.closest('a, button, summary, label, input, audio') !== null
      )
        return;
    }
    const handler = handlers[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (handler === undefined || !singleKeysOn()) return;
    event.preventDefault();
    handler(event);
  };
}
