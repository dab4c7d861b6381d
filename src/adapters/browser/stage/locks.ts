import type { StageLocks } from '#core/run/stage/ports.ts';

/** Shared by all who stage, against freeing: a blob may be there before its row is. */
const STORAGE = 'accession-storage';

/** Runs `work` while nothing is being staged in any tab; what is staged next waits for it. Null when something is. */
export async function whileNothingIsStaged<T>(work: () => Promise<T>): Promise<T | null> {
  // Without Web Locks there is one tab, and no way to know: blobs younger than the grace stay anyhow.
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(STORAGE, { ifAvailable: true }, async (lock) => (lock === null ? null : work()));
}

/** Web Locks: given back by the browser when a tab dies, so a free lock means that nobody is at work. */
export function webLocks(locks: LockManager): StageLocks {
  const name = (batchId: string): string => `accession-stage-${batchId}`;
  const beside = async <T>(work: () => Promise<T>): Promise<T> => locks.request(STORAGE, { mode: 'shared' }, work);
  return {
    run: async (batchId, work) => beside(() => locks.request(name(batchId), work)),
    runIfFree: async (batchId, work) =>
      locks.request(name(batchId), { ifAvailable: true }, async (lock) => {
        if (lock !== null) await beside(work);
        return lock !== null;
      }),
  };
}

/** Within one tab only; a browser without Web Locks is kept to one tab by the pipeline. */
export function localLocks(): StageLocks {
  const held = new Map<string, Promise<unknown>>();
  const hold = async <T>(batchId: string, work: () => Promise<T>): Promise<T> => {
    const running = work();
    held.set(batchId, running);
    try {
      return await running;
    } finally {
      held.delete(batchId);
    }
  };
  return {
    run: async (batchId, work) => {
      await held.get(batchId)?.catch(() => undefined);
      return hold(batchId, work);
    },
    runIfFree: async (batchId, work) => {
      if (held.has(batchId)) return false;
      await hold(batchId, work);
      return true;
    },
  };
}
