/** When stored files are freed: at the start, a while after results were published, and once an hour. */
import type { Clock } from '#core/ports.ts';
import type { Timers } from '../../http/socket.ts';
import type { StorageReport } from '../api.ts';
import { freeStorage, reportStorage, type FreeDeps } from './storage.ts';

/** After a result was published; those of one album come together. */
const SOON_MS = 30_000;
/** Between two, however much is published: each reads all rows. */
const REST_MS = 5 * 60_000;
/** A page may stay open for weeks, and files reach their day without anything else happening. */
const EVERY_MS = 3_600_000;

/** Freeing and its report, for the pipeline. */
export function openStorage(deps: FreeDeps & { timers: Timers }): Collector & { report(): Promise<StorageReport> } {
  const { db, blobs, clock, timers } = deps;
  const free = (early: boolean): Promise<number> => freeStorage(deps, early);
  // What could not be freed now is tried again in an hour.
  const collector = createCollector({ free, clock, timers, onError: (error) => console.error(error) });
  return { ...collector, report: () => reportStorage(db, blobs) };
}

export interface Collector {
  /** Now; answers the bytes. `early`: also what waits for its day. The next one follows by itself. */
  free(early?: boolean): Promise<number>;
  /** A result was published. */
  published(): void;
}

export function createCollector(options: {
  free(early: boolean): Promise<number>;
  clock: Clock;
  timers: Timers;
  onError(error: unknown): void;
}): Collector {
  const { clock, timers, onError } = options;
  let timer: unknown = null;
  let dueAt = Infinity;
  let lastAt = -Infinity;

  function arm(ms: number): void {
    if (timer !== null) timers.clear(timer);
    dueAt = clock.now() + ms;
    timer = timers.set(() => void free().catch(onError), ms);
  }
  async function free(early = false): Promise<number> {
    lastAt = clock.now();
    try {
      return await options.free(early);
    } finally {
      arm(EVERY_MS);
    }
  }
  return {
    free,
    published(): void {
      const now = clock.now();
      const at = Math.max(now + SOON_MS, lastAt + REST_MS);
      // A clock that was set back must not put it off for long.
      const ms = Math.min(at - now, REST_MS);
      if (now + ms < dueAt) arm(ms);
    },
  };
}
