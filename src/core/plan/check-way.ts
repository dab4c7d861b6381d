import type { FileTree, TreeEntry } from './file-tree.ts';
import { parentsOf, pathKey } from './plan-path.ts';
import type { JournalHead } from './rename-journal.ts';
import { renameProblem, type RenameProblem } from './rename-problem.ts';
import { turned, type Replayed } from './replay-journal.ts';
import { sameTime } from './validate-rename.ts';

/**
 * Whether the rest of a journal can be done, or what was done be taken back: every file where it should be, every name
 * free by then. Touches nothing.
 * @param exact a file that changed since it was moved is a problem too
 */
export async function checkWay(
  tree: FileTree,
  head: JournalHead,
  state: Replayed,
  way: 'forward' | 'back',
  exact: boolean,
): Promise<RenameProblem[]> {
  const seen = new Map<string, TreeEntry | null>();
  const look = async (path: string): Promise<TreeEntry | null> => {
    const key = pathKey(path, tree.rules);
    const known = seen.get(key);
    const found = known === undefined ? await tree.stat(path) : known;
    seen.set(key, found);
    return found;
  };
  const problems: RenameProblem[] = [];
  for (const { step, i } of stepsOn(head, state, way)) {
    if (step.do !== 'move') {
      // A folder that turns out not to be empty stays after all, and a file that is to have its name fails then.
      const gone = (step.do === 'make') === (way === 'back') && !state.idle.has(i);
      const there = await look(step.path);
      const key = pathKey(step.path, tree.rules);
      if (gone && there?.kind === 'directory') seen.set(key, null);
      if (!gone && there === null) seen.set(key, { path: step.path, kind: 'directory', size: 0, modified: 0 });
      continue;
    }
    const { from, to } = turned(step, way);
    const say = (code: RenameProblem['code'], path: string, rest: string): void => {
      const whole = `${head.plan.mediaFolderPath}/${path}`;
      problems.push(renameProblem(code, step.row, whole, `"${whole}" ${rest}.`, REMEDIES[code]));
    };
    const file = await look(from);
    const stamp = state.stamps.get(step.row) ?? step;
    if (file?.kind !== 'file') say('source-missing', from, 'is not there any more');
    else if (exact && (file.size !== stamp.size || !sameTime(file.modified, stamp.modified)))
      say('source-changed', from, 'changed since it was renamed');
    if ((await look(to)) !== null) say('destination-exists', to, 'has been given to something else by now');
    for (const parent of parentsOf(to)) {
      const there = await look(parent);
      if (there?.kind === 'file') say('parent-is-file', parent, 'is a file by now, not a folder');
      if (there?.kind === 'other') say('parent-is-link', parent, 'is a link by now, not a folder');
    }
    seen.set(pathKey(from, tree.rules), null);
    seen.set(pathKey(to, tree.rules), { path: to, kind: 'file', size: stamp.size, modified: stamp.modified });
  }
  return problems.sort((a, b) => (a.row ?? -1) - (b.row ?? -1));
}

const REMEDIES: Partial<Record<RenameProblem['code'], string>> = {
  'source-missing': 'Put the file back to where it was, then try again.',
  'source-changed': 'Rename this file by hand, or put back what it was, then try again.',
  'destination-exists': 'Move what has that name away, then try again.',
  'parent-is-file': 'Move that file away, then try again.',
  'parent-is-link': 'Move the link away, then try again.',
};

/** What is still to be done, in its order. */
function stepsOn({ steps }: JournalHead, { applied }: Replayed, way: 'forward' | 'back') {
  const rest = steps.map((step, i) => ({ step, i })).filter(({ i }) => applied[i] === (way === 'back'));
  return way === 'forward' ? rest : rest.reverse();
}
