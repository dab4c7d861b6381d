/** What a person changed in a reading of a folder, laid over it. The reading itself stays what the app made of it. */
import type { FileClass, RecognisedFile } from '#lanes/video/core/folder-reading.ts';

export interface Correction {
  class: FileClass;
  season: number | null;
  episodes: number[];
  /** Left as it is on the disk, with what follows it. */
  excluded: boolean;
  /** Whose word the person took; absent: their own. */
  source?: 'agent';
}

export type Corrections = ReadonlyMap<string, Correction>;

export interface VideoRow extends RecognisedFile {
  corrected: boolean;
  excluded: boolean;
}

/** A row as it is before anybody changes it. */
export function correctionOf(row: RecognisedFile & { excluded?: boolean }): Correction {
  return { class: row.class, season: row.season, episodes: row.episodes, excluded: row.excluded ?? false };
}

/** The reading with the corrections; companions follow their video. `leftOut`: reasons by path, until a person says otherwise. */
export function correctedRows(
  files: readonly RecognisedFile[],
  corrections: Corrections,
  leftOut: Readonly<Record<string, string>>,
): VideoRow[] {
  const rows = files.map((file) => corrected(file, corrections.get(file.path), Object.hasOwn(leftOut, file.path)));
  const byPath = new Map(rows.map((row) => [row.path, row]));
  return rows.map((row) => {
    const video = row.class === 'companion' && row.belongs_to !== null ? byPath.get(row.belongs_to) : undefined;
    if (video === undefined || row.corrected) return row;
    return { ...row, season: video.season, episodes: video.episodes, part: video.part, excluded: video.excluded };
  });
}

function corrected(file: RecognisedFile, correction: Correction | undefined, out: boolean): VideoRow {
  if (correction === undefined) return { ...file, corrected: false, excluded: out };
  const episode = correction.class === 'episode';
  const same =
    file.class === correction.class &&
    file.season === correction.season &&
    file.episodes.join() === correction.episodes.join();
  return {
    ...file,
    class: correction.class,
    season: episode ? correction.season : null,
    episodes: episode ? correction.episodes : [],
    // The title was that of another episode; the template finds the right one by its number.
    title: same ? file.title : null,
    confidence: same ? file.confidence : 1,
    reasons: same
      ? file.reasons
      : [correction.source === 'agent' ? 'The model said so, and you took it.' : 'You said so.'],
    ...(same ? {} : { source: correction.source ?? 'person' }),
    corrected: true,
    excluded: correction.excluded,
  };
}

const MOST_EPISODES = 100;

/**
 * Episodes as a person types them, ascending: `3`, `3-5`, `3, 5`. Null for anything else.
 */
export function parseEpisodes(text: string): number[] | null {
  const found = new Set<number>();
  for (const part of text.split(/[\s,;+&]+/).filter((piece) => piece !== '')) {
    const [, first = '', last] = /^(\d{1,5})(?:[-\u2013](\d{1,5}))?$/.exec(part) ?? [];
    if (first === '') return null;
    const [from, to] = [Number(first), Number(last ?? first)];
    if (to < from || to - from >= MOST_EPISODES) return null;
    for (let episode = from; episode <= to; episode++) found.add(episode);
  }
  return found.size === 0 ? null : [...found].sort((a, b) => a - b);
}

/** `3`, `3-5` or `3, 5`; what parseEpisodes reads back. */
export function episodesText(episodes: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const episode of episodes) {
    const run = runs.at(-1);
    if (run !== undefined && episode === run[1] + 1) run[1] = episode;
    else runs.push([episode, episode]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}

export interface BulkWish {
  /** Null: as it is. */
  season: number | null;
  /** The first file's episode; the others follow, each with as many as it has. Null: as they are. */
  first: number | null;
  class: FileClass | null;
}

/** The wish as corrections of these rows, which are numbered in the order of their names. */
export function numbered(rows: readonly VideoRow[], wish: BulkWish): [string, Correction][] {
  const collator = new Intl.Collator('en', { numeric: true });
  let next = wish.first;
  return rows
    .toSorted((a, b) => collator.compare(a.path, b.path))
    .map((row) => {
      const correction = correctionOf(row);
      // Who gives numbers says that they are episodes.
      const kind = wish.class ?? (wish.season !== null || wish.first !== null ? 'episode' : row.class);
      const count = Math.max(1, row.episodes.length);
      const from = next;
      if (next !== null) next += count;
      const episodes = from === null ? row.episodes : Array.from({ length: count }, (_one, i) => from + i);
      return [row.path, { ...correction, class: kind, season: wish.season ?? row.season, episodes }];
    });
}
