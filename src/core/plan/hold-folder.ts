import { AccessionError, failure } from '../errors.ts';
import { renameProblem, type RenameProblem } from './rename-problem.ts';
import type { Journal, JournalStore } from './rename-journal.ts';
import { replayJournal } from './replay-journal.ts';

export const FOLDER_BUSY = 'Another rename is at work in this folder.';

/** Runs `work` as the only one that renames below `root`; refuses where somebody else does. */
export async function holdFolder<T>(
  journal: JournalStore,
  root: string,
  work: () => Promise<T>,
): Promise<T | { result: 'refused'; problems: RenameProblem[] }> {
  const release = await journal.hold(root);
  if (release === null) return { result: 'refused', problems: [renameProblem('folder-busy', null, '', FOLDER_BUSY)] };
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Journals that a crash left open, oldest first. */
export async function openJournals(journal: JournalStore, root: string): Promise<Journal[]> {
  const all = await journal.list({ root });
  return all.filter((one) => replayJournal(one).ended === null);
}

/** @throws AccessionError `conflict` */
export function folderBusy(): AccessionError {
  return new AccessionError(failure('conflict', FOLDER_BUSY, { remedy: 'Wait until it has ended, then try again.' }));
}

/** A rename that a crash left open in this folder; null where there is none. */
export async function unfinished(journal: JournalStore, root: string): Promise<RenameProblem | null> {
  const [open] = await openJournals(journal, root);
  if (open === undefined) return null;
  const when = new Date(open.head.started_at).toISOString();
  const message = `A rename of this folder that began at ${when} was interrupted (plan ${open.head.plan.id}).`;
  return renameProblem('unfinished-rename', null, '', message);
}
