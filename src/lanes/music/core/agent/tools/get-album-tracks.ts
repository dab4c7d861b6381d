import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import type { ToolRun } from '#core/agent/tools/tool.ts';
import { failure } from '#core/errors.ts';
import { clock } from '#core/text/duration.ts';
import type { MusicContext } from '../context.ts';
import { AlbumShape, albumShape, fromReplica, quiet, TrackShape, trackShape } from './shapes.ts';

const Input = v.strictObject({ album_id: v.pipe(v.string(), v.description('An album, as A2')) });
const Output = v.strictObject({
  album: AlbumShape,
  tracks: v.array(TrackShape),
  /** Tracks that were left out of a very long album. */
  more: v.number(),
});
export type AlbumTracks = v.InferOutput<typeof Output>;
export const AlbumTracksSchema = Output;

/** A box of a hundred works is told apart long before its end. */
const MOST_TRACKS = 120;

export const getAlbumTracksTool = readTool({
  name: 'get_album_tracks',
  description: 'All tracks of one album in order, with their lengths.',
  input: Input,
  output: Output,
  limits: { calls: 24 },
  references: { album_id: 'album' },
  shows: ({ album, tracks }) => [{ kind: 'album', id: album.id }, ...tracks.map(({ id }) => ({ kind: 'track', id }))],
  render: ({ album, tracks, more }, handle) => ({
    album: handle('album', album.id),
    title: quiet(album.title),
    artist: quiet(album.artist),
    year: album.year,
    tracks: tracks.map(
      (track) =>
        `${handle('track', track.id)} ${track.disc > 1 ? `${track.disc}-` : ''}${track.position} ${quiet(track.title) ?? '?'} ${clock(track.duration_ms)}`,
    ),
    ...(more > 0 ? { more } : {}),
  }),
  async execute({ album_id }, { context }: ToolRun<MusicContext>) {
    const album = await context.album(album_id);
    if (!album) return { ok: false, failure: failure('not_found', 'This album is not in the catalog any more.') };
    const tracks = album.tracks.slice(0, MOST_TRACKS).map((track) => trackShape(track, album.title));
    return {
      ok: true,
      output: { album: albumShape(album), tracks, more: album.tracks.length - tracks.length },
      provenance: fromReplica(context),
    };
  },
});
