/** What a crash may have left behind, put in order at the start, before anything is served. */
import { forgetOldAnswers } from '../http/mutate.ts';
import { publishedFile, type ServerDeps } from '../lane-server.ts';
import { recoverOriginals } from '../work/originals.ts';
import { giveUpSilent } from '../work/unfinished.ts';

/** No commit takes longer, milliseconds. */
const UNDER_WAY_MS = 3_600_000;

export async function recover(deps: ServerDeps): Promise<void> {
  for (const lane of deps.lanes) await lane.recover?.(deps);
  await clearUploads(deps);
  await recoverOriginals(deps);
  await deps.store.write((tx) => forgetOldAnswers(tx, deps.clock.now()));
}

/** What was begun after this time may be another process's work under way. Milliseconds since the epoch. */
export function underWaySince({ store, clock }: Pick<ServerDeps, 'store' | 'clock'>): number {
  return store.shared ? clock.now() - UNDER_WAY_MS : Number.MAX_SAFE_INTEGER;
}

/** Uploads that are published already, and those that nobody continues. */
async function clearUploads(deps: ServerDeps): Promise<void> {
  for (const { sha256, touched_at } of await giveUpSilent(deps)) {
    if (touched_at > underWaySince(deps)) continue;
    if (await publishedFile(deps, sha256)) await deps.blobs.removeUpload(sha256);
  }
}
