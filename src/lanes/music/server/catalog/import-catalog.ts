/**
 * The catalog's import: all rows or none, in one transaction. What is there already is only written when it says
 * something else, so that the same file again changes nothing and adds nothing to the change feed. Rows that the
 * file does not name stay as they are, and no track loses its audio.
 */
import * as v from 'valibot';
import { AlbumSchema, ArtistSchema, TrackSchema, type MusicCounts } from '#lanes/music/core/catalog.ts';
import type { Rows } from '#server/http/long-parts.ts';
import { checkRows, Problems, WriteCounts } from '#server/import/import-file.ts';
import { chunks, findRows, idsOf, writeOf, type Write } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { createTurns, type Turns } from '#server/turns.ts';
import { CatalogWriter, makeRoom, place } from '../store/apply-catalog.ts';
import { albumRow, artistRow, trackOver, trackRow, tracksOf, type AlbumTable } from '../store/rows.ts';

/** Rows that are in memory, with what the catalog has of them, at a time. */
const PART = 2000;

type Ids = ReadonlyMap<string, unknown>;

/** A file whose rows were looked at: each is read again, and made right, whenever it is asked for. */
interface CheckedFile {
  artists: Iterable<v.InferOutput<typeof ArtistSchema>>;
  albums: Iterable<v.InferOutput<typeof AlbumSchema>>;
  tracks: Iterable<v.InferOutput<typeof TrackSchema>>;
  ids: Record<'artists' | 'albums' | 'tracks', Ids>;
  /** What its rows name. */
  named: Record<'artists' | 'albums', ReadonlySet<string>>;
}

/**
 * Imports a file of the form `{ artists, albums, tracks }` (fields that the catalog does not know are left out).
 * Throws HttpError 422 `invalid` or 409 `conflict` that names the bad rows; nothing is imported then.
 */
export async function importCatalog(
  tx: Tx,
  lists: { artists?: Rows<unknown>; albums?: Rows<unknown>; tracks?: Rows<unknown> },
): Promise<MusicCounts> {
  const turns = createTurns();
  const file = await checkFile(lists);
  (await checkReferences(tx, file, turns)).refuse();
  const { albums: shapes, moving, problems } = await albumShapes(tx, file, turns);
  problems.refuse();
  await makeRoom(tx, moving);
  return writeFile(tx, file, shapes, turns);
}

async function checkFile({
  artists = [],
  albums = [],
  tracks = [],
}: Parameters<typeof importCatalog>[1]): Promise<CheckedFile> {
  const problems = new Problems();
  const named = { artists: new Set<string>(), albums: new Set<string>() };
  const ids = {
    artists: await checkRows('artists', ArtistSchema, artists, problems),
    albums: await checkRows('albums', AlbumSchema, albums, problems, (row) => named.artists.add(row.artist_id)),
    tracks: await checkRows('tracks', TrackSchema, tracks, problems, (row) => {
      named.artists.add(row.artist_id);
      named.albums.add(row.album_id);
    }),
  };
  problems.refuse();
  return {
    artists: rowsOf(ArtistSchema, artists),
    albums: rowsOf(AlbumSchema, albums),
    tracks: rowsOf(TrackSchema, tracks),
    ids,
    named,
  };
}

function rowsOf<S extends v.GenericSchema>(schema: S, rows: Rows<unknown>): Iterable<v.InferOutput<S>> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) yield v.parse(schema, row);
    },
  };
}

async function checkReferences(tx: Tx, file: CheckedFile, turns: Turns): Promise<Problems> {
  const artists = await missing(tx, 'artists', file, turns);
  const albums = await missing(tx, 'albums', file, turns);
  const problems = new Problems();
  if (artists.size === 0 && albums.size === 0) return problems;
  const check = (where: string, field: string, id: string, lacking: ReadonlySet<string>, what: string): void => {
    if (lacking.has(id)) problems.push('invalid', () => `${where} "${field}": there is no ${what} "${id}"`);
  };
  await turns.each(file.albums, (row, at) => check(`albums[${at}]`, 'artist_id', row.artist_id, artists, 'artist'));
  await turns.each(file.tracks, (row, at) => {
    check(`tracks[${at}]`, 'album_id', row.album_id, albums, 'album');
    check(`tracks[${at}]`, 'artist_id', row.artist_id, artists, 'artist');
  });
  return problems;
}

/** What the file's rows name, and neither the file nor the catalog has. */
async function missing(
  tx: Tx,
  list: 'artists' | 'albums',
  { ids, named }: CheckedFile,
  turns: Turns,
): Promise<Set<string>> {
  const lacking = new Set([...named[list]].filter((id) => !ids[list].has(id)));
  for (const part of chunks([...lacking])) {
    for (const id of (await findRows(tx, list, part)).keys()) lacking.delete(id);
    await turns.rest();
  }
  return lacking;
}

interface Shape {
  discs: number;
  tracks: number;
}

