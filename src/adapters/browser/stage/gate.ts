import { liveQuery } from 'dexie';
import type { AccessionDb } from '../db.ts';
import { readPaused } from '../pipeline/apply.ts';

/** Before what is read of one batch: shut while the person paused work, until the batch is cancelled. */
export interface Gate {
  readonly closed: boolean;
  /** Resolves when it is open. */
  opens(): Promise<void>;
  /** Nothing more of the batch is read. */
  end(): void;
}

/** `cancel` is told when the batch is cancelled, in whichever tab. */
export type GateOf = (batchId: string, cancel: { aborted: boolean }) => Gate;

export function pauseGate(db: AccessionDb): GateOf {
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
