import type * as v from 'valibot';
import type { Ids } from '#core/ports.ts';
import type {
  AlbumWithTracks,
  Track,
  Artist,
  AlbumPatchSchema,
  NewAlbumSchema,
  NewTrackSchema,
  TrackPatchSchema,
  ArtistPatchSchema,
  NewArtistSchema,
} from '#lanes/music/core/catalog.ts';
import { HttpError } from '#server/http/http-error.ts';
import { given, type Versioned } from '#server/http/editing.ts';
import { writeOf, findRow, type Write } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { applyCatalog, type CatalogWrites } from '../store/apply-catalog.ts';
import {
  albumRow,
  existing,
  readAlbum,
  refuseTaken,
  toAlbum,
  toTrack,
  trackRow,
  artistRow,
  trackOver,
  toArtist,
  type AlbumTable,
  type TrackTable,
  type ArtistTable,
} from '../store/rows.ts';
import { orderKey } from '#server/search/terms.ts';

/** Who an album or track is by, as the editor says it. */
interface Credit {
  artist_id?: string | undefined;
  artist?: string | undefined;
}

/** Who it is by, found. */
type Credited = Pick<AlbumTable, 'artist_id' | 'artist'>;

/**
 * Finds artists by id, or by name as a person would mean it, and makes those that are missing; a name that
 * occurs twice in one request is made once.
 */
function artistFinder(tx: Tx, ids: Ids) {
  const created: Write<ArtistTable>[] = [];

  async function byName(name: string): Promise<string> {
    const key = orderKey(name);
    const here = created.find(({ row }) => row.name_key === key);
    if (here) return here.row.id;
    const query = tx.selectFrom('artists').select(['id', 'name']).where('name_key', '=', key);
    const rows = await query.orderBy('id').execute();
    const found = rows.find((row) => row.name === name) ?? rows[0];
    if (found) return found.id;
    const row = artistRow({ id: `ar_${ids.next()}`, name });
    created.push({ row, before: null });
    return row.id;
  }

  return {
    created,

    /**
     * Id and name as credited. Throws HttpError 422 for an id that does not exist.
     * @param usual who it is when the credit names nobody
     */
    async find({ artist_id, artist }: Credit, usual: Credited | null): Promise<Credited> {
      if (artist_id !== undefined) {
        const row = await findRow(tx, 'artists', artist_id);
        if (!row) throw new HttpError('invalid', `"artist_id": there is no artist "${artist_id}".`, { status: 422 });
        return { artist_id, artist: artist ?? row.name };
      }
      if (artist !== undefined) return { artist_id: await byName(artist), artist };
      if (usual) return { artist_id: usual.artist_id, artist: usual.artist };
      throw new HttpError('invalid', 'Name an "artist" or give an "artist_id".');
    },
  };
}

type NewAlbum = v.InferOutput<typeof NewAlbumSchema>;
type NewTrack = v.InferOutput<typeof NewTrackSchema>;

/**
 * Makes an album with its tracks, and its artists where they are new, all or nothing.
 * Throws HttpError 409 for a taken id or a position that is given twice, 422 for an unknown artist.
 */
export async function createAlbum(tx: Tx, ids: Ids, input: NewAlbum): Promise<Versioned<AlbumWithTracks>> {
  const id = input.id ?? `al_${ids.next()}`;
  await refuseTaken(tx, 'albums', [id]);
  const finder = artistFinder(tx, ids);
  const by = await finder.find(input, null);
  const tracks = await newTracks(tx, ids, finder, id, by, input.tracks);
  const discs = Math.max(input.discs, ...tracks.map((track) => track.disc));
  const row = albumRow({ ...input, ...by, id, discs, track_count: Math.max(input.track_count, tracks.length) });
  await applyCatalog(tx, {
    artists: finder.created,
    albums: [{ row, before: null }],
    tracks: tracks.map((track) => ({ row: track, before: null })),
  });
  return { ...toAlbum(row), tracks: tracks.map(toTrack), version: row.version };
}

