/**
 * Windows: stretches of text of up to WINDOW_LENGTH that begin at each sentence (in code: line), ranked by how they
 * answer a question. A window's score is BM25 over its words, plus shares of its best sentence, of the question's
 * neighbouring words that are neighbours here too, and of the sentences around it.
 */
import { lines, sentences, type Span } from '../text/units.ts';
import { eachWordSpan, termsOf } from '../text/words.ts';
import { LENGTH_SHARE, SATURATION } from './candidates.ts';
import type { Query } from './query.ts';

/** UTF-16 code units. */
export const WINDOW_LENGTH = 850;

/** Shares of a window's score beside its own words; measured in docs/decisions/047-library-index.md. */
export const SHARES = { sentence: 0.25, pairs: 1, around: 0.7, file: 0.15, name: 1 };

/** Units before and behind a window that count as around it. */
const AROUND = 30;

/** A unit with what it has of the question. */
export interface Unit extends Span {
  words: number;
  /** Numbers of the query's terms, one entry an occurrence. */
  hits: readonly number[];
  /** Keys of the query's pairs that are neighbours here. */
  pairs: readonly number[];
}

export interface Window extends Span {
  score: number;
  /** Which units, the last one included. */
  first: number;
  last: number;
}

/** Between neighbours of a question there may be so many other words here. */
const NEIGHBOURS = 2;

/** The units of a stretch of text. */
export function unitsOf(text: string, prose: boolean, query: Query): Unit[] {
  const spans = (prose ? sentences : lines)(text, 0, text.length);
  const size = query.terms.length;
  return spans.map(({ start, end }) => {
    const hits: number[] = [];
    const pairs: number[] = [];
    let words = 0;
    let before = -1;
    let beforeAt = -NEIGHBOURS;
    eachWordSpan(text, start, end, (from, to) => {
      words += 1;
      if (!query.mayBeIn(text, from, to)) return;
      for (const [part, term] of termsOf(text.slice(from, to)).entries()) {
        const hit = query.numbers.get(term);
        if (hit === undefined) continue;
        hits.push(hit);
        if (part > 0) continue;
        if (before >= 0 && words - beforeAt <= NEIGHBOURS) {
          const key = before * size + hit;
          if (query.pairs.has(key)) pairs.push(key);
        }
        before = hit;
        beforeAt = words;
      }
    });
    return { start, end, words, hits, pairs };
  });
}

/** A window from each unit that has something of the question, in the order of the text. `meanWords`: of a piece. */
export function windowsOf(units: readonly Unit[], query: Query, meanWords: number): Window[] {
  const windows: Window[] = [];
  const own = units.map(({ hits }, at) => (hits.length === 0 ? 0 : scoreOf(units, at, at, query, meanWords).words));
  const sums = [0];
  for (const [at, score] of own.entries()) sums.push((sums[at] ?? 0) + score);
  const sum = (from: number, to: number): number =>
    (sums[Math.min(to, units.length)] ?? 0) - (sums[Math.max(0, from)] ?? 0);
  for (const [first, begin] of units.entries()) {
    if (begin.hits.length === 0) continue;
    let last = first;
    while (last + 1 < units.length && (units[last + 1]?.end ?? 0) - begin.start <= WINDOW_LENGTH) last += 1;
    while (last > first && units[last]?.hits.length === 0) last -= 1;
    const { words, pairs } = scoreOf(units, first, last, query, meanWords);
    let best = 0;
    for (let at = first; at <= last; at++) best = Math.max(best, own[at] ?? 0);
    const around = (sum(first - AROUND, first) + sum(last + 1, last + 1 + AROUND)) / (2 * AROUND);
    const score = words + SHARES.sentence * best + SHARES.pairs * pairs + SHARES.around * around;
    windows.push({ start: begin.start, end: units[last]?.end ?? begin.end, score, first, last });
  }
  return windows;
}

/** Of the units from `first` to `last`. */
function scoreOf(
  units: readonly Unit[],
  first: number,
  last: number,
  query: Query,
  meanWords: number,
): { words: number; pairs: number } {
  const counts = new Float64Array(query.terms.length);
  let pairs: Set<number> | null = null;
  let length = 0;
  for (let at = first; at <= last; at++) {
    const unit = units[at];
    if (unit === undefined) break;
    length += unit.words;
    for (const hit of unit.hits) counts[hit] = (counts[hit] ?? 0) + 1;
    for (const pair of unit.pairs) (pairs ??= new Set()).add(pair);
  }
  const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanWords);
  let words = 0;
  for (let hit = 0; hit < counts.length; hit++) {
    const count = counts[hit] ?? 0;
    if (count > 0) words += ((query.terms[hit]?.weight ?? 0) * count * (SATURATION + 1)) / (count + norm);
  }
  let together = 0;
  for (const pair of pairs ?? []) together += query.pairs.get(pair) ?? 0;
  return { words, pairs: together };
}
