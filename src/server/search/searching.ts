/**
 * Search by a process of its own (search-process.main.ts), which has an index of the catalog in memory and follows the
 * change feed; this is the side of the server. The database answers whatever it does not: before it is ready, when it is
 * behind, when it has died.
 *
 *   none --large enough--> loading --ready--> answering --silent for too long--> silent --any word--> answering
 *
 * One that is dead, or silent for a minute and then ended, is begun again after a minute. After a jump of the feed it says
 * that it is away, and loads again.
 */
import type { ChildProcess } from 'node:child_process';
import type { Clock } from '#core/ports.ts';
import type { Log } from '../log.ts';
import { startReading, type ReadingOrder } from '../processes/start-process.ts';
import { feedPlace, type FeedPlace } from '../store/feed.ts';
import type { Reader } from '../store/schema.ts';

/** Ids by kind, best first. */
export type FoundIds = Record<string, string[]>;

/** A lane's index, in the process. */
export interface LaneSearcher {
  /** Reads all there is. */
  load(): Promise<void>;
  /** Takes what changed since; false: it has to be loaded again. */
  follow(): Promise<boolean>;
  /** What it has by now. */
  readonly place: FeedPlace;
  search(question: string, limit: number): FoundIds;
}

/** Where the database is, and whose index is wanted. */
export type SearchOrder = ReadingOrder;

export interface SearchQuestion {
  id: number;
  question: string;
  limit: number;
  /** What the answer has to have seen. */
  place: FeedPlace;
}

export type ToSearchProcess = { order: SearchOrder } | SearchQuestion;
/** `away`: it loads anew. `found` null: it cannot say. */
export type FromSearchProcess = 'ready' | 'away' | { id: number; found: FoundIds | null };

export interface Searching {
  /** Null: the database has to answer. */
  ask(question: string, limit: number): Promise<FoundIds | null>;
  /** Begins a process where there is none and the catalog is large enough for one. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** @param size how many entries there are: below the least that is worth a process there is none */
export type OpenSearching = (lane: string, size: (db: Reader) => Promise<number>) => Searching;

/** An answer is waited for so long; the database is asked then, and all others until the process says something. */
const PATIENCE_MS = 1000;
/** So long after a look at the catalog's size, or after a process died, milliseconds. */
const AGAIN_MS = 60_000;
export interface SearchingOptions extends Omit<SearchOrder, 'lane'> {
  db: Reader;
  clock: Clock;
  log: Log;
  /** Entries from which on there is a process. */
  least: number;
  /** How long an answer is waited for, milliseconds. */
  patienceMs?: number;
  /** For tests: how the process is begun. */
  start?: () => ChildProcess | null;
}

export function openSearching(options: SearchingOptions): OpenSearching {
  const { db, clock, log, least, data, databaseUrl, patienceMs = PATIENCE_MS, start = startProcess } = options;
  return (lane, size) => {
    let child: ChildProcess | null = null;
    let isReady = false;
    let lookedAt = -Infinity;
    let silentSince: number | null = null;
    let closed = false;
    let last = 0;
    const waiting = new Map<number, (found: FoundIds | null) => void>();
    const giveUp = (): void => {
      isReady = false;
      for (const answer of waiting.values()) answer(null);
      waiting.clear();
    };

    function begin(): void {
      const begun = start();
      child = begun;
      if (begun === null) return;
      const at = clock.now();
      begun.on('message', (message: FromSearchProcess) => {
        if (message === 'away') return giveUp();
        if (message === 'ready') log.info('search is answered by a process of its own', { lane, ms: clock.now() - at });
        isReady = true;
        silentSince = null;
        if (message === 'ready') return;
        waiting.get(message.id)?.(message.found);
        waiting.delete(message.id);
      });
      const ended = (why: unknown): void => {
        if (child !== begun) return;
        child = null;
        silentSince = null;
        giveUp();
        lookedAt = clock.now();
        if (!closed)
          log.warn('the process of search ended; the database answers meanwhile', { lane, why: String(why) });
      };
      begun.on('error', ended);
      begun.on('exit', (code, signal) => ended(signal ?? code));
      begun.send({ order: { lane, data, databaseUrl } } satisfies ToSearchProcess, () => undefined);
    }

    async function check(): Promise<void> {
      // One that hangs is ended, and begun again as one that died.
      if (silentSince !== null && clock.now() - silentSince >= AGAIN_MS) child?.kill('SIGKILL');
      if (child !== null || closed || clock.now() - lookedAt < AGAIN_MS) return;
      lookedAt = clock.now();
      if ((await size(db)) >= least && child === null && !closed) begin();
    }

    return {
      check,
      async ask(question, limit) {
        if (!isReady) {
          await check();
          return null;
        }
        const place = await feedPlace(db);
        const id = ++last;
        return new Promise((resolve) => {
          const impatience = setTimeout(() => {
            isReady = false;
            silentSince ??= clock.now();
            answer(null);
          }, patienceMs);
          const answer = (found: FoundIds | null): void => {
            clearTimeout(impatience);
            waiting.delete(id);
            resolve(found);
          };
          waiting.set(id, answer);
          if (child === null || !isReady) return answer(null);
          child.send({ id, question, limit, place } satisfies ToSearchProcess, (error) => {
            if (error !== null) answer(null);
          });
        });
      },
      async close() {
        closed = true;
        giveUp();
        const ending = child;
        if (ending === null) return;
        const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
        ending.kill('SIGKILL');
        if (ending.exitCode === null && ending.signalCode === null) await ended;
      },
    };
  };
}

/** The process, which waits for its order. Null where Node lets this process start none. */
export const startProcess = (): ChildProcess | null =>
  startReading(new URL('../search-process.main.ts', import.meta.url));
