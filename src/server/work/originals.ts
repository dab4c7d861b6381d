/** Uploaded files until their batch is done, and what becomes of them then. */
import type { CatalogDeps } from '../deps.ts';

/** A file without a row that got no bytes for this long was left by a crash. Milliseconds. */
const LEFT_MS = 86_400_000;

type Deps = Pick<CatalogDeps, 'store' | 'originals'>;

/** Removes the files of a batch that is done. */
export async function freeOriginals({ store, originals }: Deps, batchId: string): Promise<void> {
  const files = await store.db.selectFrom('work_files').select('id').where('batch_id', '=', batchId).execute();
  for (const { id } of files) await originals.delete(id);
  await store.write((tx) => tx.deleteFrom('work_files').where('batch_id', '=', batchId).execute());
}

/** At the start: files that no upload names, and those of batches that are done. */
export async function recoverOriginals(deps: Deps & Pick<CatalogDeps, 'log'>): Promise<void> {
  const { store, originals, log } = deps;
  const done = await store.db
    .selectFrom('work_files as file')
    .innerJoin('work_batches as batch', 'batch.id', 'file.batch_id')
    .select('batch.id')
    .distinct()
    .where('batch.state', '=', 'done')
    .execute();
  for (const { id } of done) await freeOriginals(deps, id);
  // The files' own times, so the system's clock.
  const before = Date.now() - LEFT_MS;
  for await (const { id, touched_at } of originals.list()) {
    if (touched_at >= before) continue;
    const known = await store.db.selectFrom('work_files').select('id').where('id', '=', id).executeTakeFirst();
    if (known) continue;
    await originals.discard(id);
    log.info('removed an uploaded file that belongs to nothing', { id });
  }
}
