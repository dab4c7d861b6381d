/** What a crash may have left behind, put in order at the start, before anything is served. */
import type { CatalogDeps } from '../deps.ts';
import { forgetOldAnswers } from '../http/mutate.ts';
import { placedAudio, retire } from './place.ts';

/** An upload that got no bytes for this long is given up, milliseconds. */
const ABANDONED_MS = 30 * 86_400_000;

type RecoverDeps = Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log'>;

export async function recover(deps: RecoverDeps): Promise<void> {
  await clearPlacements(deps);
  const unmoved = await deps.store.db
    .selectFrom('former_media')
    .select(['path', 'sha256'])
    .where('moved', '=', 0)
    .execute();
  for (const { path, sha256 } of unmoved) await retire(deps, path, sha256);
  await clearUploads(deps);
  await deps.store.write((tx) => forgetOldAnswers(tx, deps.clock.now()));
}

/** Files that were placed for a commit whose transaction did not happen. */
async function clearPlacements({ store, blobs, log }: RecoverDeps): Promise<void> {
  for (const { path } of await store.db.selectFrom('placements').select('path').execute()) {
    const owner = await store.db
      .selectFrom('tracks')
      .select('id')
      .where('output_file_path', '=', path)
      .executeTakeFirst();
    if (!owner) {
      await blobs.remove(path);
      log.info('removed a file that was placed and never published', { path });
    }
    await store.write((tx) => tx.deleteFrom('placements').where('path', '=', path).execute());
  }
}

/** Uploads that are published already, and those that nobody continues. */
async function clearUploads(deps: RecoverDeps): Promise<void> {
  const now = deps.clock.now();
  for (const { sha256, touched_at } of await deps.blobs.listUploads()) {
    const abandoned = now - touched_at > ABANDONED_MS;
    if (abandoned || (await placedAudio(deps, sha256))) await deps.blobs.removeUpload(sha256);
  }
}
