/** The ledger: everything that was found in a run, by source. Ten copies of a file are one source. */
import { countLines } from '../../search/passages.ts';
import type { Evidence, EvidenceSpan, RagDoc, Section } from './evidence.types.ts';

export class Ledger {
  readonly #sources = new Map<string, Evidence>();

  /** `kept`: as `evidence` gave it. */
  constructor(kept: readonly Evidence[] = []) {
    for (const one of kept) this.#sources.set(one.source_id, one);
  }

  /** In the order in which they were first found. */
  get evidence(): Evidence[] {
    return [...this.#sources.values()];
  }

  of(sourceId: string): Evidence | null {
    return this.#sources.get(sourceId) ?? null;
  }

  /** Takes documents of one call. How many sources, and how many that were known grew: 0 and 0 is nothing new. */
  add(docs: readonly RagDoc[], found: { query: string; tool: string }): { sources: number; grown: number } {
    let sources = 0;
    let grown = 0;
    for (const doc of docs) {
      const known = this.#sources.get(doc.source_id);
      const span = spanOf(doc);
      if (known === undefined) {
        sources += 1;
        this.#sources.set(doc.source_id, evidenceOf(doc, span, found));
        continue;
      }
      const spans = joined(known.spans, span);
      const length = (all: readonly EvidenceSpan[]): number => all.reduce((sum, one) => sum + one.text.length, 0);
      if (length(spans) > length(known.spans)) grown += 1;
      const paths = new Set([known.path, ...known.copies, doc.metadata.path, ...doc.metadata.copies]);
      paths.delete(known.path);
      this.#sources.set(doc.source_id, {
        ...known,
        copies: [...paths],
        spans,
        queries: withOne(known.queries, found.query),
        tools: withOne(known.tools, found.tool),
        score: Math.max(known.score, doc.score),
      });
    }
    return { sources, grown };
  }

  /** Drops sources that are not as they were. `isCurrent`: whether the content is still there. What was dropped comes back. */
  dropChanged(isCurrent: (one: Evidence) => boolean): Evidence[] {
    const dropped = this.evidence.filter((one) => !isCurrent(one));
    for (const { source_id } of dropped) this.#sources.delete(source_id);
    return dropped;
  }
}

function spanOf({ text, score, pages = [], metadata }: RagDoc): EvidenceSpan {
  const { start, end, startLine, endLine, sections } = metadata;
  return {
    start,
    end,
    text,
    startLine,
    endLine,
    pages: [...pages],
    sections: [...sections],
    hits: [{ start, end, score }],
  };
}

function evidenceOf(doc: RagDoc, span: EvidenceSpan, { query, tool }: { query: string; tool: string }): Evidence {
  const { path, url, copies, date, language } = doc.metadata;
  return {
    source_id: doc.source_id,
    title: doc.title,
    path,
    ...(url === undefined ? {} : { url }),
    copies: [...copies],
    date,
    language,
    spans: [span],
    queries: [query],
    tools: [tool],
    score: doc.score,
  };
}

const withOne = (list: readonly string[], one: string): string[] => (list.includes(one) ? [...list] : [...list, one]);

/** The spans with one more: those that overlap or touch become one. */
function joined(spans: readonly EvidenceSpan[], added: EvidenceSpan): EvidenceSpan[] {
  let one = added;
  const others: EvidenceSpan[] = [];
  for (const span of spans) {
    if (span.end < one.start || one.end < span.start) others.push(span);
    else one = together(span, one);
  }
  return [...others, one].sort((a, b) => a.start - b.start);
}

function together(a: EvidenceSpan, b: EvidenceSpan): EvidenceSpan {
  const [first, second] = a.start <= b.start ? [a, b] : [b, a];
  const hits = [...(first.hits ?? []), ...(second.hits ?? [])];
  if (second.end <= first.end) return { ...first, hits };
  const text = first.text + second.text.slice(first.end - second.start);
  return {
    start: first.start,
    end: second.end,
    text,
    startLine: first.startLine,
    endLine: Math.max(first.endLine, second.endLine),
    pages: [...new Set([...first.pages, ...second.pages])].sort((x, y) => x - y),
    sections: sectionsTogether(first.sections, second.sections),
    hits,
  };
}

/** A section that both have a part of is one again. */
function sectionsTogether(first: readonly Section[], second: readonly Section[]): Section[] {
  const all = [...first];
  for (const section of second) {
    const known = all.findIndex((one) => one.start < section.end && section.start < one.end);
    const last = all.at(-1);
    const before = known >= 0 ? known : last !== undefined && isContinued(last, section) ? all.length - 1 : -1;
    const one = all[before];
    if (one === undefined) all.push(section);
    else
      all[before] = {
        ...one,
        start: Math.min(one.start, section.start),
        end: Math.max(one.end, section.end),
        startLine: Math.min(one.startLine, section.startLine),
        endLine: Math.max(one.endLine, section.endLine),
      };
  }
  return all.sort((a, b) => a.start - b.start);
}

const isContinued = (one: Section, next: Section): boolean =>
  one.end === next.start && one.heading === next.heading && one.page === next.page && one.rendered === next.rendered;

/** The lines of the file between two places of a span. */
export function linesOf(span: EvidenceSpan, start: number, end: number): { startLine: number; endLine: number } {
  const among = span.sections.filter((section) => section.end > start && section.start < end);
  const rendered = among.some((section) => section.rendered);
  if (rendered)
    return {
      startLine: Math.min(...among.map(({ startLine }) => startLine)),
      endLine: Math.max(...among.map(({ endLine }) => endLine)),
    };
  const startLine = span.startLine + countLines(span.text.slice(0, start - span.start));
  return { startLine, endLine: startLine + countLines(span.text.slice(start - span.start, end - span.start)) };
}

/** The section at a place; null where nothing is known. */
export const sectionAt = (span: EvidenceSpan, at: number): Section | null =>
  span.sections.find(({ start, end }) => start <= at && at < end) ?? span.sections.at(-1) ?? null;
