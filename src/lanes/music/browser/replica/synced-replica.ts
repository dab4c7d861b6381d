import { readReplicaState } from '#adapters/browser/meta.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { Replica } from '#adapters/browser/sync/sync-runner.ts';
import type { Clock } from '#core/ports.ts';
import { noteLost, noteRestart, restartPending } from '../lost-results.ts';
import { createReplica, type ReplicaOptions } from './replica.ts';

/** The replica of the catalog for sync: a copy that was begun anew shows which published results the server has lost. */
export function syncedReplica(db: AccessionDb, client: ReplicaOptions['client'], clock: Clock): Required<Replica> {
  const replica = createReplica({ db, client, onRestart: () => noteRestart(db, clock) });
  return {
    pull: (signal) => replica.pull(signal),
    async wasRestarted() {
      // Noted in the database: the pull that began anew may have been cut off, and another one have ended it.
      const restarted = await restartPending(db);
      if (restarted) await noteLost(db, clock);
      return restarted;
    },
    isComplete: async () => (await readReplicaState(db)).complete,
  };
}
