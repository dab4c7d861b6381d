import type * as v from 'valibot';
import type { Ids } from '#core/ports.ts';
import type { Artist } from '#lanes/music/core/catalog.ts';
import type { ArtistPatchSchema, NewArtistSchema } from '#lanes/music/core/protocol/catalog.ts';
import type { Versioned } from '#server/http/editing.ts';
import { orderKey } from '#server/search/terms.ts';
import { writeOf } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { applyCatalog, type CatalogWrites } from '../store/apply-catalog.ts';
import { artistRow, existing, refuseTaken, toArtist } from '../store/rows.ts';

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
  const write = writeOf(
    before,
    artistRow({ ...was, name: patch.name ?? was.name, external_ids: patch.external_ids ?? was.external_ids }),
  );
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
