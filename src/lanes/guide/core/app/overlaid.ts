/** A programme with the mends that lie over it; what its source says is not changed. */
import { isFilmYear } from '../faults/check-guide.ts';
import { isPlaceholder } from '../faults/title-words.ts';
import { childrenOf, isBlank, newElement, textsOf, type GuideElement } from '../read/element.ts';
import type { FillField } from '../repair/mend-guide.ts';
import type { MendRow } from '../store/guide-records.ts';
import { withFills } from '../write/write-guide.ts';

/** `rows`: one a field (`Standing.at`). */
export function overlaid(element: GuideElement, rows: readonly MendRow[]): GuideElement {
  let mended = element;
  for (const row of rows) {
    const { field, after, tool } = row;
    if (tool !== null && saysItself(element, row)) continue;
    if (field === 'start' || field === 'stop')
      mended = { ...mended, attributes: { ...mended.attributes, [field]: after } };
    else if (tool === null && PERSONS.has(field))
      mended = { ...mended, children: edited(mended.children, field, after) };
    else if (isFilled(field)) mended = { ...mended, children: withFills(mended.children, [{ field, value: after }]) };
  }
  return mended;
}

/** Whether the source has by now what a tool filled: then that is true. */
export function saysItself(element: GuideElement, { field, before }: MendRow): boolean {
  const [first] = textsOf(element, field);
  switch (field) {
    case 'title':
      return first !== undefined && first !== before && !isPlaceholder(first);
    case 'date':
      return textsOf(element, 'date').some(isFilmYear);
    case 'episode-num':
      return childrenOf(element, field).some(({ text }) => /[\p{L}\p{N}]/u.test(text));
    case 'start':
    case 'stop':
      return (element.attributes[field] ?? null) !== before;
    default:
      return false;
  }
}

const isFilled = (field: string): field is FillField =>
  field === 'episode-num' || field === 'date' || field === 'title';

/** Fields that a person may write anything into. */
const PERSONS: ReadonlySet<string> = new Set(['title', 'sub-title', 'desc', 'date', 'episode-num']);

/** In place of all of that name; where the person left it empty there is none. */
function edited(children: readonly GuideElement[], name: string, text: string): GuideElement[] {
  const first = children.find((child) => child.name === name);
  const attributes = name === 'episode-num' ? { system: 'xmltv_ns' } : (first?.attributes ?? {});
  const others = children.filter((child) => child.name !== name);
  return isBlank(text) ? others : [{ ...newElement(name, attributes), text }, ...others];
}
