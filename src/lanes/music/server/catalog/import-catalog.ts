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
import type { Reader, Tx } from '#server/store/schema.ts';
import { createTurns, type Turns } from '#server/turns.ts';
import { CatalogWriter, makeRoom, place } from '../store/apply-catalog.ts';
import { albumRow, artistRow, trackOver, trackRow, tracksOf, type AlbumTable, type TrackTable } from '../store/rows.ts';

/** Rows that are in memory, with what the catalog has of them, at a time. */
export const PART = 2000;

type Ids = ReadonlyMap<string, unknown>;

/** A file whose rows were looked at: each is read again, and made right, whenever it is asked for. */
export interface CheckedFile {
  artists: Iterable<v.InferOutput<typeof ArtistSchema>>;
  albums: Iterable<v.InferOutput<typeof AlbumSchema>>;
  tracks: Iterable<v.InferOutput<typeof TrackSchema>>;
  ids: Record<'artists' | 'albums' | 'tracks', Ids>;
  /** What its rows name. */
  named: Record<'artists' | 'albums', ReadonlySet<string>>;
}

export interface ImportLists {
  artists?: Rows<unknown>;
  albums?: Rows<unknown>;
  tracks?: Rows<unknown>;
}

/**
 * Imports a file of the form `{ artists, albums, tracks }` (fields that the catalog does not know are left out).
 * Throws HttpError 422 `invalid` or 409 `conflict` that names the bad rows; nothing is imported then.
 */
export async function importCatalog(tx: Tx, lists: ImportLists): Promise<MusicCounts> {
  const turns = createTurns();
  const file = await checkFile(lists);
  (await checkReferences(tx, file, turns)).refuse();
  const { albums: shapes, moving, problems } = await albumShapes(tx, file, turns);
  problems.refuse();
  await makeRoom(tx, moving);
  return writeFile(tx, file, shapes, turns);
}

/** Looks at every row by itself. Throws HttpError 422 `invalid` or 409 `conflict` that names the bad ones. */
export async function checkFile({ artists = [], albums = [], tracks = [] }: ImportLists): Promise<CheckedFile> {
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

/** What rows name that neither the file nor the catalog has. */
export async function checkReferences(db: Reader, file: CheckedFile, turns: Turns): Promise<Problems> {
  const artists = await missing(db, 'artists', file, turns);
  const albums = await missing(db, 'albums', file, turns);
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
  db: Reader,
  list: 'artists' | 'albums',
  { ids, named }: CheckedFile,
  turns: Turns,
): Promise<Set<string>> {
  const lacking = new Set([...named[list]].filter((id) => !ids[list].has(id)));
  for (const part of chunks([...lacking])) {
    for (const id of (await findRows(db, list, part)).keys()) lacking.delete(id);
    await turns.rest();
  }
  return lacking;
}

interface Shape {
  discs: number;
  tracks: number;
  /** By place a row's number in the file, or the id of the catalog's track. */
  taken: Map<number, number | string>;
}

/** Discs and tracks of albums as they will be, and who has which place. */
export class Shapes {
  readonly #albums = new Map<string, Shape>();

  /**
   * Puts a track into its album; a place that is wanted twice is a problem of the file's row.
   * @param holder a row's number in the file, or the id of the catalog's track
   */
  put(
    { album_id, disc, position }: Pick<TrackTable, 'album_id' | 'disc' | 'position'>,
    holder: number | string,
    problems: Problems,
  ): void {
    const shape = this.#albums.get(album_id) ?? { discs: 1, tracks: 0, taken: new Map<number, number | string>() };
    this.#albums.set(album_id, shape);
    shape.discs = Math.max(shape.discs, disc);
    shape.tracks += 1;
    // Neither is above 9999.
    const at = disc * 10_000 + position;
    const before = shape.taken.get(at);
    if (before === undefined) return void shape.taken.set(at, holder);
    const [named, by] = typeof holder === 'number' ? [holder, before] : [before, holder];
    const where = `disc ${disc}, position ${position} of album "${album_id}"`;
    problems.push('conflict', () => `${nameOf(named)} "position": ${where} is taken by ${nameOf(by)}`);
  }

  /** The size of an album that says so much of itself: never less than is there. */
  grown(album: Pick<AlbumTable, 'id' | 'discs' | 'track_count'>): Pick<AlbumTable, 'discs' | 'track_count'> {
    const shape = this.#albums.get(album.id);
    return {
      discs: Math.max(album.discs, shape?.discs ?? 1),
      track_count: Math.max(album.track_count, shape?.tracks ?? 0),
    };
  }

  /** Of every album into which a track was put. */
  ids(): Iterable<string> {
    return this.#albums.keys();
  }
}

const nameOf = (holder: number | string): string =>
  typeof holder === 'number' ? `tracks[${holder}]` : `track "${holder}" of the catalog`;

/** Discs and tracks of every album that the file touches, as they will be; places wanted twice; tracks that change places. */
async function albumShapes(
  tx: Tx,
  file: CheckedFile,
  turns: Turns,
): Promise<{ albums: Shapes; moving: string[]; problems: Problems }> {
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
  const albums = new Shapes();
  const problems = new Problems();
  for (const part of chunks(touched, 1, 100)) {
    for (const track of await tracksOf(tx, part))
      if (!file.ids.tracks.has(track.id)) albums.put(track, track.id, problems);
    await turns.rest();
  }
  await turns.each(file.tracks, (row, at) => albums.put(row, at, problems));
  return { albums, moving, problems };
}

/**
 * Artists, albums and tracks, in this order, part by part; and albums of the catalog that grow by the file's tracks.
 * Counts of an album never say less than is there.
 */
async function writeFile(tx: Tx, file: CheckedFile, shapes: Shapes, turns: Turns): Promise<MusicCounts> {
  const writer = new CatalogWriter(tx, turns.rest);
  const counts = { artists: new WriteCounts(), albums: new WriteCounts(), tracks: new WriteCounts() };
  for (const part of chunks(file.artists, 1, PART)) {
    const there = await findRows(tx, 'artists', idsOf(part), turns.rest);
    const writes = part.map((row) => writeOf(there.get(row.id) ?? null, artistRow(row)));
    await writer.write({ artists: counted(writes, counts.artists) });
  }
  for (const part of chunks(file.albums, 1, PART)) {
    const there = await findRows(tx, 'albums', idsOf(part), turns.rest);
    const writes = part.map((row) => {
      const sized = { ...row, ...shapes.grown(row) };
      return writeOf(there.get(row.id) ?? null, albumRow(sized));
    });
    await writer.write({ albums: counted(writes, counts.albums) });
  }
  const others = [...shapes.ids()].filter((id) => !file.ids.albums.has(id));
  for (const part of chunks(others, 1, PART)) {
    const there = [...(await findRows(tx, 'albums', part, turns.rest)).values()];
    const writes = there.map((album) => writeOf(album, { ...album, ...shapes.grown(album) }));
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
