import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import type { ToolRun } from '#core/agent/tools/tool.ts';
import { clock } from '#core/text/duration.ts';
import type { MusicContext } from '../context.ts';
import { AlbumShape, albumShape, fromReplica, quiet, TrackShape, trackShape } from './shapes.ts';

const Input = v.strictObject({
  query: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(200),
    v.description('Name of an album, a track or an artist, or two of them together'),
  ),
});
const Output = v.strictObject({ albums: v.array(AlbumShape), tracks: v.array(TrackShape) });

/** An artist's whole work is worth seeing: the matcher looks at the first sixteen albums of one. */
const MOST = { albums: 24, tracks: 10 };

export const searchCatalogTool = readTool({
  name: 'search_catalog',
  description:
    'Search the catalog for albums and tracks by name. Spelling may be off. Try the artist alone when an album is not found.',
  input: Input,
  output: Output,
  limits: { calls: 12 },
  shows: ({ albums, tracks }) => [
    ...albums.map(({ id }) => ({ kind: 'album', id })),
    ...tracks.flatMap(({ id, album_id }) => [
      { kind: 'track', id },
      { kind: 'album', id: album_id },
    ]),
  ],
  render: ({ albums, tracks }, handle) => ({
    albums: albums.map((album) => ({
      album: handle('album', album.id),
      title: quiet(album.title),
      artist: quiet(album.artist),
      year: album.year,
      tracks: album.track_count,
    })),
    tracks: tracks.map((track) => ({
      track: handle('track', track.id),
      title: quiet(track.title),
      artist: quiet(track.artist),
      album: quiet(track.album),
      length: clock(track.duration_ms),
    })),
  }),
  async execute({ query }, { context }: ToolRun<MusicContext>) {
    const found = await context.search(query, MOST);
    const tracks: TrackShape[] = [];
    for (const track of found.tracks) {
      const album = await context.album(track.album_id);
      tracks.push(trackShape(track, album?.title ?? ''));
    }
    return { ok: true, output: { albums: found.albums.map(albumShape), tracks }, provenance: fromReplica(context) };
  },
});
