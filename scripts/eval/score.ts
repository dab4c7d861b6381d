/** The figures of a set: what was committed right, what wrongly, and whether a confidence means what it says. */
import type { LabelledCase, Truth } from './case.types.ts';

/** A file counts as committed above this confidence. */
export const COMMITTED = 0.9;

/** What is counted of a match. */
interface Counted {
  file_id: string;
  track_id: string | null;
  confidence: number;
  options: readonly { track_id: string }[];
}

export interface Row {
  files: number;
  right: number;
  wrong: number;
  review: number;
  /** Files that should be committed, and those of them that were, right. */
  due: number;
  done: number;
  /** Files that the catalog does not have, and those of them that were committed: the worst error. */
  absent: number;
  absentCommitted: number;
  /** Files of the catalog that went to review, and those whose truth is among the first three options. */
  asked: number;
  offered: number;
}

export interface Bin {
  files: number;
  right: number;
  /** Sum of confidences. */
  confidence: number;
}

export interface Score {
  /** By class, by `core` and `hard`, and `all`. */
  rows: Map<string, Row>;
  /** Ten, by confidence. */
  bins: Bin[];
}

export function newScore(): Score {
  return { rows: new Map(), bins: Array.from({ length: 10 }, () => ({ files: 0, right: 0, confidence: 0 })) };
}

/** Counts one case's matches in. */
export function count(score: Score, batch: LabelledCase, matches: readonly Counted[]): void {
  const byFile = new Map(matches.map((match) => [match.file_id, match]));
  for (const truth of batch.truth) {
    const match = byFile.get(truth.file_id);
    for (const name of [batch.cls, batch.tier, 'all']) countIn(rowOf(score, name), truth, match);
    const bin = match && score.bins[Math.min(9, Math.floor(match.confidence * 10))];
    if (!match || !bin || match.track_id === null) continue;
    bin.files += 1;
    bin.confidence += match.confidence;
    bin.right += Number(isRight(truth, match.track_id));
  }
}

export const isRight = (truth: Truth, id: string | null): boolean =>
  id !== null && (id === truth.track_id || truth.also_ok.includes(id));

function countIn(row: Row, truth: Truth, match: Counted | undefined): void {
  const committed = match !== undefined && match.track_id !== null && match.confidence > COMMITTED;
  const right = committed && isRight(truth, match.track_id);
  row.files += 1;
  row.right += Number(right);
  row.wrong += Number(committed && !right);
  row.review += Number(!committed);
  if (truth.expect === 'commit') {
    row.due += 1;
    row.done += Number(right);
  }
  if (truth.track_id === null) {
    row.absent += 1;
    row.absentCommitted += Number(committed);
  } else if (!committed) {
    row.asked += 1;
    row.offered += Number(match?.options.slice(0, 3).some((option) => isRight(truth, option.track_id)) ?? false);
  }
}

function rowOf(score: Score, name: string): Row {
  const known = score.rows.get(name);
  if (known) return known;
  const zero = { files: 0, right: 0, wrong: 0, review: 0, due: 0, done: 0 };
  const row: Row = { ...zero, absent: 0, absentCommitted: 0, asked: 0, offered: 0 };
  score.rows.set(name, row);
  return row;
}

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
export const coverage = (row: Row): number => share(row.done, row.due);
export const precision = (row: Row): number => share(row.right, row.right + row.wrong);
export const optionsAt3 = (row: Row): number => share(row.offered, row.asked);

/** Expected calibration error: how far confidence is from the share that is right, over ten bins. */
export function calibrationError(bins: readonly Bin[]): number {
  const files = bins.reduce((sum, bin) => sum + bin.files, 0);
  return share(
    bins.reduce((sum, bin) => sum + Math.abs(bin.right - bin.confidence), 0),
    Math.max(1, files),
  );
}

/** The figures by their published names; a tier that the set does not have is left out. */
export function figures(score: Score, prefix = ''): Record<string, number> {
  const out: Record<string, number> = {};
  for (const tier of ['core', 'hard', 'all']) {
    const row = score.rows.get(tier);
    if (!row) continue;
    out[`${prefix}${tier}.coverage`] = coverage(row);
    out[`${prefix}${tier}.precision`] = precision(row);
    out[`${prefix}${tier}.null_committed`] = row.absentCommitted;
  }
  const all = score.rows.get('all');
  if (all) {
    out[`${prefix}precision`] = precision(all);
    out[`${prefix}absent_committed`] = all.absentCommitted;
    out[`${prefix}options_at_3`] = optionsAt3(all);
  }
  out[`${prefix}ece`] = calibrationError(score.bins);
  return out;
}
