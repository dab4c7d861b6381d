/** A rename as the person is shaping it: names by the template or by their own hand, and what is wrong with them. */
import type { Folder } from '#adapters/browser/plans/open-folder.ts';
import { draftRename, type NewName, type RenameDraft } from '#adapters/browser/plans/rename-draft.ts';
import { renameProblem, type RenameProblem } from '#core/plan/rename-problem.ts';
import type { RecognisedFile } from '#lanes/video/core/folder-reading.ts';
import type { Show } from '#lanes/video/core/show-catalog.ts';
import type { NameProblem } from '#core/naming/plan-names.ts';
import { parseTemplate, planEpisodeNames } from '#lanes/video/core/naming/episode-names.ts';
import { titleOf } from '#lanes/video/core/records/find-records.ts';
import { PRESETS } from '#lanes/video/core/naming/presets.ts';
import type { PreviewRow, RenamePreview, RenameWish } from './video-api.types.ts';

interface Names {
  /** Below the folder; files whose name stays are not among them. */
  moved: NewName[];
  unchanged: string[];
  /** Files that the template gives no name. */
  problems: NameProblem[];
  /** Why the template cannot be used. */
  templateProblem: string | null;
}

/** @param id of the plan that this becomes */
export async function previewOf(
  folder: Folder,
  show: Show | null,
  wish: RenameWish,
  id: string,
): Promise<{ draft: RenameDraft; preview: RenamePreview }> {
  const rowPaths = new Set(wish.rows.map(({ path }) => path));
  const others = folder.entries.flatMap(({ kind, path }) => (kind === 'file' && !rowPaths.has(path) ? [path] : []));
  const { moved, unchanged, problems: unnamed, templateProblem } = namesOf(wish, show, others);
  const { draft, problems } = await draftRename(folder, id, moved);
  const rows = [...unnamed.map(unnamedRow), ...rowsOf(moved, problems)];
  const general = problems.filter(({ row }) => row === null);
  return {
    // Files that get no name keep the others from being renamed, too.
    draft: { ...draft, steps: unnamed.length > 0 ? [] : draft.steps },
    preview: { planId: id, hash: draft.hash, rows, unchanged, problems: general, templateProblem },
  };
}

/** The template gives it no name: the person writes one, or leaves it out. */
function unnamedRow({ path, code, sentence }: NameProblem): PreviewRow {
  const known = code === 'taken' ? 'duplicate-destination' : 'invalid-name';
  const remedy = 'Write a name yourself, correct the file, or leave it out.';
  return { from: path, to: path, problems: [renameProblem(known, null, path, sentence, remedy)] };
}

function rowsOf(moved: readonly NewName[], problems: readonly RenameProblem[]): PreviewRow[] {
  const byRow = Map.groupBy(problems, ({ row }) => row);
  return moved.map((name, row) => ({ ...name, problems: byRow.get(row) ?? [] }));
}

/** By the template, then by what the person wrote. `others`: files of the folder that are not among the rows. */
function namesOf(wish: RenameWish, show: Show | null, others: readonly string[]): Names {
  const style = PRESETS.find(({ template }) => template === wish.template)?.style;
  const parsed = parseTemplate(wish.template, style);
  if (!parsed.ok) return { moved: [], unchanged: [], problems: [], templateProblem: parsed.error.sentence };
  const files = wish.rows.map((row) => titled(row, show));
  const options = { show, others, inShowFolder: wish.inShowFolder };
  const { rows, unchanged, problems } = planEpisodeNames({ show: wish.show, files }, parsed.template, options);
  const byTemplate = new Map([
    ...rows.map(({ from, to }) => [from, to] as const),
    ...unchanged.map((path) => [path, path] as const),
  ]);
  const named = files.flatMap((file) => {
    const to = wish.edits[file.path] ?? followed(file, wish, byTemplate) ?? byTemplate.get(file.path);
    return to === undefined ? [] : [{ from: file.path, to }];
  });
  const known = new Set(named.map(({ from }) => from));
  return {
    moved: named.filter(({ from, to }) => from !== to),
    unchanged: named.filter(({ from, to }) => from === to).map(({ from }) => from),
    problems: problems.filter(({ path }) => !known.has(path)),
    templateProblem: null,
  };
}

/** A row that was corrected gets the catalog's title of the episode that it is now; without one, its name's own. */
function titled(row: RecognisedFile, show: Show | null): RecognisedFile {
  if (row.title !== null || row.class !== 'episode' || row.show !== undefined) return row;
  return { ...row, title: titleOf(show, row.season, row.episodes) ?? row.reading.episode_title };
}

/** A companion of a video whose name was written by hand: it keeps what its name has behind the video's. */
function followed(file: RecognisedFile, wish: RenameWish, byTemplate: ReadonlyMap<string, string>): string | undefined {
  if (file.belongs_to === null) return undefined;
  const written = wish.edits[file.belongs_to];
  const [video, own] = [byTemplate.get(file.belongs_to), byTemplate.get(file.path)];
  if (written === undefined || video === undefined || own === undefined) return undefined;
  const stem = withoutExtension(video);
  return own.startsWith(stem) ? `${withoutExtension(written)}${own.slice(stem.length)}` : undefined;
}

function withoutExtension(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path;
}
