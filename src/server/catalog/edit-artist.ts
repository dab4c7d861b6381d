import type * as v from 'valibot';
import type { Artist } from '#core/music/catalog.ts';
import type { Ids } from '#core/ports.ts';
import type { ArtistPatchSchema, NewArtistSchema } from '#core/sync/protocol.ts';
import { HttpError } from '../http/http-error.ts';
import { orderKey } from '../search/terms.ts';
import { applyCatalog, type CatalogWrites } from '../store/apply-catalog.ts';
import { toArtist } from '../store/records.ts';
import { artistRow, writeOf } from '../store/rows.ts';
import type { Tx } from '../store/schema.ts';
import { checkVersion } from './if-match.ts';

export type Versioned<T> = T & { version: number };

/** Throws HttpError 409 when the id is taken. */
export async function createArtist(
  tx: Tx,
  ids: Ids,
  input: v.InferOutput<typeof NewArtistSchema>,
): Promise<Versioned<Artist>> {
  const row = artistRow({ ...input, id: input.id ?? `ar_${ids.next()}` });
  const taken = await tx.selectFrom('artists').select('id').where('id', '=', row.id).executeTakeFirst();
  if (taken) throw new HttpError('conflict', `There is an artist "${row.id}" already.`);
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
  const before = await tx.selectFrom('artists').selectAll().where('id', '=', id).executeTakeFirst();
  if (!before) throw new HttpError('not_found', `There is no artist "${id}".`);
  checkVersion(ifMatch, before);
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
  for (const row of await tx
    .selectFrom('albums')
    .selectAll()
    .where('artist_id', '=', id)
    .where('artist', '=', from)
    .execute()) {
    const write = writeOf(row, { ...row, artist: to, sort_key: orderKey(to, row.title) });
    if (write) writes.albums.push(write);
  }
  for (const row of await tx
    .selectFrom('tracks')
    .selectAll()
    .where('artist_id', '=', id)
    .where('artist', '=', from)
    .execute()) {
    const write = writeOf(row, { ...row, artist: to });
    if (write) writes.tracks.push(write);
  }
}
