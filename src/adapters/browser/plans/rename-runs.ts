/** Renames in opened folders: carried out, taken back, put right after an interruption, with what becomes of the plan. */
import { AccessionError, failed } from '#core/errors.ts';
import { executeRename, undoRename, recoverRename } from '#core/plan/execute-rename.ts';
import { begun, decided, ended, withNotes } from '#core/plan/plan-rules.ts';
import type { KeptPlan, PlanStore } from '#core/plan/plan.ts';
import type { Recovery, RenameOutcome, RenameProgress, UndoOutcome } from '#core/plan/rename-run.types.ts';
import type { Cancel } from '#core/ports.ts';
import { allowed } from './file-system-access.types.ts';
import { openFolderTree } from './folder-tree.ts';
import type { Folder, FolderPorts } from './open-folder.ts';
import type { RenameDraft } from './rename-draft.ts';

export interface RenameRun {
  ports: FolderPorts;
  store: PlanStore;
  folder: Folder;
  /** As the person was shown it. */
  draft: RenameDraft;
  by: string;
  progress: (progress: RenameProgress) => void;
  cancel: Cancel;
}

/** The plan is kept before anything moves, and decided by what came of it. */
export async function runRename(run: RenameRun): Promise<RenameOutcome> {
  const { ports, store, folder, draft, by } = run;
  if (folder.tree === null || folder.id === null)
    throw failed('invalid', 'This browser cannot rename files of this folder.');
  const { plan, hash, sources } = draft;
  if ((await store.read(plan.id)) === null) await store.create(keptOf(draft, by, ports.clock.now()));
  const outcome = await executeRename({
    tree: folder.tree,
    journal: ports.journal,
    clock: ports.clock,
    ids: ports.ids,
    root: folder.id,
    by,
    plan,
    hash,
    state: { sources },
    progress: run.progress,
    cancel: run.cancel,
  });
  const status = { done: 'completed', 'rolled-back': 'rejected', refused: 'rejected', stuck: null } as const;
  const to = status[outcome.result];
  if (to !== null) await store.update(plan.id, (kept) => decided(kept, to, by, ports.clock.now()));
  return outcome;
}

function keptOf({ plan, sources }: RenameDraft, by: string, now: number): KeptPlan {
  const { state } = begun(plan.task, plan.id, plan.mediaFolderPath, { by, now });
  return ended(withNotes({ plan, state }, {}, sources), now);
}

/** Throws AccessionError `not_found` when the folder of the plan was forgotten. */
export async function runUndo(
  { db, journal, clock, platform }: FolderPorts,
  planId: string,
  by: string,
  progress: (progress: RenameProgress) => void,
): Promise<UndoOutcome> {
  const [newest] = await db.rename_journals.where('plan_id').equals(planId).toArray();
  const row = newest === undefined ? undefined : await db.video_folders.get(newest.root);
  if (row === undefined) throw failed('not_found', 'The folder of this plan is not known here any more.');
  const tree = await openFolderTree(row.handle, platform);
  return undoRename({ tree, journal, clock, root: row.id, by, planId, progress });
}

export interface RecoveredFolder {
  folder: string;
  recoveries: Recovery[];
}

/**
 * Folders with an open journal, as far as the browser lets them be written to; a rename that is under way in another tab
 * is left to it. `giveUp` leaves as it is what can go neither way. `store`: of plans that follow what became of them.
 */
export async function recoverFolders(
  { db, journal, clock, platform }: FolderPorts,
  store: Pick<PlanStore, 'read'> & Partial<Pick<PlanStore, 'update'>>,
  by: string,
  giveUp: boolean,
): Promise<RecoveredFolder[]> {
  const open = await db.rename_journals.where('open').equals(1).toArray();
  const recovered: RecoveredFolder[] = [];
  for (const root of new Set(open.map((row) => row.root))) {
    const row = await db.video_folders.get(root);
    if (row === undefined || !(await allowed(row.handle, 'readwrite'))) continue;
    try {
      const tree = await openFolderTree(row.handle, platform);
      const recoveries = await recoverRename({ tree, journal, clock, root, by, giveUp });
      for (const one of recoveries) await settlePlan(store, one, by, clock.now());
      if (recoveries.length > 0) recovered.push({ folder: row.name, recoveries });
    } catch (thrown) {
      // Somebody is at work in it: there is nothing to recover.
      if (!(thrown instanceof AccessionError && thrown.failure.code === 'conflict')) throw thrown;
    }
  }
  return recovered;
}

/** A plan whose rename was taken back is over; the person can make it again. */
async function settlePlan(
  store: Pick<PlanStore, 'read'> & Partial<Pick<PlanStore, 'update'>>,
  recovery: Recovery,
  by: string,
  now: number,
): Promise<void> {
  const to = { done: 'completed', 'rolled-back': 'rejected', abandoned: 'rejected', stuck: null } as const;
  const status = to[recovery.result];
  const kept = await store.read(recovery.planId);
  if (status === null || kept?.plan.status !== 'pending') return;
  await store.update?.(recovery.planId, (plan) => decided(plan, status, by, now));
}
