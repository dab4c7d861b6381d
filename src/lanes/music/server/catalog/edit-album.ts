import type * as v from 'valibot';
import type { Ids } from '#core/ports.ts';
import type { AlbumWithTracks } from '#lanes/music/core/catalog.ts';
import type { AlbumPatchSchema, NewAlbumSchema } from '#lanes/music/core/protocol/catalog.ts';
import { HttpError } from '#server/http/http-error.ts';
import { given, type Versioned } from '#server/http/editing.ts';
import { writeOf } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { applyCatalog, type CatalogWrites } from '../store/apply-catalog.ts';
import { albumRow, existing, readAlbum, refuseTaken, toAlbum, toTrack, trackRow } from '../store/rows.ts';
import type { AlbumTable, TrackTable } from '../store/schema.ts';
import { ArtistFinder } from './artist-finder.ts';

type NewAlbum = v.InferOutput<typeof NewAlbumSchema>;

/**
 * Makes an album with its tracks, and its artists where they are new, all or nothing.
 * Throws HttpError 409 for a taken id or a position that is given twice, 422 for an unknown artist.
 */
export async function createAlbum(tx: Tx, ids: Ids, input: NewAlbum): Promise<Versioned<AlbumWithTracks>> {
  const id = input.id ?? `al_${ids.next()}`;
  await refuseTaken(tx, 'albums', [id]);
  const finder = new ArtistFinder(tx, ids);
  const by = await finder.find(input, null);
  const tracks = await newTracks(tx, ids, finder, id, by, input.tracks);
  const discs = Math.max(input.discs, ...tracks.map((track) => track.disc));
  const row = albumRow({ ...input, ...by, id, discs, track_count: Math.max(input.track_count, tracks.length) });
  await applyCatalog(tx, {
    artists: finder.created,
    albums: [{ row, before: null }],
    tracks: tracks.map((track) => ({ row: track, before: null })),
  });
  return answer(row, tracks);
}

async function newTracks(
  tx: Tx,
  ids: Ids,
  finder: ArtistFinder,
  album_id: string,
  by: { artist_id: string; artist: string },
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
  await refuseTakenIds(
    tx,
    rows.map((row) => row.id),
  );
  return rows.sort((a, b) => a.disc - b.disc || a.position - b.position);
}

async function refuseTakenIds(tx: Tx, ids: string[]): Promise<void> {
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new HttpError('conflict', `The track id "${twice}" stands there twice.`);
  await refuseTaken(tx, 'tracks', ids);
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
  const finder = new ArtistFinder(tx, ids);
  const by = await finder.find(patch, { artist_id: was.artist_id, artist: was.artist });
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

async function followCredit(
  tx: Tx,
  album: AlbumTable,
  by: { artist_id: string; artist: string },
  writes: CatalogWrites,
): Promise<void> {
  const query = tx.selectFrom('tracks').selectAll().where('album_id', '=', album.id);
  for (const row of await query.where('artist_id', '=', album.artist_id).where('artist', '=', album.artist).execute()) {
    const write = writeOf(row, { ...row, ...by });
    if (write) writes.tracks.push(write);
  }
}

function answer(row: AlbumTable, tracks: TrackTable[]): Versioned<AlbumWithTracks> {
  return { ...toAlbum(row), tracks: tracks.map(toTrack), version: row.version };
}
