/** The table of an album question: which track each file would be on each candidate album. Pure. */
import type { MusicReview } from '#lanes/music/core/types.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { AlbumOption, AlbumPair } from '#lanes/music/core/match/match.types.ts';
import { alignFiles, inPlaces } from './align.ts';

type File = MusicReview['files'][number];

/** One file beside the track that it would be. */
export interface AlbumCell {
  track: Track;
  /** 0..1; null when the file's name says nothing. */
  likeness: number | null;
  /** Seconds, file minus track; null when either is unknown. */
  off: number | null;
  position_agrees: boolean | null;
}

export interface AlbumTable {
  /** A row a file; one cell an option, null where the file finds no track there. */
  rows: { file: File; cells: (AlbumCell | null)[] }[];
  /** Tracks that no file is, on lines of their own; null where an option has no more. */
  without: (Track | null)[][];
  /** How many those are, an option each. */
  missing: number[];
}

/**
 * UI-40: the matcher's own assignment, so that what is shown is what the answer does. Only rows of before 0.3, which
 * carry none, are aligned by place (UI-9).
 */
export function albumTable(
  files: readonly File[],
  options: readonly AlbumOption[],
  tracks: ReadonlyMap<string, readonly Track[]>,
): AlbumTable {
  const shown = inPlaces(files);
  const columns = options.map((option) => {
    const all = tracks.get(option.album_id) ?? [];
    return option.pairs === undefined ? byPlace(files, all) : byPairs(option.pairs, all);
  });
  const most = Math.max(0, ...columns.map(({ rest }) => rest.length));
  return {
    rows: shown.map((file) => ({ file, cells: columns.map(({ cells }) => cells.get(file.job_id) ?? null) })),
    without: Array.from({ length: most }, (_, i) => columns.map(({ rest }) => rest[i] ?? null)),
    missing: columns.map(({ rest }, i) => options[i]?.missing ?? rest.length),
  };
}

interface Column {
  /** By job id. */
  cells: Map<string, AlbumCell>;
  rest: Track[];
}

function byPairs(pairs: readonly AlbumPair[], all: readonly Track[]): Column {
  const byId = new Map(all.map((track) => [track.id, track]));
  // All files of the group count here, also those that the question is not about.
  const taken = new Set(pairs.map((pair) => pair.track_id));
  const cells = new Map<string, AlbumCell>();
  for (const pair of pairs) {
    const track = pair.track_id === null ? undefined : byId.get(pair.track_id);
    if (track === undefined) continue;
    const { off, position_agrees } = pair;
    cells.set(pair.file_id, { track, likeness: pair.title_similarity, off, position_agrees });
  }
  return { cells, rest: all.filter((track) => !taken.has(track.id)) };
}

function byPlace(files: readonly File[], all: readonly Track[]): Column {
  const cells = new Map<string, AlbumCell>();
  const rest: Track[] = [];
  for (const { file, tracks } of alignFiles(files, [all])) {
    const track = tracks[0] ?? null;
    if (track === null) continue;
    if (file === null) rest.push(track);
    else cells.set(file.job_id, guessed(file, track));
  }
  return { cells, rest };
}

function guessed(file: File, track: Track): AlbumCell {
  const timed = file.duration_ms !== null && track.duration_ms !== null;
  return {
    track,
    likeness: null,
    off: timed ? ((file.duration_ms ?? 0) - (track.duration_ms ?? 0)) / 1000 : null,
    position_agrees: file.position === null ? null : file.position === track.position,
  };
}
