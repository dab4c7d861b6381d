/** Search over artists, albums and tracks that forgives typos; every word may be in any of an entity's texts. */
import type { Album, Artist, Track } from '#lanes/music/core/catalog.ts';
import { ask } from '#server/search/question.ts';
import { findRows } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';
import { toAlbum, toArtist, toTrack } from '../store/rows.ts';

/** A track as search answers it: with the title of its album. */
export interface FoundTrack extends Track {
  album: string;
}

export interface SearchAnswer {
  artists: Artist[];
  albums: Album[];
  tracks: FoundTrack[];
}

/** At most `limit` of each, best first. An empty question finds nothing. */
export async function search(db: Reader, question: string, limit: number): Promise<SearchAnswer> {
  const asked = await ask(db, question);
  const artists = await findRows(db, 'artists', await asked.candidates('artist'));
  const albums = await findRows(db, 'albums', await asked.candidates('album'));
  const tracks = await foundTracks(db, await asked.candidates('track'));
  return {
    artists: asked.rank([...artists.values()].map(toArtist), (artist) => [{ text: artist.name, weight: 1 }], limit),
    albums: asked.rank(
      [...albums.values()].map(toAlbum),
      (album) => [
        { text: album.title, weight: 1 },
        { text: album.artist, weight: 0.95 },
        { text: String(album.year ?? ''), weight: 0.9 },
      ],
      limit,
    ),
    tracks: asked.rank(
      tracks,
      (track) => [
        { text: track.title, weight: 1 },
        { text: track.artist, weight: 0.95 },
        { text: track.album, weight: 0.9 },
      ],
      limit,
    ),
  };
}

async function foundTracks(db: Reader, ids: readonly string[]): Promise<FoundTrack[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('tracks')
    .innerJoin('albums', 'albums.id', 'tracks.album_id')
    .selectAll('tracks')
    .select('albums.title as album')
    .where('tracks.id', 'in', ids)
    .execute();
  return rows.map((row) => ({ ...toTrack(row), album: row.album }));
}
