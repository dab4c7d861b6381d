/** The sentences of what was found: what can be quoted. In code a sentence of a comment, or a line. */
import { lines, sentences, type Span } from '../../text/units.ts';
import { sectionAt, linesOf } from './ledger.ts';
import type { Evidence, EvidenceSpan } from './evidence.types.ts';

export interface SourceSentence {
  evidence: Evidence;
  span: EvidenceSpan;
  /** Places in the source's text, UTF-16 code units. */
  start: number;
  end: number;
  text: string;
  heading: string;
  page: number | null;
  prose: boolean;
  /** A heading itself: it is seldom an answer. */
  isHeading: boolean;
  startLine: number;
  endLine: number;
}

/** By place. A sentence that the span cuts is left out where it has no end. */
export function sentencesOf(evidence: Evidence): SourceSentence[] {
  let known = kept.get(evidence);
  if (known === undefined) {
    known = evidence.spans.flatMap((span) => sentencesIn(evidence, span));
    kept.set(evidence, known);
  }
  return known;
}

const kept = new WeakMap<Evidence, SourceSentence[]>();

function sentencesIn(evidence: Evidence, span: EvidenceSpan): SourceSentence[] {
  const found: SourceSentence[] = [];
  for (const section of span.sections) {
    const [from, to] = [section.start - span.start, section.end - span.start];
    for (const { start, end } of section.prose ? proseUnits(span.text, from, to) : codeUnits(span.text, from, to)) {
      const text = span.text.slice(start, end);
      const place = { start: span.start + start, end: span.start + end };
      found.push({
        ...{ evidence, span, text, ...place },
        ...linesOf(span, place.start, place.end),
        heading: section.heading,
        page: sectionAt(span, place.start)?.page ?? null,
        prose: section.prose,
        isHeading: isHeadingLine(text, section.heading),
      });
    }
  }
  return found;
}

function isHeadingLine(text: string, heading: string): boolean {
  if (/^#{1,6}\s/.test(text)) return true;
  const last = heading.split(' > ').at(-1) ?? '';
  return last !== '' && text.trim() === last;
}

/** A number or a mark of a list before its text. */
const LIST_MARK = /^(?:\(?\d{1,3}[.)]|[-*+•–]|\(?[a-z]\))$/u;
const LIST_BEGIN = /^(?:\(?\d{1,3}[.)]|[-*+•–]|\(?[a-z]\))\s/u;
const ENDS = /[.!?…:;。！？][)\]"'”’»*_`]*$/u;

/** Sentences; one that goes on in the next line of its paragraph is one, a number of a list is none. */
export function proseUnits(text: string, from: number, to: number): Span[] {
  const units: Span[] = [];
  for (const span of sentences(text, from, to)) {
    const said = text.slice(span.start, span.end);
    if (LIST_MARK.test(said) || !/[\p{L}\p{N}]/u.test(said)) continue;
    const last = units.at(-1);
    if (last !== undefined && goesOn(text, last, span)) last.end = span.end;
    else {
      const mark = LIST_BEGIN.exec(said);
      units.push({ start: span.start + (mark?.[0].length ?? 0), end: span.end });
    }
  }
  return units;
}

/** A line that was broken to fit: no blank line between, no end, and no list, table or heading begins. */
function goesOn(text: string, last: Span, next: Span): boolean {
  const between = text.slice(last.end, next.start);
  if (!/^[ \t]*(?:\r\n|\n|\r)[ \t]*$/.test(between)) return false;
  const [before, behind] = [text.slice(last.start, last.end), text.slice(next.start, next.end)];
  if (ENDS.test(before) || /^#|^\||\|$/.test(before) || /^#|^\||^>/.test(behind) || LIST_BEGIN.test(behind))
    return false;
  if (/\s{2,}\S+$/.test(before) || /\S\s{3,}\S/.test(behind)) return false;
  const lineStart = Math.max(text.lastIndexOf('\n', last.end - 1), text.lastIndexOf('\r', last.end - 1)) + 1;
  return /^\p{Ll}/u.test(behind) || (last.end - lineStart >= 60 && before.length >= 60);
}

/** Lines of code; where one is a comment or a string of sentences, its sentences. */
function codeUnits(text: string, from: number, to: number): Span[] {
  return lines(text, from, to).flatMap((line) => {
    const start = line.start + (/^\s*/.exec(text.slice(line.start, line.end))?.[0].length ?? 0);
    const said = text.slice(start, line.end).trimEnd();
    const end = start + said.length;
    if (!/[\p{L}\p{N}]/u.test(said)) return [];
    if (!/^(?:\/\/|\/?\*|#|--|;|"""|'''|")/.test(said) || !/\p{L}+[ ,]+\p{L}+[ ,]+\p{L}+/u.test(said))
      return [{ start, end }];
    return sentences(text, start, end).map((span) => withoutMarks(text, span));
  });
}

/** Without the marks that begin and end a comment. */
function withoutMarks(text: string, { start, end }: Span): Span {
  const said = text.slice(start, end);
  const before = /^(?:\/\*\*?|\/\/+|\*|#+|--+|;+|"""|'''|")\s*/.exec(said)?.[0].length ?? 0;
  const behind = /\s*(?:\*\/|"""|'''|")$/.exec(said)?.[0].length ?? 0;
  return before + behind < said.length ? { start: start + before, end: end - behind } : { start, end };
}
