import type { ReadIdentifier } from '#core/documents/own-record.ts';
import { findArxivs } from './arxiv.ts';
import { findDois } from './doi.ts';
import { foldText } from './folded-text.ts';
import type { FoundIdentifier } from './identifier.ts';
import { findIsbns } from './isbn.ts';
import { regionAt } from './spans.ts';

/** Every DOI, arXiv number and ISBN of a text, in its order. A number inside a DOI is no ISBN. */
export function findIdentifiers(source: string): FoundIdentifier[] {
  const { text, origin } = foldText(source);
  const dois = findDois(text);
  const inDoi = ({ start }: { start: number }): boolean => regionAt(dois, start) !== undefined;
  return [
    ...dois.map(({ value, start, end }) => ({ kind: 'doi' as const, value, ...origin(start, end) })),
    ...findArxivs(text).map(({ value, start, end }) => ({ kind: 'arxiv' as const, value, ...origin(start, end) })),
    ...findIsbns(text)
      .filter((one) => !inDoi(one))
      .map(({ value, start, end }) => ({ kind: 'isbn' as const, value, ...origin(start, end) })),
  ].toSorted((a, b) => a.start - b.start);
}

/** The first identifier of a kind in what a file says where that kind belongs; '' for none. */
export const readIdentifier: ReadIdentifier = (kind, text) =>
  findIdentifiers(kind === 'isbn' ? `ISBN ${text}` : text).find((one) => one.kind === kind)?.value ?? '';
