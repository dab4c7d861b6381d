import { toFailure } from '../errors.ts';
import { checkWay } from './check-way.ts';
import { holdFolder, unfinished } from './hold-folder.ts';
import type { Journal } from './rename-journal.ts';
import { renameProblem } from './rename-problem.ts';
import type { UndoOutcome, UndoRename } from './rename-run.types.ts';
import { replayJournal } from './replay-journal.ts';
import { StepRunner } from './step-runner.ts';

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
  const rows = new Set(journal.head.steps.flatMap((step) => (step.do === 'move' ? [step.row] : [])));
  try {
    await runner.turn('back', 'undo');
    await runner.back();
    await runner.end('undone');
    return { result: 'undone', journalId, renamed: rows.size };
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
