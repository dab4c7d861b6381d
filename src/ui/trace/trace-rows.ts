/** The trace as rows: which steps are shown, where each lies, what its line says. Pure. */
import type { ReasoningStep, ReasoningStepType } from '#core/job/job.ts';
import { oneLine } from '../parts/outside-text.ts';

/** Characters of a row's line. */
const LINE = 400;
/** Characters before the found words, where they lie further back. */
const BEFORE = 40;

const searched = new WeakMap<ReasoningStep, string>();

/** All that is searched of a step, in lower case: its words and its data. Steps never change, so it is made once. */
function words(step: ReasoningStep): string {
  const known = searched.get(step);
  if (known !== undefined) return known;
  const data = Object.keys(step.metadata).length === 0 ? '' : `\n${JSON.stringify(step.metadata)}`;
  const made = `${step.content}${data}`.toLowerCase();
  searched.set(step, made);
  return made;
}

/** Steps of the wanted types (none named: all) that hold the words. `query` is taken literally, case aside. */
export function filterSteps(
  steps: readonly ReasoningStep[],
  types: ReadonlySet<ReasoningStepType>,
  query: string,
): readonly ReasoningStep[] {
  const wanted = query.trim().toLowerCase();
  if (types.size === 0 && wanted === '') return steps;
  return steps.filter(
    (step) => (types.size === 0 || types.has(step.step_type)) && (wanted === '' || words(step).includes(wanted)),
  );
}

/** How many steps there are of each type, in the order of their first coming. */
export function countTypes(steps: readonly ReasoningStep[]): Map<ReasoningStepType, number> {
  const counts = new Map<ReasoningStepType, number>();
  for (const step of steps) counts.set(step.step_type, (counts.get(step.step_type) ?? 0) + 1);
  return counts;
}

/** The step in one line: its beginning, or the place where the searched words are. */
export function lineOf(step: ReasoningStep, query: string): string {
  const wanted = query.trim().toLowerCase();
  const line = oneLine(step.content, LINE);
  if (wanted === '' || line.toLowerCase().includes(wanted)) return line;
  const all = words(step);
  const at = all.indexOf(wanted);
  if (at < 0) return line;
  // The excerpt comes from the original where the words are in it, so that capitals stay.
  const source = at < step.content.length ? step.content : all;
  const from = Math.max(0, at - BEFORE);
  return `${from > 0 ? '\u2026' : ''}${oneLine(source.slice(from, at + LINE), LINE)}`;
}

/** A line cut at the found words, for marking them. */
export function marked(line: string, query: string): { text: string; hit: boolean }[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [{ text: line, hit: false }];
  const low = line.toLowerCase();
  // Lower case can be longer than the original (dotted I): then nothing is marked rather than something else.
  if (low.length !== line.length) return [{ text: line, hit: false }];
  const parts: { text: string; hit: boolean }[] = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: line.slice(from, at), hit: false });
    from = at + wanted.length;
    parts.push({ text: line.slice(at, from), hit: true });
  }
  if (from < line.length || parts.length === 0) parts.push({ text: line.slice(from), hit: false });
  return parts;
}

/** Where each row begins, in pixels from the top; one more than there are rows, the last is the whole height. */
export function offsetsOf(count: number, heightOf: (row: number) => number): Float64Array {
  const offsets = new Float64Array(count + 1);
  for (let row = 0; row < count; row++) offsets[row + 1] = (offsets[row] ?? 0) + heightOf(row);
  return offsets;
}

/** The row at a height; the last one below the end, 0 where there are none. */
export function rowAt(offsets: Float64Array, y: number): number {
  let low = 0;
  let high = Math.max(0, offsets.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

export interface RowWindow {
  /** Rows from `first` up to, without, `end` are drawn. */
  first: number;
  end: number;
  /** Pixels in the place of the rows before and after. */
  before: number;
  after: number;
}

/** The rows that are in sight at `top`, and `over` more on both sides, so that a fast scroll meets no gap. */
export function windowOf(offsets: Float64Array, top: number, height: number, over: number): RowWindow {
  const count = offsets.length - 1;
  const whole = offsets[count] ?? 0;
  if (count === 0) return { first: 0, end: 0, before: 0, after: 0 };
  const first = Math.max(0, rowAt(offsets, top) - over);
  const end = Math.min(count, rowAt(offsets, top + height) + 1 + over);
  return { first, end, before: offsets[first] ?? 0, after: whole - (offsets[end] ?? whole) };
}
