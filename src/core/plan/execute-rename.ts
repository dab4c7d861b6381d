import { toFailure } from '../errors.ts';
import { holdFolder, unfinished } from './hold-folder.ts';
import { previewRename } from './preview-rename.ts';
import type { Journal, JournalHead, RenameStep } from './rename-journal.ts';
import { renameProblem, type RenameProblemCode } from './rename-problem.ts';
import type { ExecuteRename, RenameCounts, RenameOutcome } from './rename-run.types.ts';
import { replayJournal } from './replay-journal.ts';
import { StepRunner } from './step-runner.ts';

/**
 * Carries out a plan that a person confirmed: checks everything first, then moves one file after another, each
 * written down before and after. Whatever happens, every file ends as planned or as before, or it says where it is.
 * @throws AccessionError where the folder or the journal cannot be read; nothing was touched then
 */
export async function executeRename(run: ExecuteRename): Promise<RenameOutcome> {
  const root = run.root ?? run.plan.mediaFolderPath;
  return holdFolder(run.journal, root, () => execute(run, root));
}

async function execute(run: ExecuteRename, root: string): Promise<RenameOutcome> {
  const { plan, tree, journal } = run;
  if (plan.status !== 'pending') return refused('plan-not-pending', `The plan is ${plan.status} already.`);
  const open = await unfinished(journal, root);
  if (open !== null) return { result: 'refused', problems: [open] };
  // Done twice, a plan that only exchanges names would undo itself.
  const last = (await journal.list({ planId: plan.id, root })).at(-1);
  if (last !== undefined && replayJournal(last).ended === 'done')
    return refused('already-done', 'The plan has been carried out in this folder.');
  run.progress?.({ phase: 'checking', done: 0, total: plan.files.length });
  const preview = await previewRename(tree, plan, run.state, run.cancel);
  if (preview.hash !== run.hash) return refused('preview-changed', 'The plan is not the one that was shown.');
  if (preview.problems.length > 0) return { result: 'refused', problems: preview.problems };
  const head: JournalHead = {
    schemaVersion: 1,
    id: run.ids.next(),
    root,
    plan: { id: plan.id, hash: preview.hash, mediaFolderPath: plan.mediaFolderPath, files: plan.files },
    steps: preview.order,
    started_at: run.clock.now(),
    started_by: run.by ?? '',
  };
  await journal.begin(head);
  return carryOut(run, { head, records: [] });
}

async function carryOut(run: ExecuteRename, journal: Journal): Promise<RenameOutcome> {
  const journalId = journal.head.id;
  const runner = new StepRunner(run, journal);
  try {
    await runner.forward({ exact: true, cancel: run.cancel });
    await runner.end('done');
    return { result: 'done', journalId, ...countsOf(runner) };
  } catch (error) {
    const failed = toFailure(error);
    try {
      await rollBack(runner, failed.message);
      return { result: 'rolled-back', journalId, failure: failed };
    } catch (second) {
      const { message } = toFailure(second);
      const both = { ...failed, message: `${failed.message} Taking it back failed too: ${message}` };
      return { result: 'stuck', journalId, failure: both, standing: await runner.standing() };
    }
  }
}

/** Takes everything back after a failure, and closes the journal. Throws where that fails. */
async function rollBack(runner: StepRunner, why: string): Promise<void> {
  // Where the disk could not say whether the last step happened, nothing more is written: recovery will ask again.
  await runner.settle();
  await runner.turn('back', why);
  await runner.back();
  await runner.end('rolled-back', why);
}

/** What a journal that is done came to. */
export function countsOf({ journal: { head }, state }: StepRunner): RenameCounts {
  const rows = new Set(head.steps.flatMap((step) => (step.do === 'move' ? [step.row] : [])));
  const folders = (kind: 'make' | 'remove'): string[] =>
    head.steps.flatMap((step: RenameStep, i) => (step.do === kind && !state.idle.has(i) ? [step.path] : []));
  return {
    renamed: rows.size,
    unchanged: head.plan.files.length - rows.size,
    made: folders('make'),
    removed: folders('remove'),
  };
}

function refused(code: RenameProblemCode, message: string): RenameOutcome {
  return { result: 'refused', problems: [renameProblem(code, null, '', message)] };
}
