/** A document of HTML, XML or text: its own identifiers with the evidence, and what it says of itself. Pure. */
import { EMPTY_RECORD, type DocumentRecord } from '#core/documents/record.ts';
import { datedText, plainText, turnedName, webAddress } from '../lookup/plain.ts';
import type { DocumentEvidence } from '../identify/evidence.ts';
import { findIdentifiers } from '../identify/identifiers.ts';
import { layoutOf } from '../identify/layout.ts';
import { ownIdentifiers, wholeOf } from '../identify/own.ts';
import type { IdentifiedPdf } from '../pdf/identify-pdf.ts';
import { readMarkedUp, type MarkedUp } from './read-marked-up.ts';
import type { Said, SaidName } from './said.ts';
import type { WrittenForm } from './written-file.ts';

/** Signs of the beginning, in which a title stands. */
const FRONT = 4_000;
const WORDS = 40;

export function identifyWritten(source: string, form: WrittenForm): { identified: IdentifiedPdf; own: DocumentRecord } {
  const { said, text }: MarkedUp = form === 'text' ? { said: [], text: source } : readMarkedUp(source, form === 'xml');
  const facts = said.flatMap(evidenceOf);
  const found = findIdentifiers(text);
  const { doi, arxiv, isbn, readings } = ownIdentifiers(text, found, { ...layoutOf(text), said: facts });
  const isOwn = (kind: 'doi' | 'arxiv' | 'isbn', value: string): boolean =>
    kind === 'isbn'
      ? isbn.includes(value)
      : wholeOf(kind, value) === wholeOf(kind, (kind === 'doi' ? doi : arxiv) ?? '');
  const evidence = [
    ...facts.filter(({ field, value }) => field !== 'title' && isOwn(field, value)),
    ...found
      .filter(({ kind, value }) => isOwn(kind, value))
      .map(({ kind, value, start, end }): DocumentEvidence => ({
        ...{ field: kind, value, kind: 'text', page: null, box: null },
        words: text
          .slice(Math.max(0, start - WORDS), end + WORDS)
          .replaceAll(/\s+/g, ' ')
          .trim(),
      })),
  ];
  const own = ownOf(said, { doi, isbn });
  const front = text.trimStart().slice(0, FRONT);
  return {
    identified: { doi, arxiv, isbn, evidence, readings, hasText: /\S/.test(text), front, headline: own.title },
    own,
  };
}

const IDENTIFIERS: ReadonlySet<SaidName> = new Set<SaidName>(['doi', 'arxiv', 'isbn']);

function evidenceOf({ name, value, words }: Said): DocumentEvidence[] {
  if (!IDENTIFIERS.has(name)) return [];
  const labelled =
    name === 'isbn' ? `ISBN ${value}` : name === 'arxiv' ? `arXiv:${value.replace(/^arxiv:/i, '')}` : value;
  return findIdentifiers(labelled)
    .filter(({ kind }) => kind === name)
    .map((one) => ({ field: one.kind, value: one.value, kind: 'meta', page: null, box: null, words }));
}

function ownOf(said: readonly Said[], { doi, isbn }: { doi: string | null; isbn: readonly string[] }): DocumentRecord {
  const all = (name: SaidName): string[] => said.flatMap((one) => (one.name === name ? [one.value] : []));
  const first = (name: SaidName): string => all(name)[0] ?? '';
  return {
    ...EMPTY_RECORD,
    title: plainText(first('title')),
    authors: [...new Set(all('author').map((name) => turnedName(plainText(name))))],
    publication: plainText(first('publication')),
    ...datedText(first('date').replaceAll('/', '-')),
    doi: doi ?? '',
    isbn: isbn[0] ?? '',
    pdf_url: webAddress(first('pdf_url')),
  };
}
