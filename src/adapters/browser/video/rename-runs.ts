/** Carrying out and taking back, with what becomes of the plan. */
import { AccessionError, failure } from '#core/errors.ts';
import { decided, ended } from '#core/plan/plan-rules.ts';
import type { PlanStore } from '#core/plan/plan-store.ts';
import { executeRename } from '#core/plan/execute-rename.ts';
import { undoRename } from '#core/plan/undo-rename.ts';
import type { Cancel } from '#core/ports.ts';
import type { RenameOutcome, RenameProgress, UndoOutcome } from '#core/plan/rename-run.types.ts';
import { openFolderTree } from './folder-tree.ts';
import type { Folder } from './open-folder.ts';
import type { Draft } from './rename-draft.ts';
import type { RoomDeps } from './room.types.ts';

export interface RenameRun {
  deps: RoomDeps;
  store: PlanStore;
  folder: Folder;
  draft: Draft | null;
  /** Of what the person was shown. */
  hash: string;
  by: string;
  heard: (progress: RenameProgress) => void;
  cancel: Cancel;
}

/** The plan is kept before anything moves, and decided by what came of it. */
export async function runRename(run: RenameRun): Promise<RenameOutcome> {
  const { deps, store, folder, draft, by } = run;
  if (folder.tree === null || folder.id === null)
    throw new AccessionError(failure('invalid', 'This browser cannot rename files of this folder.'));
  if (draft === null || draft.hash !== run.hash)
    throw new AccessionError(failure('conflict', 'The plan is not the one that was shown.', { remedy: 'Look again.' }));
  const now = deps.clock.now();
  const { plan, sources } = draft;
  if ((await store.read(plan.id)) === null) {
    const made = { stage: 'building' as const, created_at: now, created_by: by, sources, notes: {} };
    const open = { ready_at: null, decided_at: null, decided_by: null };
    await store.create(ended({ plan, state: { ...made, ...open } }, now));
  }
  const outcome = await executeRename({
    tree: folder.tree,
    journal: deps.journal,
    clock: deps.clock,
    ids: deps.ids,
    root: folder.id,
    by,
    plan,
    hash: run.hash,
    state: { sources },
    progress: run.heard,
    cancel: run.cancel,
  });
  const status = { done: 'completed', 'rolled-back': 'rejected', refused: 'rejected', stuck: null } as const;
  const to = status[outcome.result];
  if (to !== null) await store.update(plan.id, (kept) => decided(kept, to, by, deps.clock.now()));
  return outcome;
}

/** Throws AccessionError `not_found` when the folder of the plan was forgotten. */
export async function runUndo(
  deps: RoomDeps,
  planId: string,
  by: string,
  heard: (progress: RenameProgress) => void,
): Promise<UndoOutcome> {
  const [journal] = await deps.db.rename_journals.where('plan_id').equals(planId).toArray();
  const row = journal === undefined ? undefined : await deps.db.video_folders.get(journal.root);
  if (row === undefined)
    throw new AccessionError(failure('not_found', 'The folder of this plan is not known here any more.'));
  const tree = await openFolderTree(row.handle, deps.platform);
  return undoRename({ tree, journal: deps.journal, clock: deps.clock, root: row.id, by, planId, progress: heard });
}
