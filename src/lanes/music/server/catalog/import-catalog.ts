/**
 * The catalog's import: all rows or none, in one transaction. What is there already is only written when it says
 * something else, so that the same file again changes nothing and adds nothing to the change feed. Rows that the
 * file does not name stay as they are, and no track loses its audio.
 */
import type * as v from 'valibot';
import { AlbumSchema, ArtistSchema, TrackSchema, type MusicCounts } from '#lanes/music/core/catalog.ts';
import { checkList, countWrites, Problems } from '#server/import/import-file.ts';
import { chunks, findRows, writeOf, type Write } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { createTurns, type Turns } from '#server/turns.ts';
import { applyCatalog, place, type CatalogWrites } from '../store/apply-catalog.ts';
import { albumRow, artistRow, trackOver, trackRow, tracksOf, type AlbumTable, type TrackTable } from '../store/rows.ts';

type ArtistInput = v.InferOutput<typeof ArtistSchema>;
type AlbumInput = v.InferOutput<typeof AlbumSchema>;
type TrackInput = v.InferOutput<typeof TrackSchema>;

interface Rows {
  artists: ArtistInput[];
  albums: AlbumInput[];
  tracks: TrackInput[];
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/**
 * Imports a file of the form `{ artists, albums, tracks }` (fields that the catalog does not know are left out).
 * Throws HttpError 422 `invalid` or 409 `conflict` that names the bad rows; nothing is imported then.
 */
export async function importCatalog(
  tx: Tx,
  file: { artists?: readonly unknown[]; albums?: readonly unknown[]; tracks?: readonly unknown[] },
): Promise<MusicCounts> {
  const problems = new Problems();
  const rows: Rows = {
    artists: await checkList('artists', ArtistSchema, file.artists ?? [], problems),
    albums: await checkList('albums', AlbumSchema, file.albums ?? [], problems),
    tracks: await checkList('tracks', TrackSchema, file.tracks ?? [], problems),
  };
  problems.refuse();
  const turns = createTurns();
  const artists = await findRows(tx, 'artists', idsOf(rows.artists), turns.rest);
  const albums = await findRows(tx, 'albums', idsOf(rows.albums), turns.rest);
  const tracks = await findRows(tx, 'tracks', idsOf(rows.tracks), turns.rest);
  (await checkReferences(tx, rows, turns)).refuse();

  const writes: CatalogWrites = { artists: [], albums: [], tracks: [] };
  await turns.each(rows.artists, (row) => {
    keep(writes.artists, writeOf(artists.get(row.id) ?? null, artistRow(row)));
  });
  await turns.each(rows.tracks, (row) => {
    const before = tracks.get(row.id) ?? null;
    keep(writes.tracks, writeOf(before, before ? trackOver(before, trackRow(row)) : trackRow(row)));
  });
  const shape = await albumShapes(tx, rows, tracks, turns);
  shape.problems.refuse();
  await writeAlbums(tx, rows, albums, shape.albums, writes, turns);

  await applyCatalog(tx, writes, turns.rest);
  const ofFile = writes.albums.filter(({ row }) => shape.given.has(row.id));
  return {
    artists: countWrites(rows.artists.length, writes.artists),
    albums: countWrites(rows.albums.length, ofFile),
    tracks: countWrites(rows.tracks.length, writes.tracks),
  };
}

function keep<T>(list: Write<T>[], write: Write<T> | null): void {
  if (write) list.push(write);
}

async function checkReferences(tx: Tx, rows: Rows, turns: Turns): Promise<Problems> {
  const artists = new Set(rows.artists.map((row) => row.id));
  const albums = new Set(rows.albums.map((row) => row.id));
  const outside = <T>(list: readonly T[], of: (row: T) => string, inside: ReadonlySet<string>): string[] => [
    ...new Set(list.map(of).filter((id) => !inside.has(id))),
  ];
  const asked = [
    ...outside(rows.albums, (row) => row.artist_id, artists),
    ...outside(rows.tracks, (row) => row.artist_id, artists),
  ];
  for (const id of (await findRows(tx, 'artists', asked, turns.rest)).keys()) artists.add(id);
  const askedAlbums = outside(rows.tracks, (row) => row.album_id, albums);
  for (const id of (await findRows(tx, 'albums', askedAlbums, turns.rest)).keys()) albums.add(id);

  const problems = new Problems();
  const check = (where: string, field: string, id: string, known: ReadonlySet<string>, what: string): void => {
    if (!known.has(id)) problems.push('invalid', () => `${where} "${field}": there is no ${what} "${id}"`);
  };
  await turns.each(rows.albums, (row, at) => check(`albums[${at}]`, 'artist_id', row.artist_id, artists, 'artist'));
  await turns.each(rows.tracks, (row, at) => {
    check(`tracks[${at}]`, 'album_id', row.album_id, albums, 'album');
    check(`tracks[${at}]`, 'artist_id', row.artist_id, artists, 'artist');
  });
  return problems;
}

interface Shape {
  discs: number;
  tracks: number;
}

/** Discs and tracks of every album that the file touches, as they will be; and places wanted twice. */
async function albumShapes(
  tx: Tx,
  rows: Rows,
  existing: ReadonlyMap<string, TrackTable>,
  turns: Turns,
): Promise<{ albums: Map<string, Shape>; given: Set<string>; problems: Problems }> {
  const given = new Set(rows.albums.map((row) => row.id));
  const touched = new Set([...given, ...rows.tracks.map((row) => row.album_id)]);
  for (const track of existing.values()) touched.add(track.album_id);
  const albums = new Map<string, Shape>();
  const taken = new Map<string, string>();
  const problems = new Problems();
  const put = (track: { album_id: string; disc: number; position: number }, name: string): void => {
    const shape = albums.get(track.album_id) ?? { discs: 1, tracks: 0 };
    albums.set(track.album_id, { discs: Math.max(shape.discs, track.disc), tracks: shape.tracks + 1 });
    const holder = taken.get(place(track));
    if (holder === undefined) taken.set(place(track), name);
    else {
      const where = `disc ${track.disc}, position ${track.position} of album "${track.album_id}"`;
      problems.push('conflict', () => `${name} "position": ${where} is taken by ${holder}`);
    }
  };
  const inFile = new Set(rows.tracks.map((row) => row.id));
  for (const part of chunks([...touched], 1, 100)) {
    for (const track of await tracksOf(tx, part))
      if (!inFile.has(track.id)) put(track, `track "${track.id}" of the catalog`);
    await turns.rest();
  }
  await turns.each(rows.tracks, (row, at) => put(row, `tracks[${at}]`));
  return { albums, given, problems };
}

/** Albums of the file, and those of the catalog that grew by its tracks. Counts never say less than is there. */
async function writeAlbums(
  tx: Tx,
  rows: Rows,
  existing: ReadonlyMap<string, AlbumTable>,
  shapes: ReadonlyMap<string, Shape>,
  writes: CatalogWrites,
  turns: Turns,
): Promise<void> {
  const grown = (id: string, discs: number, count: number): Pick<AlbumTable, 'discs' | 'track_count'> => {
    const shape = shapes.get(id) ?? { discs: 1, tracks: 0 };
    return { discs: Math.max(discs, shape.discs), track_count: Math.max(count, shape.tracks) };
  };
  await turns.each(rows.albums, (row) => {
    const sized = { ...row, ...grown(row.id, row.discs, row.track_count) };
    keep(writes.albums, writeOf(existing.get(row.id) ?? null, albumRow(sized)));
  });
  const named = new Set(rows.albums.map((row) => row.id));
  const others = [...shapes.keys()].filter((id) => !named.has(id));
  for (const album of (await findRows(tx, 'albums', others, turns.rest)).values()) {
    keep(writes.albums, writeOf(album, { ...album, ...grown(album.id, album.discs, album.track_count) }));
  }
}
