/**
 * Renames that a crash of the server left open, at its start.
 *
 *   PLAN-61 every journal that is open is brought to all files as before or all as planned; a plan whose files are as
 *           planned is completed, and of one that went back the reason is noted. What cannot be recovered is in the log
 *           and keeps nothing else from starting
 */
import { toFailure } from '#core/errors.ts';
import { recoverRename } from '#core/plan/execute-rename.ts';
import type { KeptPlan } from '#core/plan/plan.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import type { Journal, JournalEnd } from '#core/plan/rename-journal.ts';
import { lanesOf, serverPlans, type PlansDeps } from './server-plans.ts';

export async function recoverPlans(deps: PlansDeps): Promise<void> {
  const { journal } = deps.plans;
  const all = await journal.list();
  const open = all.filter((one) => endOf(one) === null);
  for (const [root, mediaFolderPath] of new Map(open.map(({ head }) => [head.root, head.plan.mediaFolderPath])))
    await recoverFolder(deps, root, mediaFolderPath);
  const journals = await journal.list();
  await settlePlans(deps, journals);
  await settleRecords(deps, journals);
}

/**
 * DOCUMENT-111: a plan whose process died under it is put in order at once, as a start would do it.
 *
 * @returns what became of it, a sentence; null where nothing was open
 */
export async function recoverPlan(deps: PlansDeps, planId: string): Promise<string | null> {
  const before = await standing(deps, planId);
  if (before === null || !before.isOpen) return null;
  const { head } = before.journal;
  if (before.ended === null) await recoverFolder(deps, head.root, head.plan.mediaFolderPath);
  await settlePlans(deps, await newestOf(deps, planId));
  const now = await standing(deps, planId);
  if (now === null || now.isOpen) return 'What was begun is brought to an end at the next start.';
  return now.ended === 'done' ? 'All of it is done: look at the history.' : 'Every file is as before.';
}

const newestOf = async ({ plans }: PlansDeps, planId: string): Promise<Journal[]> =>
  (await plans.journal.list({ planId })).slice(-1);

/** How the plan's newest journal ended, and whether the plan does not say so yet. Null: there is none. */
async function standing(deps: PlansDeps, planId: string) {
  const [[journal], kept] = [await newestOf(deps, planId), await deps.plans.store.read(planId)];
  if (journal === undefined || kept === null) return null;
  const ended = endOf(journal);
  const { plan, state } = kept;
  const isLate =
    (ended === 'done' && plan.status === 'pending') ||
    (ended === 'undone' && plan.status === 'completed' && state.taken_back === undefined);
  return { journal, ended, isOpen: ended === null || isLate };
}

async function recoverFolder(deps: PlansDeps, root: string, mediaFolderPath: string): Promise<void> {
  const { journal, folders } = deps.plans;
  try {
    const seen = await folders.see(mediaFolderPath);
    if (seen?.root !== root) {
      deps.log.warn('a rename was interrupted in a folder that cannot be seen now', { folder: mediaFolderPath });
      return;
    }
    const recovered = await recoverRename({ tree: seen.tree, root, journal, clock: deps.clock, by: 'recovery' });
    for (const one of recovered) deps.log.info('an interrupted rename was put in order', one);
  } catch (error) {
    deps.log.error('an interrupted rename could not be put in order', { error: toFailure(error).message });
  }
}

/** PLAN-91: what was written down before a crash is completed, and records follow the renames that were put in order. */
async function settleRecords(deps: PlansDeps, journals: readonly Journal[]): Promise<void> {
  const { service, records } = serverPlans(deps);
  for (const one of records) {
    try {
      for (const { plan } of await service.pending(one.task)) {
        const by = await one.appliedBy(plan.id);
        if (by !== null) await service.update(plan.id, 'completed', by);
      }
      await one.follow(journals);
    } catch (error) {
      deps.log.error('records of recognised files could not be put in order', { error: toFailure(error).message });
    }
  }
}

/** Plans that say `pending` though their newest journal has ended: the server died between the two. */
async function settlePlans(deps: PlansDeps, journals: readonly Journal[]): Promise<void> {
  const newest = new Map(journals.map((one) => [one.head.plan.id, one]));
  const { service } = serverPlans(deps);
  for (const { task, execution } of deps.plans.kinds.all) {
    if (execution === null) continue;
    for (const kept of await service.pending(task)) {
      const journal = newest.get(kept.plan.id);
      if (journal === undefined) continue;
      const ended = endOf(journal);
      if (ended === 'done' && (await followed(deps, kept, journal, 'done')))
        await service.update(kept.plan.id, 'completed', journal.head.started_by);
      else if (ended === 'rolled-back')
        await service.note(kept.plan.id, {}, 'It was interrupted, and every file is as before.');
    }
  }
  for (const kept of await deps.plans.store.list()) {
    const journal = newest.get(kept.plan.id);
    const isOpen = kept.plan.status === 'completed' && kept.state.taken_back === undefined;
    if (journal === undefined || !isOpen || endOf(journal) !== 'undone') continue;
    const { execution } = deps.plans.kinds.of(kept.plan.task);
    if (execution?.follow !== undefined && (await followed(deps, kept, journal, 'undone')))
      await service.takeBack(kept.plan.id, journal.records.findLast((one) => one.kind === 'turn')?.by ?? 'recovery');
  }
}

/** What else a plan's journal brings with it. False: not now, and the log says why. */
async function followed(deps: PlansDeps, kept: KeptPlan, journal: Journal, way: 'done' | 'undone'): Promise<boolean> {
  try {
    await deps.plans.kinds.of(kept.plan.task).execution?.follow?.(kept, journal);
    for (const lane of lanesOf(deps, kept.plan)) await lane.carriedOut?.(deps, kept, way);
    return true;
  } catch (error) {
    deps.log.error('a plan that was carried out could not be put in order', { error: toFailure(error).message });
    return false;
  }
}

/** How a journal ended, null for one that is open; a damaged one is left alone. */
function endOf(journal: Journal): JournalEnd | 'damaged' | null {
  try {
    return replayJournal(journal).ended;
  } catch {
    return 'damaged';
  }
}
