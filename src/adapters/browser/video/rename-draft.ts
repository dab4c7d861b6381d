/** A rename as the person is shaping it: names by the template, what is wrong with them, and the hash that binds them. */
import { AccessionError, failure } from '#core/errors.ts';
import type { RenameFilesPlan } from '#core/plan/plan.ts';
import type { PlanState } from '#core/plan/plan-store.ts';
import { previewHash } from '#core/plan/preview-hash.ts';
import type { RenameStep } from '#core/plan/rename-journal.ts';
import { renameProblem, type RenameProblem } from '#core/plan/rename-problem.ts';
import { validateRename } from '#core/plan/validate-rename.ts';
import { renameScript } from '#core/plan/rename-script.ts';
import type { Show } from '#core/video/show-catalog.ts';
import type { NameProblem } from '#core/video/template/plan-names.ts';
import { refusedByBrowser } from './folder-rules.ts';
import { namesOf } from './names.ts';
import type { Folder } from './open-folder.ts';
import type { PlanFiles, PreviewRow, RenamePreview, RenameWish } from './video-api.types.ts';

export interface Draft {
  plan: RenameFilesPlan;
  hash: string;
  sources: PlanState['sources'];
  steps: RenameStep[];
}

/** `id` is kept over the changes of one draft; the hash is another one after each. */
export async function previewOf(
  folder: Folder,
  show: Show | null,
  wish: RenameWish,
  id: string,
): Promise<{ draft: Draft; preview: RenamePreview }> {
  const rowPaths = new Set(wish.rows.map(({ path }) => path));
  const others = folder.entries.flatMap(({ kind, path }) => (kind === 'file' && !rowPaths.has(path) ? [path] : []));
  const { moved, unchanged, problems: unnamed, templateProblem } = namesOf(wish, show, others);
  const absolute = (path: string): string => `${folder.mediaFolderPath}/${path}`;
  const plan: RenameFilesPlan = {
    id,
    task: 'rename-files',
    status: 'pending',
    mediaFolderPath: folder.mediaFolderPath,
    files: moved.map(({ from, to }) => ({ from: absolute(from), to: absolute(to) })),
  };
  const sources = sourcesOf(folder, moved);
  const checked =
    moved.length === 0
      ? { problems: [], order: [] }
      : validateRename(plan, folder.entries, folder.listed.rules, { sources });
  const problems = [...checked.problems, ...refusals(moved, absolute)];
  const hash = await previewHash(plan);
  return {
    draft: { plan, hash, sources, steps: problems.length + unnamed.length > 0 ? [] : checked.order },
    preview: {
      planId: id,
      hash,
      rows: [...unnamed.map(unnamedRow), ...withProblems(moved, problems)],
      unchanged,
      problems: problems.filter(({ row }) => row === null),
      templateProblem,
    },
  };
}

/** Files for those whose browser cannot do it. Throws AccessionError `conflict` when the preview is not the one that was shown. */
export function planFiles(folder: Folder, draft: Draft | null, hash: string): PlanFiles {
  if (draft === null || draft.hash !== hash || draft.steps.length === 0)
    throw new AccessionError(failure('conflict', 'The plan is not the one that was shown.', { remedy: 'Look again.' }));
  const below = (path: string): string => path.slice(folder.mediaFolderPath.length + 1);
  return {
    plan: { name: `${draft.plan.id}.plan.json`, text: `${JSON.stringify(draft.plan, null, 2)}\n` },
    script: {
      name: `rename-${draft.plan.id.slice(0, 8)}.sh`,
      text: renameScript({
        folder: folder.name,
        files: draft.plan.files.map(({ from, to }) => ({ from: below(from), to: below(to) })),
        steps: draft.steps,
      }),
    },
  };
}

/** What the system would take and this browser does not. */
function refusals(moved: readonly { from: string; to: string }[], absolute: (path: string) => string): RenameProblem[] {
  return moved.flatMap(({ to }, row) => {
    const segments = to.split('/');
    const why = segments.map(refusedByBrowser).find((one) => one !== null);
    return why === undefined || why === null
      ? []
      : [renameProblem('invalid-name', row, absolute(to), `"${to}" cannot be a name here: ${why}.`)];
  });
}

/** The template gives it no name: the person writes one, or leaves it out. */
function unnamedRow({ path, code, sentence }: NameProblem): PreviewRow {
  const known = code === 'taken' ? 'duplicate-destination' : 'invalid-name';
  const remedy = 'Write a name yourself, correct the file, or leave it out.';
  return { from: path, to: path, problems: [renameProblem(known, null, path, sentence, remedy)] };
}

function withProblems(
  moved: readonly { from: string; to: string }[],
  problems: readonly RenameProblem[],
): PreviewRow[] {
  const byRow = new Map<number, RenameProblem[]>();
  for (const problem of problems)
    if (problem.row !== null) byRow.set(problem.row, [...(byRow.get(problem.row) ?? []), problem]);
  return moved.map(({ from, to }, row) => ({ from, to, problems: byRow.get(row) ?? [] }));
}

function sourcesOf(folder: Folder, moved: readonly { from: string }[]): PlanState['sources'] {
  const byPath = new Map(folder.entries.map((entry) => [entry.path, entry]));
  return Object.fromEntries(
    moved.flatMap(({ from }) => {
      const entry = byPath.get(from);
      return entry === undefined
        ? []
        : [[`${folder.mediaFolderPath}/${from}`, { size: entry.size, modified: entry.modified }]];
    }),
  );
}
