/** New names for the rows as the person left them: by the template, then by what they wrote themselves. */
import type { RecognisedFile } from '#core/video/folder-reading.ts';
import type { Show } from '#core/video/show-catalog.ts';
import { parseTemplate } from '#core/video/template/parse-template.ts';
import { planNames, type NameProblem } from '#core/video/template/plan-names.ts';
import { PRESETS } from '#core/video/template/presets.ts';
import type { RenameWish } from './video-api.types.ts';

export interface Names {
  /** Below the folder; files whose name stays are not among them. */
  moved: { from: string; to: string }[];
  unchanged: string[];
  /** Files that the template gives no name. */
  problems: NameProblem[];
  /** Why the template cannot be used. */
  templateProblem: string | null;
}

/** `others`: files of the folder that are not among the rows. */
export function namesOf(wish: RenameWish, show: Show | null, others: readonly string[]): Names {
  const style = PRESETS.find(({ template }) => template === wish.template)?.style;
  const parsed = parseTemplate(wish.template, style);
  if (!parsed.ok) return { moved: [], unchanged: [], problems: [], templateProblem: parsed.error.sentence };
  const files = wish.rows.map((row) => titled(row, show));
  const options = { show, others, inShowFolder: wish.inShowFolder };
  const { rows, unchanged, problems } = planNames({ show: wish.show, files }, parsed.template, options);
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
  if (row.title !== null || row.class !== 'episode') return row;
  const season = show?.seasons.find(({ number }) => number === row.season);
  const titles = row.episodes.flatMap((one) => season?.episodes.find(({ number }) => number === one)?.title ?? []);
  return { ...row, title: titles.length === 0 ? row.reading.episode_title : [...new Set(titles)].join(' + ') };
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
