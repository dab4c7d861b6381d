import { readFile, writeFile } from 'node:fs/promises';
import { PLAN_CONFIDENCE, readFolder } from '#lanes/video/core/folder/read-folder.ts';
import * as v from 'valibot';
import { isRecord } from '#core/agent/tools/tool.ts';
import { failed } from '#core/errors.ts';
import type { FolderFile } from '#lanes/video/core/folder-reading.ts';
import type { Episode, Show } from '#lanes/video/core/show-catalog.ts';

/** A folder as a line of JSON, with what a catalog says of its show in whatever form it is there. */
interface FolderRow {
  id: string;
  title: string | null;
  /** A folder of films, as the line says; its numbers count films. */
  films: boolean;
  files: FolderFile[];
  /** Null where the line has no catalog. */
  show: Show | null;
}

const number = v.exactOptional(v.number());

const RowSchema = v.looseObject({
  id: v.union([v.string(), v.number()]),
  title: v.optional(v.nullable(v.string())),
  kind: v.optional(v.nullable(v.string())),
  year: v.optional(v.nullable(v.number())),
  files: v.array(v.union([v.string(), v.object({ path: v.string(), size: number, duration: number })])),
  catalogue: v.optional(v.unknown()),
  airdates: v.optional(v.unknown()),
  special_titles: v.optional(v.unknown()),
  titles: v.optional(v.unknown()),
  episode_titles: v.optional(v.unknown()),
});

/** Throws AccessionError `invalid` with the line's number, from 1. */
export function folderRow(line: string, at: number): FolderRow {
  const row = v.safeParse(RowSchema, parsed(line));
  if (!row.success) throw failed('invalid', `Line ${at} is no folder: ${row.issues[0].message}.`);
  const { id, title, kind, year, files, catalogue, airdates, special_titles, titles, episode_titles } = row.output;
  const seasons = new Map<number, Map<number, Episode>>();
  const episode = (season: number, number: number): Episode => {
    const of = seasons.get(season) ?? new Map<number, Episode>();
    const one = of.get(number) ?? { number, title: null, air_date: null, absolute: null };
    of.set(number, one);
    seasons.set(season, of);
    return one;
  };
  for (const [season, number] of counts(catalogue)) episode(season, number);
  for (const { season, number, text } of said(airdates)) episode(season, number).air_date = text.slice(0, 10);
  for (const { season, number, text } of said(special_titles, 0)) episode(season, number).title = text;
  for (const source of [titles, episode_titles])
    for (const { season, number, text } of said(source)) episode(season, number).title = text;
  return {
    id: String(id),
    title: title ?? null,
    films: /^(?:movies?|films?)$/i.test(kind ?? ''),
    files: files.map((file) => (typeof file === 'string' ? { path: file } : file)),
    show: seasons.size === 0 ? null : show(String(id), title ?? '', year ?? null, seasons),
  };
}

