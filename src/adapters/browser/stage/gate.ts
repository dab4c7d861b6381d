import { liveQuery } from 'dexie';
import type { StagePorts } from '#core/run/stage/ports.ts';
import type { AccessionDb } from '../db.ts';
import { readPaused } from '../job-store.ts';

/** Shut while the person paused all work, in whichever tab; opens for good where the batch is cancelled. */
export function pauseGate(db: AccessionDb): NonNullable<StagePorts['gate']> {
  return (batchId, cancel) => {
    // Until the first answer nobody knows.
    let closed = true;
    const waiting: (() => void)[] = [];
    const set = (shut: boolean): void => {
      closed = shut;
      if (!shut) for (const go of waiting.splice(0)) go();
    };
    const look = async (): Promise<{ paused: boolean; cancelled: boolean }> => {
      const [paused, batch] = [await readPaused(db), await db.batches.get(batchId)];
      return { paused, cancelled: batch?.state === 'staging' && batch.notice !== null };
    };
    const looking = liveQuery(look).subscribe({
      next: ({ paused, cancelled }) => {
        if (cancelled) cancel.aborted = true;
        set(paused && !cancelled);
      },
      error: () => set(false),
    });
    // Where the database cannot be read, the next write of a row says so; of a closed one the query says nothing.
    look().catch(() => set(false));
    return {
      get closed() {
        return closed;
      },
      opens: () => (closed ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
      end: () => looking.unsubscribe(),
    };
  };
}
