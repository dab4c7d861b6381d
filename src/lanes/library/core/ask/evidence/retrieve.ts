/** Documents of a library for a query, as `rag_retrieve` gives them. */
import type { KeptFile, Segment } from '../../index/segment.ts';
import type { FilePlace, LibraryIndex } from '../../search/library-index.ts';
import type { Passage } from '../../search/passage.types.ts';
import { frequencyOf, inverseFrequency, parseQuery } from '../../search/query.ts';
import { searchLibrary } from '../../search/search.ts';
import { countLines } from '../../search/passages.ts';
import { dateOf } from './date-of.ts';
import type { RagDoc, Section } from './evidence.types.ts';
import { sectionsOf } from './sections.ts';

export interface RetrieveOptions {
  k?: number;
  allows?: (place: FilePlace) => boolean;
}

/**
 * Best first; `score` is what a passage has beside the weight of the query's words, so that scores of different queries
 * can be compared. Copies of a file are one document, under the path that comes
 * first.
 */
export function retrieveDocs(index: LibraryIndex, query: string, { k = 15, allows }: RetrieveOptions = {}): RagDoc[] {
  return docsOfPassages(index, query, searchLibrary(index, query, { k, ...(allows === undefined ? {} : { allows }) }));
}

/** Passages of a query, as they were ranked, as documents. Their scores are those of words. */
export function docsOfPassages(index: LibraryIndex, query: string, found: readonly Passage[]): RagDoc[] {
  const copies = copiesIn(index);
  const weight = parseQuery(query, weightIn(index)).terms.reduce((sum, term) => sum + term.weight, 0);
  const taken = new Set<string>();
  const docs: RagDoc[] = [];
  for (const passage of found) {
    const part = index.parts[passage.place.segment]?.segment;
    const file = part?.files[passage.place.file];
    if (part === undefined || file === undefined) continue;
    const key = `${file.sha256} ${passage.start} ${passage.end}`;
    if (taken.has(key)) continue;
    taken.add(key);
    docs.push(
      docOf(
        part,
        file,
        { ...passage, score: passage.score / Math.max(weight, 1e-9) },
        copies.get(file.sha256) ?? [file.path],
      ),
    );
  }
  return docs;
}

/** The whole of a file as one document. */
export function docOfFile(of: Segment, file: KeptFile): RagDoc {
  const whole = { start: 0, end: file.length, text: of.text(file), score: 1 };
  const sections = sectionsOf(of, file);
  return docOf(of, file, { ...whole, startLine: 1, endLine: sections.at(-1)?.endLine ?? 1 }, [file.path]);
}

type Placed = Pick<Passage, 'start' | 'end' | 'text' | 'score' | 'startLine' | 'endLine'>;

function docOf(of: Segment, file: KeptFile, passage: Placed, paths: readonly string[]): RagDoc {
  const { start, end, text, score } = passage;
  const all = sectionsOf(of, file);
  const sections = all.filter((section) => section.end > start && section.start < end).map((one) => cut(one, passage));
  const pages = [...new Set(sections.flatMap(({ page }) => (page === null ? [] : [page])))];
  const [path = file.path, ...others] = paths;
  return {
    source_id: file.sha256,
    title: titleOf(of, file, all),
    text,
    ...(pages.length === 0 ? {} : { pages }),
    score,
    metadata: {
      ...{ path, copies: others, start, end, sections, language: file.language },
      startLine: sections[0]?.startLine ?? passage.startLine,
      endLine: Math.max(passage.startLine, ...sections.map((one) => one.endLine)),
      date: dateOf(of.text(file, 0, HEAD), path),
    },
  };
}

/** Characters of a file in which it says its date. */
const HEAD = 400;

/** The part of a section that is in a passage, with its lines. */
function cut(section: Section, { start, end, text, startLine }: Placed): Section {
  const from = Math.max(start, section.start);
  const to = Math.min(end, section.end);
  if (section.rendered) return { ...section, start: from, end: to };
  const lineAt = (at: number): number => startLine + countLines(text.slice(0, at - start));
  const last = from + text.slice(from - start, to - start).trimEnd().length;
  return { ...section, start: from, end: to, startLine: lineAt(from), endLine: lineAt(last) };
}

function titleOf(of: Segment, file: KeptFile, sections: readonly Section[]): string {
  const [first] = sections.map(({ heading }) => heading.split(' > ')[0] ?? '').filter((heading) => heading !== '');
  if (first !== undefined) return first;
  const line = /^\s*(.{3,80}?)\s*$/m.exec(of.text(file, 0, 200))?.[1] ?? '';
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  return /[.;:{}]$|^[#/*"<{]/.test(line) || line === '' ? name : line;
}

/** How much a term of the index tells. */
export const weightIn =
  (index: LibraryIndex) =>
  (term: string): number =>
    inverseFrequency(index.pieces, frequencyOf(index, term));

function copiesIn(index: LibraryIndex): Map<string, string[]> {
  let known = copiesOf.get(index);
  if (known === undefined) {
    known = new Map();
    for (const { kept } of index.files()) known.set(kept.sha256, [...(known.get(kept.sha256) ?? []), kept.path].sort());
    copiesOf.set(index, known);
  }
  return known;
}

/** An index is never changed. */
const copiesOf = new WeakMap<LibraryIndex, Map<string, string[]>>();
