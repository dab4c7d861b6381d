import { toFailure, failure, type Failure } from '../errors.ts';
import { holdFolder, unfinished, StepRunner, folderBusy, openJournals } from './step-runner.ts';
import { previewRename } from './preview-rename.ts';
import type { Journal, JournalHead, RenameStep } from './rename-journal.ts';
import { renameProblem, type RenameProblemCode, type RenameProblem } from './rename-problem.ts';
import type {
  ExecuteRename,
  RenameCounts,
  RenameOutcome,
  UndoOutcome,
  UndoRename,
  Recovery,
  RecoverRename,
} from './rename-run.types.ts';
import { isWork, replayJournal } from './replay-journal.ts';
import { checkWay } from './order-rename.ts';

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
  const preview = await (run.preview?.() ?? previewRename(tree, plan, run.state, run.cancel));
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
  const rows = rowsOf(head);
  const folders = (kind: 'make' | 'remove'): string[] =>
    head.steps.flatMap((step: RenameStep, i) => (step.do === kind && !state.idle.has(i) ? [step.path] : []));
  return {
    renamed: rows.size,
    unchanged: head.plan.files.length - rows.size,
    made: folders('make'),
    removed: folders('remove'),
  };
}

/** Rows with whose file something is done. */
const rowsOf = ({ steps }: JournalHead): Set<number> =>
  new Set(steps.flatMap((step) => (isWork(step) ? [step.row] : [])));

function refused(code: RenameProblemCode, message: string): RenameOutcome {
  return { result: 'refused', problems: [renameProblem(code, null, '', message)] };
}

/**
 * Gives every file of the plan's newest rename the name it had. Refuses as a whole where one of the names is taken by
 * now or one of the files changed.
 * @throws AccessionError where the folder or the journal cannot be read; nothing was touched then
 */
export async function undoRename(run: UndoRename): Promise<UndoOutcome> {
  const newest = await newestDone(run);
  if (newest === undefined) return nothing();
  const root = run.root ?? newest.head.root;
  return holdFolder(run.journal, root, async () => {
    const open = await unfinished(run.journal, root);
    if (open !== null) return { result: 'refused', problems: [open] };
    // Read again now that nobody else writes.
    const journal = await newestDone(run);
    return journal === undefined ? nothing() : takeBack(run, journal);
  });
}

async function newestDone(run: UndoRename): Promise<Journal | undefined> {
  const of = run.root === undefined ? { planId: run.planId } : { planId: run.planId, root: run.root };
  const journals = await run.journal.list(of);
  return journals.findLast((journal) => replayJournal(journal).ended === 'done');
}

function nothing(): UndoOutcome {
  const message = 'No rename of this plan was carried out that is not taken back already.';
  return { result: 'refused', problems: [renameProblem('nothing-to-undo', null, '', message)] };
}

async function takeBack(run: UndoRename, journal: Journal): Promise<UndoOutcome> {
  const journalId = journal.head.id;
  const runner = new StepRunner(run, journal);
  run.progress?.({ phase: 'checking', done: 0, total: journal.head.plan.files.length });
  const problems = await checkWay(run.tree, journal.head, runner.state, 'back', true);
  if (problems.length > 0) return { result: 'refused', problems };
  try {
    await runner.turn('back', 'undo');
    await runner.back();
    await runner.end('undone');
    return { result: 'undone', journalId, renamed: rowsOf(journal.head).size };
  } catch (error) {
    const failed = toFailure(error);
    try {
      await runner.settle();
      await runner.turn('forward', failed.message);
      await runner.forward({ exact: false });
      await runner.end('done');
      return { result: 'still-done', journalId, failure: failed };
    } catch (second) {
      const both = { ...failed, message: `${failed.message} ${toFailure(second).message}` };
      return { result: 'stuck', journalId, failure: both, standing: await runner.standing() };
    }
  }
}

/**
 * Renames that a crash left open: brought to all files as before or all files as planned, whichever way is free.
 *
 * Back is the way of a rename that was under way, since the person can confirm it again; forward where every file has
 * been moved already. An undo that was under way goes on. Where something is in the way by now, the other way is
 * taken; where something is in both, nothing is touched.
 */

/**
 * To be called before anything else is done with a folder.
 * @returns one entry for each journal that was open, newest first
 * @throws AccessionError `conflict` while somebody else renames in the folder
 */
export async function recoverRename(run: RecoverRename): Promise<Recovery[]> {
  const release = await run.journal.hold(run.root);
  if (release === null) throw folderBusy();
  try {
    const recovered: Recovery[] = [];
    for (const journal of (await openJournals(run.journal, run.root)).reverse())
      recovered.push(await recoverOne(run, journal));
    return recovered;
  } finally {
    await release();
  }
}

async function recoverOne(run: RecoverRename, journal: Journal): Promise<Recovery> {
  const names = { journalId: journal.head.id, planId: journal.head.plan.id };
  const runner = new StepRunner(run, journal);
  const problems: RenameProblem[] = [];
  let failed: Failure | null = null;
  for (const way of await settled(runner)) {
    try {
      await runner.settle();
      const inTheWay = await checkWay(run.tree, journal.head, runner.state, way, false);
      if (inTheWay.length === 0) return { ...names, ...(await go(runner, way)) };
      // The way that was wanted is the one that is reported.
      if (problems.length === 0) problems.push(...inTheWay);
    } catch (error) {
      // The other way may still be free: what this one did is written down.
      failed ??= toFailure(error);
    }
  }
  return stay(run, runner, problems, failed ?? blocked());
}

function blocked(): Failure {
  const message = 'The interrupted rename can neither be taken back nor be finished: something is in both ways.';
  return failure('conflict', message, { remedy: 'Do what is said of each file, then try again.' });
}

/** Both ways, the wanted one first; it depends on whether the step in hand was done. */
async function settled(runner: StepRunner): Promise<('forward' | 'back')[]> {
  // Where the disk does not say, it is asked again before anything is done, and that failure is reported.
  await runner.settle().catch(() => undefined);
  return waysOf(runner);
}

function waysOf({ journal: { head }, state }: StepRunner): ('forward' | 'back')[] {
  const moved = head.steps.every((step, i) => !isWork(step) || state.applied[i] === true);
  return moved && state.direction === 'forward' ? ['forward', 'back'] : ['back', 'forward'];
}

type Ended = { result: 'rolled-back'; wasUndo: boolean } | { result: 'done' };

async function go(runner: StepRunner, way: 'forward' | 'back'): Promise<Ended> {
  const wasUndo = runner.state.wasDone;
  if (runner.state.direction !== way) await runner.turn(way, 'recovery');
  if (way === 'forward') {
    await runner.forward({ exact: false });
    await runner.end('done', 'recovery');
    return { result: 'done' };
  }
  await runner.back();
  await runner.end(wasUndo ? 'undone' : 'rolled-back', 'recovery');
  return { result: 'rolled-back', wasUndo };
}

async function stay(
  run: RecoverRename,
  runner: StepRunner,
  problems: RenameProblem[],
  failed: Failure,
): Promise<Recovery> {
  const names = { journalId: runner.journal.head.id, planId: runner.journal.head.plan.id };
  const standing = await runner.standing();
  if (run.giveUp !== true) return { ...names, result: 'stuck', failure: failed, problems, standing };
  await runner.end('abandoned', failed.message);
  return { ...names, result: 'abandoned', failure: failed, problems, standing };
}
