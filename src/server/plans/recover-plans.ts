/**
 * Renames that a crash of the server left open, at its start.
 *
 *   PLAN-61 every journal that is open is brought to all files as before or all as planned; a plan whose files are as
 *           planned is completed, and of one that went back the reason is noted. What cannot be recovered is in the log
 *           and keeps nothing else from starting
 */
import { toFailure } from '#core/errors.ts';
import { recoverRename } from '#core/plan/execute-rename.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import type { Journal, JournalEnd } from '#core/plan/rename-journal.ts';
import { serverPlans, type PlansDeps } from './server-plans.ts';

export async function recoverPlans(deps: PlansDeps): Promise<void> {
  const { journal, folders } = deps.plans;
  const all = await journal.list();
  const open = all.filter((one) => endOf(one) === null);
  for (const [root, mediaFolderPath] of new Map(open.map(({ head }) => [head.root, head.plan.mediaFolderPath]))) {
    try {
      const seen = await folders.see(mediaFolderPath);
      if (seen?.root !== root) {
        deps.log.warn('a rename was interrupted in a folder that cannot be seen now', { folder: mediaFolderPath });
        continue;
      }
      const recovered = await recoverRename({ tree: seen.tree, root, journal, clock: deps.clock, by: 'recovery' });
      for (const one of recovered) deps.log.info('an interrupted rename was put in order', one);
    } catch (error) {
      deps.log.error('an interrupted rename could not be put in order', { error: toFailure(error).message });
    }
  }
  const journals = await journal.list();
  await settlePlans(deps, journals);
  await settleRecords(deps, journals);
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
  const carriedOut = deps.plans.kinds.all.filter(({ execution }) => execution !== null);
  for (const { task } of carriedOut)
    for (const { plan } of await service.pending(task)) {
      const journal = newest.get(plan.id);
      if (journal === undefined) continue;
      const ended = endOf(journal);
      if (ended === 'done') await service.update(plan.id, 'completed', journal.head.started_by);
      else if (ended === 'rolled-back')
        await service.note(plan.id, {}, 'It was interrupted, and every file is as before.');
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
