/** A text with tokens of citations, as a text with citations and a list of the works that it cites. */
import type { DocumentRecord } from '#core/documents/record.ts';
import { cslItemOf, type CslItem } from './csl-item.ts';
import { findCitations, type CitedItem } from './tokens.ts';

export interface StyledCitation {
  items: (Pick<CitedItem, 'prefix' | 'suffix' | 'locator' | 'withoutAuthor'> & { id: string })[];
  inText: boolean;
}

/** A style at work. Port; its adapter is citeproc. */
export interface CitationStyle {
  /** Citations are footnotes. */
  isNote: boolean;
  /** @returns each citation as text, and the entries of the works cited in the style's order */
  format(works: readonly CslItem[], citations: readonly StyledCitation[]): { citations: string[]; works: string[] };
}

export interface CitedText {
  text: string;
  works: string[];
  /** Identifiers that no record has, in the order of the text; their tokens stay. */
  unknown: string[];
}

/** @param escape how a text of a record is written in this one, where that is markup */
export function citeText(
  text: string,
  records: readonly DocumentRecord[],
  style: CitationStyle,
  escape: (plain: string) => string = (plain) => plain,
): CitedText {
  const known = new Map<string, CslItem>();
  for (const record of records.toReversed()) {
    const item = cslItemOf(record, record.doi === '' ? `isbn:${record.isbn}` : `doi:${record.doi.toLowerCase()}`);
    if (record.isbn !== '') known.set(`isbn:${record.isbn.replaceAll('-', '')}`, item);
    if (record.doi !== '') known.set(`doi:${record.doi.toLowerCase()}`, item);
  }
  const unknown = new Set<string>();
  const cited = new Set<CslItem>();
  const found = findCitations(text).map((citation) => {
    const items: StyledCitation['items'] = [];
    const missing: CitedItem[] = [];
    for (const item of citation.items) {
      const work = known.get(keyOf(item));
      if (work === undefined) {
        unknown.add(item.value);
        missing.push(item);
        continue;
      }
      cited.add(work);
      items.push({ ...item, id: work.id });
    }
    return { citation, styled: { items, inText: citation.inText }, missing };
  });
  const used = found.filter(({ styled }) => styled.items.length > 0);
  const said = style.format(
    [...cited],
    used.map(({ styled }) => styled),
  );
  let [out, at] = ['', 0];
  for (const [i, { citation, missing }] of used.entries()) {
    const words = escape(said.citations[i] ?? '');
    out += `${text.slice(at, citation.start)}${style.isNote ? `^[${words}]` : words}${leftOver(missing)}`;
    at = citation.end;
  }
  return { text: out + text.slice(at), works: said.works.map(escape), unknown: [...unknown] };
}

/** A record with arXiv's own DOI is what a number of arXiv names. */
const keyOf = ({ kind, value }: CitedItem): string =>
  kind === 'arxiv' ? `doi:10.48550/arxiv.${value.replace(/v\d+$/, '')}` : `${kind}:${value}`;

/** Tokens of a citation that nobody knows stay behind those that are known. */
const leftOver = (missing: readonly CitedItem[]): string =>
  missing.length === 0 ? '' : ` [${missing.map(({ token }) => token).join('; ')}]`;

/** Of Markdown: what would be read as markup is shown as it is. */
export const escapeMarkdown = (plain: string): string => plain.replaceAll(/[\\`*_[\]<>#|$^~]/g, String.raw`\$&`);
