/** Functions that run in the page: each stands alone, as only its text gets there. */
import type { Target } from './tab.ts';

/** The element that is shown and named so, or null; a button that is at work cannot be pressed, and is not there. */
export function findElement({ kind, name, within }: Target): Element | null {
  const selectors = {
    button: 'button:enabled, [role=button]:not(button)',
    link: 'a[href]',
    radio: 'input[type=radio]',
    file: 'input[type=file]',
    region: 'section, [role=region]',
    row: 'li, [role=listitem]',
    dialog: 'dialog, [role=dialog]',
    article: 'article',
  };
  const words = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (element: Element): string => {
    const label = words(element.getAttribute('aria-label'));
    if (label !== '') return label;
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(' ').filter((id) => id !== '');
    if (ids.length > 0) return words(ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' '));
    if (element instanceof HTMLInputElement) return words(element.labels?.[0]?.textContent);
    const copy = element.cloneNode(true);
    if (copy instanceof Element) for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
    return words(copy.textContent);
  };
  const named = (selector: string, wanted: string, top: ParentNode): Element[] =>
    [...top.querySelectorAll(selector)].filter((element) => nameOf(element) === wanted);
  const top = within === undefined ? document : named(selectors.region, within, document)[0];
  if (top === undefined) return null;
  const found = named(selectors[kind], name, top);
  const shown = found.find((element) => kind === 'file' || element.checkVisibility()) ?? null;
  // The circle may be drawn by its label, which is what a person presses.
  return kind === 'radio' && shown instanceof HTMLInputElement ? (shown.labels?.[0] ?? shown) : shown;
}
