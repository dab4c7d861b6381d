import type * as v from 'valibot';
import type { Ids } from '#core/ports.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { NewTrackSchema, TrackPatchSchema } from '#lanes/music/core/protocol/catalog.ts';
import { HttpError } from '#server/http/http-error.ts';
import { given, type Versioned } from '#server/http/editing.ts';
import { findRow, writeOf, type Write } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { applyCatalog } from '../store/apply-catalog.ts';
import { existing, refuseTaken, toTrack, trackOver, trackRow } from '../store/rows.ts';
import type { AlbumTable, TrackTable } from '../store/schema.ts';
import { ArtistFinder } from './artist-finder.ts';

/** Throws HttpError 409 for a taken id or position, 422 for an unknown album or artist. */
export async function createTrack(
  tx: Tx,
  ids: Ids,
  input: v.InferOutput<typeof NewTrackSchema>,
): Promise<Versioned<Track>> {
  const album = await findRow(tx, 'albums', input.album_id);
  if (!album) throw new HttpError('invalid', `"album_id": there is no album "${input.album_id}".`, { status: 422 });
  const id = input.id ?? `tr_${ids.next()}`;
  await refuseTaken(tx, 'tracks', [id]);
  const position = input.position ?? (await lastPosition(tx, input.album_id, input.disc)) + 1;
  await refuseTakenPosition(tx, input.album_id, input.disc, position, id);
  const finder = new ArtistFinder(tx, ids);
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
  const finder = new ArtistFinder(tx, ids);
  const by = await finder.find(patch, { artist_id: was.artist_id, artist: was.artist });
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
