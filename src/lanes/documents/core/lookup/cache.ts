/** Answers of sources as they came, so that nothing is asked twice and papers are known offline. */
import type { Asked, RawAnswer, Reading } from './source.ts';

export interface KeptAnswer extends RawAnswer {
  /** Milliseconds since the epoch. */
  at: number;
}

/** Adapters: memory, a folder in Node. A damaged row is none. */
export interface AnswerCache {
  get(key: string): Promise<KeptAnswer | null>;
  put(key: string, answer: KeptAnswer): Promise<void>;
}

const DAY_MS = 86_400_000;
/** How long an answer saves the asking: a record, and "no such document", with whichever status it was said. */
const RECORD_MS = 90 * DAY_MS;
const MISSING_MS = 7 * DAY_MS;

export const keyOf = (host: string, { kind, value }: Asked): string => `${host} ${kind} ${value}`;

/** @param reading what the answer says */
export function isFresh({ at }: KeptAnswer, reading: Reading, now: number): boolean {
  const saysNone = reading.is === 'missing' || (reading.is === 'hits' && reading.hits.length === 0);
  return now - at < (saysNone ? MISSING_MS : RECORD_MS);
}

export function memoryCache(rows = new Map<string, KeptAnswer>()): AnswerCache {
  return {
    get: (key) => Promise.resolve(rows.get(key) ?? null),
    put: (key, answer) => Promise.resolve(void rows.set(key, answer)),
  };
}
