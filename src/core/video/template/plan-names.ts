/** VIDEO-56, VIDEO-57: the names of a whole folder by a template, as entries of a rename plan. */
import { nameFault } from '../../plan/name-rules.ts';
import { absoluteNumbers } from '../absolute.ts';
import { extensionOf, stemOf } from '../folder/file-kinds.ts';
import type { FolderReading, RecognisedFile } from '../folder-reading.ts';
import type { Show } from '../show-catalog.ts';
import { companionSuffix } from './companion-suffix.ts';
import { fillTemplate, splitNames, type Filled, type Values } from './fill-template.ts';
import { bytesOf } from './safe-name.ts';
import type { Template } from './template.types.ts';

export interface NameRow {
  /** Both below the folder, `/` separated. */
  from: string;
  to: string;
  /** One short sentence each: what made the name, and what had to be changed in it. */
  why: string[];
}

export interface NameProblem {
  path: string;
  /** `unknown`: a token has nothing to say; `taken`: another file has, or gets, the name; `bad-name`: nothing to be saved. */
  code: 'unknown' | 'taken' | 'bad-name';
  sentence: string;
}

export interface NamePlan {
  /** Only files whose name changes. A file stands in one of the three lists, if it is an episode or follows one. */
  rows: NameRow[];
  unchanged: string[];
  problems: NameProblem[];
}

export interface NamingOptions {
  /** For absolute numbers and air dates that the files' names do not say. */
  show?: Show | null;
  /**
   * The picked folder is the show's own, so that a first folder of the template which only names the show is left out;
   * false for a folder of many shows. Default true.
   */
  inShowFolder?: boolean;
  /** Paths of the folder beside those of the reading: no file is given their name. */
  others?: readonly string[];
}

type Named = Pick<FolderReading, 'show' | 'files'>;