async function newTracks(
  tx: Tx,
  ids: Ids,
  finder: ReturnType<typeof artistFinder>,
  album_id: string,
  by: Credited,
  inputs: NewAlbum['tracks'],
): Promise<TrackTable[]> {
  const rows: TrackTable[] = [];
  const taken = new Map<string, number>();
  const last = new Map<number, number>();
  for (const [at, input] of inputs.entries()) {
    const position = input.position ?? (last.get(input.disc) ?? 0) + 1;
    last.set(input.disc, position);
    const holder = taken.get(`${input.disc}/${position}`);
    if (holder !== undefined) {
      throw new HttpError(
        'conflict',
        `tracks[${at}] "position": disc ${input.disc}, position ${position} is taken by tracks[${holder}].`,
      );
    }
    taken.set(`${input.disc}/${position}`, at);
    const credit = await finder.find(input, by);
    rows.push(trackRow({ ...input, ...credit, id: input.id ?? `tr_${ids.next()}`, album_id, position }));
  }
  const made = rows.map((row) => row.id);
  const twice = made.find((id, at) => made.indexOf(id) !== at);
  if (twice !== undefined) throw new HttpError('conflict', `The track id "${twice}" stands there twice.`);
  await refuseTaken(tx, 'tracks', made);
  return rows.sort((a, b) => a.disc - b.disc || a.position - b.position);
}

/**
 * Changes an album. Tracks that were credited like the album follow a new credit.
 * Throws HttpError 404, 412, 422 (unknown artist).
 */
export async function patchAlbum(
  tx: Tx,
  ids: Ids,
  id: string,
  patch: v.InferOutput<typeof AlbumPatchSchema>,
  ifMatch: string | undefined,
): Promise<Versioned<AlbumWithTracks>> {
  const before = await existing(tx, 'albums', id, ifMatch);
  const was = toAlbum(before);
  const finder = artistFinder(tx, ids);
  const by = await finder.find(patch, was);
  const write = writeOf(before, albumRow({ ...was, ...given(patch), ...by }));
  if (write) {
    const writes: CatalogWrites = { artists: finder.created, albums: [write], tracks: [] };
    if (by.artist_id !== was.artist_id || by.artist !== was.artist) await followCredit(tx, before, by, writes);
    await applyCatalog(tx, writes);
  }
  const album = await readAlbum(tx, id);
  if (!album) throw new HttpError('not_found', `There is no album "${id}".`);
  return album;
}

async function followCredit(tx: Tx, album: AlbumTable, by: Credited, writes: CatalogWrites): Promise<void> {
  const query = tx.selectFrom('tracks').selectAll().where('album_id', '=', album.id);
  for (const row of await query.where('artist_id', '=', album.artist_id).where('artist', '=', album.artist).execute()) {
    const write = writeOf(row, { ...row, ...by });
    if (write) writes.tracks.push(write);
  }
}

/** Throws HttpError 409 for a taken id or position, 422 for an unknown album or artist. */
export async function createTrack(tx: Tx, ids: Ids, input: NewTrack): Promise<Versioned<Track>> {
  const album = await findRow(tx, 'albums', input.album_id);
  if (!album) throw new HttpError('invalid', `"album_id": there is no album "${input.album_id}".`, { status: 422 });
  const id = input.id ?? `tr_${ids.next()}`;
  await refuseTaken(tx, 'tracks', [id]);
  const position = input.position ?? (await lastPosition(tx, input.album_id, input.disc)) + 1;
  await refuseTakenPosition(tx, input.album_id, input.disc, position, id);
  const finder = artistFinder(tx, ids);
  const row = trackRow({ ...input, ...(await finder.find(input, album)), id, position });
  const albums = await grownAlbum(tx, album, row, 1);
  await applyCatalog(tx, { artists: finder.created, albums, tracks: [{ row, before: null }] });
  return { ...toTrack(row), version: row.version };
}