function show(
  id: string,
  title: string,
  year: number | null,
  seasons: ReadonlyMap<number, ReadonlyMap<number, Episode>>,
): Show {
  return {
    id,
    title,
    // "天使降临到我身边！ / Watashi ni Tenshi ga Maiorita!" are two titles of one show.
    titles: title.includes(' / ') ? title.split(' / ') : [],
    year,
    seasons: [...seasons].map(([number, episodes]) => ({ number, title: null, episodes: [...episodes.values()] })),
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

const whole = (text: string): number | null => {
  const digits = /\d+/.exec(text)?.[0];
  return digits === undefined ? null : Number(digits);
};

/** A season's episodes: how many, or which: `{ "1": 13 }`, `{ "1": [1, 2, 4] }`, `{ "1": { "1": "Title" } }`. */
function counts(catalogue: unknown): [season: number, episode: number][] {
  if (!isRecord(catalogue)) return [];
  return Object.entries(catalogue).flatMap(([name, of]): [number, number][] => {
    const season = whole(name) ?? (/special/i.test(name) ? 0 : null);
    if (season === null) return [];
    return numbers(of).map((number) => [season, number]);
  });
}

function numbers(of: unknown): number[] {
  const most = 10_000;
  if (typeof of === 'number')
    return Array.from({ length: Math.min(most, Math.max(0, Math.floor(of))) }, (_, at) => at + 1);
  if (Array.isArray(of)) return of.flatMap((one: unknown, at) => (typeof one === 'number' ? [one] : [at + 1]));
  if (!isRecord(of)) return [];
  if (typeof of['episodes'] === 'number' || Array.isArray(of['episodes'])) return numbers(of['episodes']);
  return Object.keys(of).flatMap((key) => whole(key) ?? []);
}

interface Said {
  season: number;
  number: number;
  text: string;
}

/**
 * A text for each of some episodes: `{ "1x05": text }`, `{ text: "1x05" }`, `{ "1": { "5": text } }`, `{ "1": [texts] }`,
 * `[{ season, episode, date }]`. @param only the season of a bare number
 */
function said(source: unknown, only: number | null = null): Said[] {
  if (Array.isArray(source))
    return source.flatMap((one: unknown, at): Said[] => {
      if (typeof one === 'string') return [{ season: only ?? 1, number: at + 1, text: one }];
      return isRecord(one) ? row(one, only) : [];
    });
  if (!isRecord(source)) return [];
  return Object.entries(source).flatMap(([key, value]): Said[] => {
    const place =
      placed(key) ??
      (only === null || !/^\d+$/.test(key) || typeof value !== 'string' ? null : { season: only, number: Number(key) });
    if (place !== null && typeof value === 'string') return [{ ...place, text: value }];
    if (place !== null && isRecord(value)) return row({ ...value, season: place.season, episode: place.number }, only);
    const turned = typeof value === 'string' ? placed(value) : null;
    if (turned !== null) return [{ ...turned, text: key }];
    const listed = Array.isArray(value)
      ? value.map((one: unknown) => (typeof one === 'string' ? placed(one) : null))
      : [];
    if (listed.length > 0 && listed.every((one) => one !== null)) return listed.map((one) => ({ ...one, text: key }));
    const season = whole(key);
    return season === null ? [] : inSeason(season, value);
  });
}

function inSeason(season: number, value: unknown): Said[] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown, at): Said[] =>
      typeof one === 'string'
        ? [{ season, number: at + 1, text: one }]
        : isRecord(one)
          ? row({ season, ...one }, season)
          : [],
    );
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, text]): Said[] => {
    const number = whole(key);
    return number !== null && typeof text === 'string' ? [{ season, number, text }] : [];
  });
}

function row(one: Record<string, unknown>, only: number | null): Said[] {
  const at = ['key', 'id', 'at', 'episode'].map((name) => one[name]).find((value) => typeof value === 'string');
  const place = typeof at === 'string' ? placed(at) : null;
  const season = place?.season ?? numberIn(one, ['season', 's', 'season_number']) ?? only ?? 1;
  const number = place?.number ?? numberIn(one, ['episode', 'e', 'number', 'episode_number']);
  const text = ['date', 'air_date', 'airdate', 'aired', 'title', 'name']
    .map((name) => one[name])
    .find((value) => typeof value === 'string');
  return number === null || typeof text !== 'string' ? [] : [{ season, number, text }];
}

function numberIn(one: Record<string, unknown>, names: readonly string[]): number | null {
  const found = names
    .map((name) => one[name])
    .find((value) => typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)));
  return found === undefined ? null : Number(found);
}

/** `1x05`, `S01E05`, `1-5`; a day is none. */
function placed(text: string): { season: number; number: number } | null {
  const found = /^s?(\d{1,4})\s*(?:x|e|\.|-|:)\s*(\d{1,4})$/i.exec(text.trim());
  return found === null ? null : { season: Number(found[1]), number: Number(found[2]) };
}

/** One line of the answer. */
export interface FolderAnswer {
  id: string;
  files: { path: string; season: number; episodes: number[] }[];
}

/** What the app would offer for the plan; extras, films, companions and what is too doubtful are left out. */
export function answerFolder({ id, title, films, files, show }: FolderRow): FolderAnswer {
  if (films) return { id, files: [] };
  const reading = readFolder(files, { folderName: title ?? '', show });
  return {
    id,
    files: reading.files.flatMap(({ path, class: kind, season, episodes, confidence }) =>
      kind === 'episode' && season !== null && episodes.length > 0 && confidence >= PLAN_CONFIDENCE
        ? [{ path, season, episodes }]
        : [],
    ),
  };
}

/**
 * `recognize --folders`: one folder a line (`id`, `files` with their `path`, and where known `catalogue`, `airdates`,
 * `special_titles`), one answer a line. Throws what the file system throws, and AccessionError `invalid` with the line.
 */
export async function recognizeFolders(options: {
  folders: string;
  out: string;
}): Promise<{ folders: number; episodes: number }> {
  const lines = (await readFile(options.folders, 'utf8')).split('\n');
  const answers = lines.flatMap((line, at) => (line.trim() === '' ? [] : [answerFolder(folderRow(line, at + 1))]));
  await writeFile(options.out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  return { folders: answers.length, episodes: answers.reduce((sum, { files }) => sum + files.length, 0) };
}
