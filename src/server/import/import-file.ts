import type * as v from 'valibot';
import type { CatalogFileSchema, ImportResult } from '#core/sync/protocol.ts';
import { importShows } from '../shows/import-shows.ts';
import type { Tx } from '../store/schema.ts';
import { importCatalog } from './import-catalog.ts';

/**
 * Imports a catalog file: the music's lists, shows, or both, all rows or none.
 * Throws HttpError 422 `invalid` or 409 `conflict` that names the bad rows; nothing is imported then.
 */
export async function importFile(tx: Tx, file: v.InferOutput<typeof CatalogFileSchema>): Promise<ImportResult> {
  const { artists = [], albums = [], tracks = [], shows } = file;
  const music = await importCatalog(tx, { artists, albums, tracks });
  return shows === undefined ? music : { ...music, shows: await importShows(tx, shows) };
}
