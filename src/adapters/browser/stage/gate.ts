import { liveQuery } from 'dexie';
import type { Cancel } from '#core/ports.ts';
import type { AccessionDb } from '../db.ts';
import { readPaused } from '../pipeline/apply.ts';

/** Shut while the person paused work. */
export interface Gate {
  readonly closed: boolean;
  /** Resolves when it is open, or when what waits is cancelled. */
  opens(cancel: Cancel): Promise<void>;
}

/** How often somebody who waits looks whether it was cancelled. */
const LOOK_MS = 200;

export function pauseGate(db: AccessionDb): Gate {
  let closed = false;
  liveQuery(() => readPaused(db)).subscribe((paused) => (closed = paused));
  return {
    get closed() {
      return closed;
    },
    async opens(cancel) {
      while (closed && !cancel.aborted) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    },
  };
}
