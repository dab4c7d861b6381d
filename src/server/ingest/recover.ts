/** What a crash may have left behind, put in order at the start, before anything is served. */
import type { CatalogDeps } from '../deps.ts';
import { forgetOldAnswers } from '../http/mutate.ts';
import { giveUpSilent } from '../work/unfinished.ts';
import { recoverOriginals } from '../work/originals.ts';
import { placedAudio, retireFormer, unplace } from './place.ts';

/** No commit takes longer, milliseconds. */
const UNDER_WAY_MS = 3_600_000;

type RecoverDeps = Pick<CatalogDeps, 'store' | 'blobs' | 'originals' | 'clock' | 'log' | 'uploadLimits'>;

export async function recover(deps: RecoverDeps): Promise<void> {
  await clearPlacements(deps);
  const unmoved = await deps.store.db
    .selectFrom('former_media')
    .select(['path', 'sha256'])
    .where('moved', '=', 0)
    .execute();
  for (const { path, sha256 } of unmoved)
    await retireFormer(deps, { output_file_path: path, audio_sha256: sha256 }, null);
  await clearUploads(deps);
  await recoverOriginals(deps);
  await deps.store.write((tx) => forgetOldAnswers(tx, deps.clock.now()));
}

/**
 * Files that were placed for a commit whose transaction did not happen. Such a transaction takes its note away
 * itself: it and this one cannot both succeed.
 */
async function clearPlacements(deps: RecoverDeps): Promise<void> {
  const before = atWork(deps.store, deps.clock);
  const notes = deps.store.db.selectFrom('placements').select('path').where('created_at', '<=', before);
  for (const { path } of await notes.execute())
    if (await unplace(deps, path)) deps.log.info('removed a file that was placed and never published', { path });
}

/** What was begun after this time may be another process's work under way. */
function atWork(store: RecoverDeps['store'], clock: RecoverDeps['clock']): number {
  return store.shared ? clock.now() - UNDER_WAY_MS : Number.MAX_SAFE_INTEGER;
}

/** Uploads that are published already, and those that nobody continues. */
async function clearUploads(deps: RecoverDeps): Promise<void> {
  for (const { sha256, touched_at } of await giveUpSilent(deps)) {
    if (touched_at > atWork(deps.store, deps.clock)) continue;
    if (await placedAudio(deps, sha256)) await deps.blobs.removeUpload(sha256);
  }
}
