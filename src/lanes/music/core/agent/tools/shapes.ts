/** What the tools' answers are made of, and what all of them share. */
import * as v from 'valibot';
import type { Provenance } from '#core/agent/tools/tool.ts';
import type { Album, Track } from '../../catalog.ts';
import type { MusicContext } from '../context.ts';

export { quiet } from '#core/agent/prompt/instruction-text.ts';

export const AlbumShape = v.strictObject({
  id: v.string(),
  title: v.string(),
  artist: v.string(),
  year: v.nullable(v.number()),
  track_count: v.number(),
});
export type AlbumShape = v.InferOutput<typeof AlbumShape>;

export const TrackShape = v.strictObject({
  id: v.string(),
  album_id: v.string(),
  album: v.string(),
  title: v.string(),
  artist: v.string(),
  disc: v.number(),
  position: v.number(),
  duration_ms: v.nullable(v.number()),
});
export type TrackShape = v.InferOutput<typeof TrackShape>;

export function albumShape(album: Album): AlbumShape {
  return {
    id: album.id,
    title: album.title,
    artist: album.artist,
    year: album.year,
    track_count: album.track_count,
  };
}

export function trackShape(track: Track, album: string): TrackShape {
  return {
    id: track.id,
    album_id: track.album_id,
    album,
    title: track.title,
    artist: track.artist,
    disc: track.disc,
    position: track.position,
    duration_ms: track.duration_ms,
  };
}

export function fromReplica(context: MusicContext): Provenance[] {
  return [{ source: 'replica', ref: `cursor ${context.cursor()}` }];
}
