/**
 * What is worth no row: how far the files in hand are, sent to the pages of all tabs. A row for each message would cost a
 * write to the disk, and each page a read of everything that it shows.
 */
import * as v from 'valibot';
import type { Timers } from '../http/socket.ts';
import { systemTimers } from './system.ts';

const CHANNEL = 'accession-progress';

const ProgressSchema = v.union([
  /** 0..1 by job. */
  v.object({ type: v.literal('converting'), shares: v.map(v.string(), v.number()) }),
  /** Bytes of a drop that is read in: dropped files, copies of archives and what comes out of them. */
  v.object({ type: v.literal('reading'), batch_id: v.string(), done: v.number(), total: v.number() }),
]);
export type Progress = v.InferOutput<typeof ProgressSchema>;

/** For workers: answers the functions that send. */
export function progressSender(): {
  shares(shares: ReadonlyMap<string, number>): void;
  reading(batchId: string, done: number, total: number): void;
} {
  const channel = new BroadcastChannel(CHANNEL);
  const send = (progress: Progress): void => channel.postMessage(progress);
  return {
    shares: (shares) => send({ type: 'converting', shares: new Map(shares) }),
    reading: (batch_id, done, total) => send({ type: 'reading', batch_id, done, total }),
  };
}

/** For pages: gets the last message about everything once a second. Answers the function that stops it. */
export function hearProgress(hear: (progress: Progress) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const throttle = new ProgressThrottle(hear, systemTimers);
  channel.onmessage = (event: MessageEvent<unknown>) => {
    const progress = v.safeParse(ProgressSchema, event.data);
    if (progress.success) throttle.take(progress.output);
  };
  return () => {
    channel.close();
    throttle.stop();
  };
}

/** Each message is a repaint of the page that listens. */
const EVERY_MS = 1000;

/** Passes the last message about each file and drop on, once a second; after a silence at once. */
export class ProgressThrottle {
  readonly #pass: (progress: Progress) => void;
  readonly #timers: Timers;
  #shares = new Map<string, number>();
  readonly #reading = new Map<string, Progress & { type: 'reading' }>();
  #timer: unknown = null;

  constructor(pass: (progress: Progress) => void, timers: Timers) {
    this.#pass = pass;
    this.#timers = timers;
  }

  take(progress: Progress): void {
    if (progress.type === 'reading') this.#reading.set(progress.batch_id, progress);
    else for (const [id, share] of progress.shares) this.#shares.set(id, share);
    if (this.#timer === null) this.#flush();
  }

  /** Passes nothing more on. */
  stop(): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = null;
    this.#shares.clear();
    this.#reading.clear();
  }

  #flush(): void {
    this.#timer = null;
    if (this.#shares.size === 0 && this.#reading.size === 0) return;
    this.#timer = this.#timers.set(() => this.#flush(), EVERY_MS);
    const shares = this.#shares;
    this.#shares = new Map();
    if (shares.size > 0) this.#pass({ type: 'converting', shares });
    for (const reading of this.#reading.values()) this.#pass(reading);
    this.#reading.clear();
  }
}

/**
 * A share (0..1) that is passed on at most once in `everyMs`, and at its end: each message from a worker to another wakes
 * both. `now`: milliseconds of a steady clock.
 */
export function throttled(pass: (share: number) => void, everyMs: number, now: () => number): (share: number) => void {
  let next = -Infinity;
  return (share) => {
    const at = now();
    if (share < 1 && at < next) return;
    next = at + everyMs;
    pass(share);
  };
}
