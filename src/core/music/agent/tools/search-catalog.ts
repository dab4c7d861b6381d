import * as v from 'valibot';
import type { AgentTool } from '../../../agent/tools/tool.ts';
import { clock } from '../../phrase.ts';
import type { MusicContext } from '../context.ts';
import { AlbumShape, albumShape, fromReplica, limits, quiet, TrackShape, trackShape } from './shapes.ts';

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

export const searchCatalogTool: AgentTool<MusicContext, v.InferOutput<typeof Input>, v.InferOutput<typeof Output>> = {
  name: 'search_catalog',
  version: 1,
  description:
    'Search the catalog for albums and tracks by name. Spelling may be off. Try the artist alone when an album is not found.',
  input: Input,
  output: Output,
  risk: 'read',
  side_effects: false,
  limits: limits(12),
  network: [],
  references: {},
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
  async execute({ query }, { context }) {
    const found = await context.search(query, MOST);
    const tracks: TrackShape[] = [];
    for (const track of found.tracks) {
      const album = await context.album(track.album_id);
      tracks.push(trackShape(track, album?.title ?? ''));
    }
    return { ok: true, output: { albums: found.albums.map(albumShape), tracks }, provenance: fromReplica(context) };
  },
};