/** Throws HttpError 404, 409 (position taken), 412, 422 (unknown artist). */
export async function patchTrack(
  tx: Tx,
  ids: Ids,
  id: string,
  patch: v.InferOutput<typeof TrackPatchSchema>,
  ifMatch: string | undefined,
): Promise<Versioned<Track>> {
  const before = await existing(tx, 'tracks', id, ifMatch);
  const was = toTrack(before);
  const finder = artistFinder(tx, ids);
  const by = await finder.find(patch, was);
  const write = writeOf(before, trackOver(before, trackRow({ ...was, ...given(patch), ...by })));
  if (!write) return { ...was, version: before.version };
  await refuseTakenPosition(tx, write.row.album_id, write.row.disc, write.row.position, id);
  const album = await existing(tx, 'albums', before.album_id);
  await applyCatalog(tx, {
    artists: finder.created,
    albums: await grownAlbum(tx, album, write.row, 0),
    tracks: [write],
  });
  return { ...toTrack(write.row), version: write.row.version };
}

async function lastPosition(tx: Tx, albumId: string, disc: number): Promise<number> {
  const query = tx.selectFrom('tracks').select('position').where('album_id', '=', albumId).where('disc', '=', disc);
  return (await query.orderBy('position', 'desc').limit(1).executeTakeFirst())?.position ?? 0;
}

async function refuseTakenPosition(tx: Tx, albumId: string, disc: number, position: number, id: string): Promise<void> {
  const holder = await tx
    .selectFrom('tracks')
    .select(['id', 'title'])
    .where('album_id', '=', albumId)
    .where('disc', '=', disc)
    .where('position', '=', position)
    .where('id', '!=', id)
    .executeTakeFirst();
  if (!holder) return;
  throw new HttpError('conflict', `Disc ${disc}, position ${position} is taken by "${holder.title}" (${holder.id}).`);
}

/** The album's counts never say less than is there. */
async function grownAlbum(tx: Tx, album: AlbumTable, track: TrackTable, added: number): Promise<Write<AlbumTable>[]> {
  const { count } = await tx
    .selectFrom('tracks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('album_id', '=', album.id)
    .executeTakeFirstOrThrow();
  const discs = Math.max(album.discs, track.disc);
  const write = writeOf(album, { ...album, discs, track_count: Math.max(album.track_count, Number(count) + added) });
  return write ? [write] : [];
}

/** Throws HttpError 409 when the id is taken. */
export async function createArtist(
  tx: Tx,
  ids: Ids,
  input: v.InferOutput<typeof NewArtistSchema>,
): Promise<Versioned<Artist>> {
  const row = artistRow({ ...input, id: input.id ?? `ar_${ids.next()}` });
  await refuseTaken(tx, 'artists', [row.id]);
  await applyCatalog(tx, { artists: [{ row, before: null }], albums: [], tracks: [] });
  return { ...toArtist(row), version: row.version };
}

/** A new name goes to the albums and tracks that carried the old one as their credit. Throws HttpError 404, 412. */
export async function patchArtist(
  tx: Tx,
  id: string,
  patch: v.InferOutput<typeof ArtistPatchSchema>,
  ifMatch: string | undefined,
): Promise<Versioned<Artist>> {
  const before = await existing(tx, 'artists', id, ifMatch);
  const was = toArtist(before);
  const write = writeOf(before, artistRow({ ...was, ...given(patch) }));
  if (!write) return { ...was, version: before.version };
  const writes: CatalogWrites = { artists: [write], albums: [], tracks: [] };
  if (write.row.name !== before.name) await renameCredits(tx, id, before.name, write.row.name, writes);
  await applyCatalog(tx, writes);
  return { ...toArtist(write.row), version: write.row.version };
}

async function renameCredits(tx: Tx, id: string, from: string, to: string, writes: CatalogWrites): Promise<void> {
  const albums = tx.selectFrom('albums').selectAll().where('artist_id', '=', id).where('artist', '=', from);
  for (const row of await albums.execute()) {
    const write = writeOf(row, { ...row, artist: to, sort_key: orderKey(to, row.title) });
    if (write) writes.albums.push(write);
  }
  const tracks = tx.selectFrom('tracks').selectAll().where('artist_id', '=', id).where('artist', '=', from);
  for (const row of await tracks.execute()) {
    const write = writeOf(row, { ...row, artist: to });
    if (write) writes.tracks.push(write);
  }
}
