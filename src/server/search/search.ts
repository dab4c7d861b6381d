/** Search over artists, albums and tracks that forgives typos; every word may be in any of an entity's texts. */
import type { Album, Artist, Track } from '#core/music/catalog.ts';
import { toAlbum, toArtist, toTrack } from '../store/records.ts';
import type { Reader, SearchKind } from '../store/schema.ts';
import { candidates } from './candidates.ts';
import { expand, type ExpandedTerm } from './expand.ts';
import { LEAST_SCORE, score, type Field } from './score.ts';
import { words } from './terms.ts';

/** Words of a question that are looked up. */
const MAX_WORDS = 12;

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
  const { asked, expanded } = await expandAll(db, question);
  const weights = expanded.map((terms) => 1 / Math.log2(3 + terms.reduce((sum, term) => sum + term.df, 0)));
  const rank = <T extends { id: string }>(rows: T[], fields: (row: T) => Field[]): T[] =>
    ranked(rows, fields, asked, weights, limit);

  const artists = await loadArtists(db, await candidates(db, 'artist', expanded));
  const albums = await loadAlbums(db, await candidates(db, 'album', expanded));
  const tracks = await loadTracks(db, await candidates(db, 'track', expanded));
  return {
    artists: rank(artists, (artist) => [{ text: artist.name, weight: 1 }]),
    albums: rank(albums, (album) => [
      { text: album.title, weight: 1 },
      { text: album.artist, weight: 0.95 },
      { text: String(album.year ?? ''), weight: 0.9 },
    ]),
    tracks: rank(tracks, (track) => [
      { text: track.title, weight: 1 },
      { text: track.artist, weight: 0.95 },
      { text: track.album, weight: 0.9 },
    ]),
  };
}

/** Ids of the entities of a kind that may be meant, most promising first. */
export async function candidatesOf(db: Reader, kind: SearchKind, question: string): Promise<string[]> {
  return candidates(db, kind, (await expandAll(db, question)).expanded);
}

async function expandAll(db: Reader, question: string): Promise<{ asked: string[]; expanded: ExpandedTerm[][] }> {
  const asked = words(question).slice(0, MAX_WORDS);
  const expanded: ExpandedTerm[][] = [];
  for (const [at, word] of asked.entries()) expanded.push(await expand(db, word, at === asked.length - 1));
  return { asked, expanded };
}

function ranked<T extends { id: string }>(
  rows: T[],
  fields: (row: T) => Field[],
  asked: readonly string[],
  weights: readonly number[],
  limit: number,
): T[] {
  return rows
    .map((row) => ({ row, score: score(asked, weights, fields(row)) }))
    .filter((entry) => entry.score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score || (a.row.id < b.row.id ? -1 : 1))
    .slice(0, limit)
    .map((entry) => entry.row);
}

async function loadArtists(db: Reader, ids: string[]): Promise<Artist[]> {
  if (ids.length === 0) return [];
  return (await db.selectFrom('artists').selectAll().where('id', 'in', ids).execute()).map(toArtist);
}

async function loadAlbums(db: Reader, ids: string[]): Promise<Album[]> {
  if (ids.length === 0) return [];
  return (await db.selectFrom('albums').selectAll().where('id', 'in', ids).execute()).map(toAlbum);
}

async function loadTracks(db: Reader, ids: string[]): Promise<FoundTrack[]> {
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
