/** A rename as a person is shaping it: new names of an opened folder, what is wrong with them, and the hash that binds them. */
import { failed } from '#core/errors.ts';
import type { PlanState, RenameFilesPlan } from '#core/plan/plan.ts';
import { previewHash, renameScript } from '#core/plan/preview-rename.ts';
import type { RenameStep } from '#core/plan/rename-journal.ts';
import { renameProblem, type RenameProblem } from '#core/plan/rename-problem.ts';
import { validateRename } from '#core/plan/validate-rename.ts';
import { refusedByBrowser } from './folder-tree.ts';
import type { Folder } from './open-folder.ts';

/** Below the folder. */
export interface NewName {
  from: string;
  to: string;
}

export interface RenameDraft {
  plan: RenameFilesPlan;
  hash: string;
  sources: PlanState['sources'];
  /** What would be done; empty where there are problems. */
  steps: RenameStep[];
}

/** For browsers that cannot write into folders. */
export interface PlanFiles {
  /** `{id}.plan.json`, for `accession rename --plan FILE --root DIR`. */
  plan: { name: string; text: string };
  /** A POSIX shell script. */
  script: { name: string; text: string };
}

/**
 * @param id of the plan that this becomes: kept over the changes of one draft; the hash is another one after each
 * @returns the draft, and its problems by row of `names`
 */
export async function draftRename(
  folder: Folder,
  id: string,
  names: readonly NewName[],
): Promise<{ draft: RenameDraft; problems: RenameProblem[] }> {
  const { mediaFolderPath } = folder;
  const absolute = (path: string): string => `${mediaFolderPath}/${path}`;
  const files = names.map(({ from, to }) => ({ from: absolute(from), to: absolute(to) }));
  const plan: RenameFilesPlan = { id, task: 'rename-files', status: 'pending', mediaFolderPath, files };
  const sources = sourcesOf(folder, names);
  const checked =
    names.length === 0
      ? { problems: [], order: [] }
      : validateRename(plan, folder.entries, folder.listed.rules, { sources });
  const problems = [...checked.problems, ...refusals(names, absolute)];
  const steps = problems.length > 0 ? [] : checked.order;
  return { draft: { plan, hash: await previewHash(plan), sources, steps }, problems };
}

/** The draft, if it is the one that was shown. Throws AccessionError `conflict` otherwise. */
export function shownDraft(draft: RenameDraft | null, hash: string): RenameDraft {
  if (draft?.hash === hash) return draft;
  throw failed('conflict', 'The plan is not the one that was shown.', { remedy: 'Look again.' });
}

/** The plan and a script, for those whose browser cannot carry it out. Throws `conflict` where it has problems. */
export function planFiles({ name, mediaFolderPath }: Folder, { plan, steps }: RenameDraft): PlanFiles {
  if (steps.length === 0)
    throw failed('conflict', 'The plan cannot be carried out as it is.', { remedy: 'Look again.' });
  const below = (path: string): string => path.slice(mediaFolderPath.length + 1);
  const files = plan.files.map(({ from, to }) => ({ from: below(from), to: below(to) }));
  return {
    plan: { name: `${plan.id}.plan.json`, text: `${JSON.stringify(plan, null, 2)}\n` },
    script: { name: `rename-${plan.id.slice(0, 8)}.sh`, text: renameScript({ folder: name, files, steps }) },
  };
}

/** What the system would take and this browser does not. */
function refusals(names: readonly NewName[], absolute: (path: string) => string): RenameProblem[] {
  return names.flatMap(({ to }, row) => {
    const why = to
      .split('/')
      .map(refusedByBrowser)
      .find((one) => one !== null);
    return why === undefined || why === null
      ? []
      : [renameProblem('invalid-name', row, absolute(to), `"${to}" cannot be a name here: ${why}.`)];
  });
}

function sourcesOf({ entries, mediaFolderPath }: Folder, names: readonly NewName[]): PlanState['sources'] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return Object.fromEntries(
    names.flatMap(({ from }) => {
      const entry = byPath.get(from);
      return entry === undefined
        ? []
        : [[`${mediaFolderPath}/${from}`, { size: entry.size, modified: entry.modified }]];
    }),
  );
}
