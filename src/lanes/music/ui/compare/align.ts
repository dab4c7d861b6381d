import type { MusicReview } from '#lanes/music/core/types.ts';
import type { Track } from '#lanes/music/core/catalog.ts';

type File = MusicReview['files'][number];

export interface AlignedRow {
  file: File | null;
  /** One a candidate album: the track at this place, or null. */
  tracks: (Track | null)[];
}

type Placed = Pick<File, 'disc' | 'position'>;

const place = (item: Placed): string => `${item.disc ?? 1}.${item.position ?? ''}`;

/** Whether every file has a place of its own. */
function isPlaced(files: readonly Placed[]): boolean {
  return files.every((file) => file.position !== null) && new Set(files.map(place)).size === files.length;
}

/** In playing order where every file has a place of its own, else as they come. */
export function inPlaces<T extends Placed>(files: readonly T[]): T[] {
  if (!isPlaced(files)) return [...files];
  return files.toSorted((a, b) => (a.disc ?? 1) - (b.disc ?? 1) || (a.position ?? 0) - (b.position ?? 0));
}

/**
 * Files and tracks on the same lines: by disc and position where the names or tags said them for every
 * file, otherwise in order. A line that only a candidate has is kept, because a missing track is news.
 */
export function alignFiles(files: readonly File[], albums: readonly (readonly Track[])[]): AlignedRow[] {
  const placed = isPlaced(files);
  const sorted = inPlaces(files);
  const rows: AlignedRow[] = sorted.map((file, i) => ({
    file,
    tracks: albums.map((tracks) => (placed ? tracks.find((track) => place(track) === place(file)) : tracks[i]) ?? null),
  }));
  const shown = new Set(rows.flatMap((row) => row.tracks));
  const rest = albums.map((tracks) => tracks.filter((track) => !shown.has(track)));
  const more = Math.max(0, ...rest.map((tracks) => tracks.length));
  for (let i = 0; i < more; i++) rows.push({ file: null, tracks: rest.map((tracks) => tracks[i] ?? null) });
  return rows;
}
