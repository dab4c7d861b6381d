/** Renames that were interrupted are put right before anything else is done. */
import { decided } from '#core/plan/plan-rules.ts';
import type { PlanStore } from '#core/plan/plan-store.ts';
import { recoverRename } from '#core/plan/recover-rename.ts';
import type { Recovery } from '#core/plan/rename-run.types.ts';
import { AccessionError } from '#core/errors.ts';
import { allowed } from './file-system-access.types.ts';
import { openFolderTree } from './folder-tree.ts';
import type { RoomDeps } from './room.types.ts';
import type { RecoveredFolder } from './video-api.types.ts';

/**
 * Folders with an open journal, as far as the browser lets them be written to; a rename that is under way in another tab
 * is left to it. `giveUp` leaves as it stands what can go neither way.
 */
export async function recoverFolders(
  deps: RoomDeps,
  store: PlanStore,
  by: string,
  giveUp: boolean,
): Promise<RecoveredFolder[]> {
  const open = await deps.db.rename_journals.where('open').equals(1).toArray();
  const recovered: RecoveredFolder[] = [];
  for (const root of new Set(open.map((row) => row.root))) {
    const row = await deps.db.video_folders.get(root);
    if (row === undefined || !(await allowed(row.handle, 'readwrite'))) continue;
    try {
      const tree = await openFolderTree(row.handle, deps.platform);
      const recoveries = await recoverRename({ tree, journal: deps.journal, clock: deps.clock, root, by, giveUp });
      for (const one of recoveries) await settlePlan(store, one, by, deps.clock.now());
      if (recoveries.length > 0) recovered.push({ folder: row.name, recoveries });
    } catch (thrown) {
      // Somebody is at work in it: there is nothing to recover.
      if (!(thrown instanceof AccessionError && thrown.failure.code === 'conflict')) throw thrown;
    }
  }
  return recovered;
}

/** A plan whose rename was taken back is over; the person can make it again. */
async function settlePlan(store: PlanStore, recovery: Recovery, by: string, now: number): Promise<void> {
  const to = { done: 'completed', 'rolled-back': 'rejected', abandoned: 'rejected', stuck: null } as const;
  const status = to[recovery.result];
  const kept = await store.read(recovery.planId);
  if (status === null || kept?.plan.status !== 'pending') return;
  await store.update(recovery.planId, (plan) => decided(plan, status, by, now));
}