/** Discs and tracks of every album that the file touches, as they will be; places wanted twice; tracks that change places. */
async function albumShapes(
  tx: Tx,
  file: CheckedFile,
  turns: Turns,
): Promise<{ albums: Map<string, Shape>; moving: string[]; problems: Problems }> {
  const touched = new Set([...file.ids.albums.keys(), ...file.named.albums]);
  const moving: string[] = [];
  for (const part of chunks(file.tracks, 1, PART)) {
    const there = await findRows(tx, 'tracks', idsOf(part), turns.rest);
    for (const row of part) {
      const before = there.get(row.id);
      if (before === undefined) continue;
      touched.add(before.album_id);
      if (place(before) !== place(row)) moving.push(row.id);
    }
    await turns.rest();
  }
  const albums = new Map<string, Shape>();
  /** By album and place in it a row's number in the file, or the id of the catalog's track. */
  const taken = new Map<string, Map<number, number | string>>();
  const problems = new Problems();
  const nameOf = (holder: number | string): string =>
    typeof holder === 'number' ? `tracks[${holder}]` : `track "${holder}" of the catalog`;
  const put = (track: { album_id: string; disc: number; position: number }, name: number | string): void => {
    const shape = albums.get(track.album_id) ?? { discs: 1, tracks: 0 };
    albums.set(track.album_id, { discs: Math.max(shape.discs, track.disc), tracks: shape.tracks + 1 });
    const places = taken.get(track.album_id) ?? new Map<number, number | string>();
    taken.set(track.album_id, places);
    // Neither is above 9999.
    const at = track.disc * 10_000 + track.position;
    const holder = places.get(at);
    if (holder === undefined) places.set(at, name);
    else {
      const where = `disc ${track.disc}, position ${track.position} of album "${track.album_id}"`;
      problems.push('conflict', () => `${nameOf(name)} "position": ${where} is taken by ${nameOf(holder)}`);
    }
  };
  for (const part of chunks(touched, 1, 100)) {
    for (const track of await tracksOf(tx, part)) if (!file.ids.tracks.has(track.id)) put(track, track.id);
    await turns.rest();
  }
  await turns.each(file.tracks, put);
  return { albums, moving, problems };
}

/**
 * Artists, albums and tracks, in this order, part by part; and albums of the catalog that grow by the file's tracks.
 * Counts of an album never say less than is there.
 */
async function writeFile(
  tx: Tx,
  file: CheckedFile,
  shapes: ReadonlyMap<string, Shape>,
  turns: Turns,
): Promise<MusicCounts> {
  const writer = new CatalogWriter(tx, turns.rest);
  const grown = (id: string, discs: number, count: number): Pick<AlbumTable, 'discs' | 'track_count'> => {
    const shape = shapes.get(id) ?? { discs: 1, tracks: 0 };
    return { discs: Math.max(discs, shape.discs), track_count: Math.max(count, shape.tracks) };
  };
  const counts = { artists: new WriteCounts(), albums: new WriteCounts(), tracks: new WriteCounts() };
  for (const part of chunks(file.artists, 1, PART)) {
    const there = await findRows(tx, 'artists', idsOf(part), turns.rest);
    const writes = part.map((row) => writeOf(there.get(row.id) ?? null, artistRow(row)));
    await writer.write({ artists: counted(writes, counts.artists) });
  }
  for (const part of chunks(file.albums, 1, PART)) {
    const there = await findRows(tx, 'albums', idsOf(part), turns.rest);
    const writes = part.map((row) => {
      const sized = { ...row, ...grown(row.id, row.discs, row.track_count) };
      return writeOf(there.get(row.id) ?? null, albumRow(sized));
    });
    await writer.write({ albums: counted(writes, counts.albums) });
  }
  const others = [...shapes.keys()].filter((id) => !file.ids.albums.has(id));
  for (const part of chunks(others, 1, PART)) {
    const there = [...(await findRows(tx, 'albums', part, turns.rest)).values()];
    const writes = there.map((album) =>
      writeOf(album, { ...album, ...grown(album.id, album.discs, album.track_count) }),
    );
    await writer.write({ albums: counted(writes) });
  }
  for (const part of chunks(file.tracks, 1, PART)) {
    const there = await findRows(tx, 'tracks', idsOf(part), turns.rest);
    const writes = part.map((row) => {
      const before = there.get(row.id) ?? null;
      return writeOf(before, before ? trackOver(before, trackRow(row)) : trackRow(row));
    });
    await writer.write({ tracks: counted(writes, counts.tracks) });
  }
  await writer.end();
  return { artists: counts.artists.counts(), albums: counts.albums.counts(), tracks: counts.tracks.counts() };
}

/** What is to be written of a part. */
function counted<T extends object>(writes: readonly (Write<T> | null)[], counts?: WriteCounts): Write<T>[] {
  for (const write of writes) counts?.count(write);
  return writes.filter((write) => write !== null);
}
