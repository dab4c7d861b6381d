/**
 * Renames that a crash left open: brought to all files as before or all files as planned, whichever way is free.
 *
 * Back is the way of a rename that was under way, since the person can confirm it again; forward where every file has
 * been moved already. An undo that was under way goes on. Where something is in the way by now, the other way is
 * taken; where something is in both, nothing is touched.
 */
import { failure, toFailure, type Failure } from '../errors.ts';
import { checkWay } from './check-way.ts';
import { folderBusy, openJournals } from './hold-folder.ts';
import type { Journal } from './rename-journal.ts';
import type { RenameProblem } from './rename-problem.ts';
import type { Recovery, RecoverRename } from './rename-run.types.ts';
import { StepRunner } from './step-runner.ts';

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
  const moved = head.steps.every((step, i) => step.do !== 'move' || state.applied[i] === true);
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
