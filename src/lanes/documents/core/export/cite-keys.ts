import { foldText } from '#core/text/fold.ts';
import { cslNameOf } from '../cite/csl-item.ts';
import type { DocumentRecord } from '#core/documents/record.ts';

/** `garcia2019counting`: the first author's family name, the year, a word of the title; `_2` where one is taken. */
export function citeKeys(records: readonly DocumentRecord[]): string[] {
  const taken = new Map<string, number>();
  return records.map(({ authors, year, title }) => {
    const [first = ''] = authors;
    const { family, literal } = cslNameOf(first);
    const name = foldText(family ?? literal ?? '').replaceAll(' ', '');
    const word =
      foldText(title)
        .split(' ')
        .find((one) => one.length > 3) ?? '';
    const key = `${name}${year ?? ''}${word}` || 'untitled';
    const count = (taken.get(key) ?? 0) + 1;
    taken.set(key, count);
    return count === 1 ? key : `${key}_${count}`;
  });
}
