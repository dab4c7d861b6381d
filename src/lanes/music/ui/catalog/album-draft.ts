/** The catalog editor's form as data: what is typed stays text until it is checked and sent. */
import * as v from 'valibot';
import { randomIds } from '#core/ids.ts';
import type { MusicReview } from '#lanes/music/core/types.ts';
import { formatDuration } from '#core/text/duration.ts';
import type { Album, Track } from '#lanes/music/core/catalog.ts';

const TrackDraftSchema = v.object({
  /** Names the row, on the page only. */
  key: v.string(),
  /** Of the track in the catalog; null for one that is to be made. */
  id: v.nullable(v.string()),
  disc: v.string(),
  position: v.string(),
  title: v.string(),
  /** `m:ss`, or empty for a length that nobody knows. */
  length: v.string(),
  /** Milliseconds that `length` was written from: a length nobody touched keeps its fraction. */
  ms: v.nullable(v.number()),
  /** Empty: as the album. */
  artist: v.string(),
});
export type TrackDraft = v.InferOutput<typeof TrackDraftSchema>;

export const AlbumDraftSchema = v.object({
  title: v.string(),
  artist: v.string(),
  year: v.string(),
  is_compilation: v.boolean(),
  tracks: v.array(TrackDraftSchema),
});
/** Fields that messages are at are `title`, `artist`, `year`, `tracks`, and `<row key>.<field>`. */
export type AlbumDraft = v.InferOutput<typeof AlbumDraftSchema>;

export function emptyTrack(disc = '1', position = '1'): TrackDraft {
  return { key: randomIds.next(), id: null, disc, position, title: '', length: '', ms: null, artist: '' };
}

export function emptyAlbum(): AlbumDraft {
  return { title: '', artist: '', year: '', is_compilation: false, tracks: [emptyTrack()] };
}

/** The form filled in with what was read off the files of a question. */
export function draftOfReview(review: MusicReview): AlbumDraft {
  const { detected } = review;
  const files = review.files.toSorted(
    (a, b) =>
      (a.disc ?? 1) - (b.disc ?? 1) ||
      (a.position ?? Infinity) - (b.position ?? Infinity) ||
      a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
  const tracks: TrackDraft[] = [];
  const read = new Set<string>();
  for (const file of files) {
    const disc = file.disc ?? 1;
    // The same track twice: in another format, or of another drop.
    const same = JSON.stringify([disc, file.position, file.title]);
    if (file.position !== null && file.title !== null && read.has(same)) continue;
    read.add(same);
    const before = tracks.findLast((row) => row.disc === String(disc));
    const next = before === undefined ? 1 : Number(before.position) + 1;
    // Two files that claim one place are two tracks: the second follows.
    const position = file.position !== null && file.position >= next ? file.position : next;
    tracks.push({
      ...emptyTrack(String(disc), String(position)),
      title: file.title ?? titleOfName(file.name),
      length: lengthText(file.duration_ms),
      ms: file.duration_ms,
    });
  }
  return {
    title: detected.album ?? '',
    artist: detected.artist ?? '',
    year: detected.year === null ? '' : String(detected.year),
    is_compilation: false,
    tracks: tracks.length > 0 ? tracks : [emptyTrack()],
  };
}

/** The form filled in with an album of the catalog, its tracks in playing order. */
export function draftOfAlbum(album: Album, tracks: readonly Track[]): AlbumDraft {
  return {
    title: album.title,
    artist: album.artist,
    year: album.year === null ? '' : String(album.year),
    is_compilation: album.is_compilation,
    tracks: tracks
      .toSorted((a, b) => a.disc - b.disc || a.position - b.position)
      .map((track) => ({
        key: track.id,
        id: track.id,
        disc: String(track.disc),
        position: String(track.position),
        title: track.title,
        length: lengthText(track.duration_ms),
        ms: track.duration_ms,
        artist: track.artist === album.artist ? '' : track.artist,
      })),
  };
}

/** Milliseconds as the length field has them. */
export function lengthText(ms: number | null): string {
  return ms === null ? '' : formatDuration(ms);
}

/** Milliseconds of `m:ss` or `h:mm:ss`; null for an empty field, NaN for anything else. */
export function parseLength(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const parts = /^(?:(\d{1,2}):(?=\d{2}:))?(\d{1,3}):([0-5]\d)$/.exec(trimmed);
  if (parts === null) return NaN;
  const [, hours = '0', minutes = '0', seconds = '0'] = parts;
  if (parts[1] !== undefined && Number(minutes) > 59) return NaN;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** The row's length in milliseconds: as it came where nobody changed it, else as typed. */
export function rowLength(row: TrackDraft): number | null {
  return row.length.trim() === lengthText(row.ms) ? row.ms : parseLength(row.length);
}

/** A file's name as a title: without its ending and the number before it. */
function titleOfName(name: string): string {
  const bare = (name.split('/').at(-1) ?? name).replace(/\.[^.]{1,5}$/, '');
  const title = bare.replace(/^\d{1,3}(?:[-.]\d{1,3})?[\s._)-]+/, '').replaceAll('_', ' ');
  return title.trim() === '' ? bare : title.trim();
}