/** Names for the episodes of a reading and for what follows them. Nothing is invented: what lacks a number has a problem. */
export function planNames(reading: Named, template: Template, options: NamingOptions = {}): NamePlan {
  const plan: NamePlan = { rows: [], unchanged: [], problems: [] };
  const wanted: NameRow[] = [];
  const from = (options.inShowFolder ?? true) && namesShowOnly(template) ? 1 : 0;
  const followers = new Map<string, RecognisedFile[]>();
  for (const file of reading.files)
    if (file.belongs_to !== null) followers.set(file.belongs_to, [...(followers.get(file.belongs_to) ?? []), file]);
  const counted = countedBy(options.show ?? null);
  for (const file of reading.files) {
    if (file.class !== 'episode') continue;
    const suffixes = suffixesOf(file.path, followers.get(file.path) ?? []);
    const room = Math.max(0, ...suffixes.map(({ suffix }) => bytesOf(suffix) - bytesOf(extensionOf(file.path))));
    const filled = named(file, reading, template, { room, from, counted });
    if (!filled.ok) {
      plan.problems.push({
        path: file.path,
        code: filled.token === null ? 'bad-name' : 'unknown',
        sentence: filled.sentence,
      });
      continue;
    }
    wanted.push({ from: file.path, to: filled.path, why: [...file.reasons.slice(0, 1), ...filled.why] });
    const stem = filled.path.slice(0, filled.path.length - extensionOf(file.path).length);
    for (const { path, suffix } of suffixes)
      wanted.push({ from: path, to: `${stem}${suffix}`, why: [`It follows "${nameOf(file.path)}".`] });
  }
  const kept = settle(
    wanted,
    [...reading.files.map(({ path }) => path), ...(options.others ?? [])],
    reading,
    plan.problems,
  );
  for (const row of kept) {
    if (row.from === row.to) plan.unchanged.push(row.from);
    else plan.rows.push(row);
  }
  return plan;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The first folder says the show, perhaps its year, and nothing else. */
function namesShowOnly({ pieces }: Template): boolean {
  const [first = [], ...others] = splitNames(pieces);
  const tokens = first
    .flatMap((piece) => (piece.kind === 'optional' ? piece.pieces : [piece]))
    .flatMap((piece) => (piece.kind === 'token' ? [piece.token] : []));
  return others.length > 0 && tokens.includes('show') && tokens.every((token) => token === 'show' || token === 'year');
}

interface Counted {
  absolute: number | null;
  air_date: string | null;
}

function countedBy(show: Show | null): ReadonlyMap<string, Counted> {
  if (show === null) return new Map();
  const days = new Map(
    show.seasons.flatMap((season) => season.episodes.map((one) => [`${season.number}x${one.number}`, one.air_date])),
  );
  return new Map(
    absoluteNumbers(show).map(({ season, episode, absolute }) => {
      const key = `${season}x${episode}`;
      return [key, { absolute, air_date: days.get(key) ?? null }];
    }),
  );
}

function named(
  file: RecognisedFile,
  { show }: Named,
  template: Template,
  { room, from, counted }: { room: number; from: number; counted: ReadonlyMap<string, Counted> },
): Filled {
  const known = file.episodes.flatMap((episode) => counted.get(`${file.season}x${episode}`) ?? []);
  const absolute = known.map((one) => one.absolute).filter((number) => number !== null);
  const values: Values = {
    show: show.title,
    year: show.year,
    season: file.season,
    episodes: file.episodes,
    absolute: absolute.length === file.episodes.length ? absolute : file.reading.absolute,
    title: file.title,
    date: file.reading.date ?? known[0]?.air_date ?? null,
    part: file.part,
    quality: qualityOf(file.path),
    version: file.reading.version,
    name: stemOf(file.path),
    ext: extensionOf(file.path),
  };
  const filled = fillTemplate(template, values, { room, from });
  if (!filled.ok) return filled;
  const segments = filled.path.split('/');
  for (const [at, segment] of segments.entries()) {
    const fault = nameFault(segment, at === segments.length - 1 ? 'file' : 'folder', { windowsNames: true });
    if (fault !== null) return { ok: false, token: null, sentence: `The name "${segment}" ${fault}.` };
  }
  return filled;
}

/** Of two companions with one name the second gets a number: two English subtitles stay two. */
function suffixesOf(video: string, companions: readonly RecognisedFile[]): { path: string; suffix: string }[] {
  const taken = new Set<string>();
  return companions.map(({ path }) => {
    const wish = companionSuffix(path, video);
    const extension = extensionOf(path);
    let suffix = wish;
    for (let copy = 2; taken.has(suffix.toLowerCase()); copy++)
      suffix = `${wish.slice(0, wish.length - extension.length)}.${copy}${extension}`;
    taken.add(suffix.toLowerCase());
    return { path, suffix };
  });
}

/**
 * One file a name, compared as the least careful file system does. Among several the surest keeps it; the others, and what
 * follows them, stay where they are, and so may stand in the way of others yet: it is looked again until nothing changes.
 */
function settle(
  wanted: readonly NameRow[],
  all: readonly string[],
  { files }: Named,
  problems: NameProblem[],
): NameRow[] {
  const sure = new Map(files.map((file) => [file.path, file]));
  const leaderOf = (path: string): string => sure.get(path)?.belongs_to ?? path;
  let rows = [...wanted];
  for (;;) {
    const moved = new Set(rows.map(({ from }) => from));
    const standing = new Map(all.filter((path) => !moved.has(path)).map((path) => [folded(path), path]));
    const best = new Map<string, NameRow>();
    for (const row of rows) {
      const other = best.get(folded(row.to));
      if (other === undefined || confidence(row, sure) > confidence(other, sure)) best.set(folded(row.to), row);
    }
    const out = new Map<string, string>();
    for (const row of rows) {
      const winner = best.get(folded(row.to));
      const stands = standing.get(folded(row.to));
      if (stands !== undefined) out.set(row.from, `"${stands}" has this name already.`);
      else if (winner !== row && winner !== undefined)
        out.set(row.from, `"${winner.from}" gets this name: it is the same episode.`);
    }
    if (out.size === 0) return rows;
    // A companion that cannot move stays alone; a video takes all that follows it along.
    const gone = (path: string): boolean => out.has(path) || out.has(leaderOf(path));
    for (const row of rows)
      if (gone(row.from))
        problems.push({
          path: row.from,
          code: 'taken',
          sentence: out.get(row.from) ?? `It follows "${nameOf(leaderOf(row.from))}", which stays.`,
        });
    rows = rows.filter(({ from }) => !gone(from));
  }
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

const confidence = ({ from }: NameRow, files: ReadonlyMap<string, RecognisedFile>): number => {
  const file = files.get(from);
  // Two of one confidence: the later version, as the names say it.
  return (file?.confidence ?? 0) + (file?.reading.version ?? 1) / 1000;
};

/** `1080p`, `2160p`: as the name says it. */
function qualityOf(path: string): string | null {
  const found =
    /(?<!\d)(?:\d{3,4}x)?(480|540|576|720|1080|1440|2160)([pi]?)(?![\dp])|(?<![a-z])(4k|uhd)(?![a-z])/i.exec(
      stemOf(path),
    );
  if (found === null) return null;
  return found[3] === undefined ? `${found[1]}${found[2] === '' ? 'p' : (found[2] ?? 'p').toLowerCase()}` : '2160p';
}
