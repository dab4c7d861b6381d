/** What the guards of a run look at on the server. */
import type { Signs } from '#lanes/guide/core/run/run.types.ts';
import type { Reader } from '#server/store/schema.ts';
import { readWorkerSigns } from '#server/work/worker-signs.ts';
import { readContainment } from '../settings.ts';

/** A run is driven by the server itself, which is no worker: it counts in none of these. */
export async function readSigns(db: Reader, now: number): Promise<Signs> {
  const [containment, { silences, busy, there }] = await Promise.all([readContainment(db), readWorkerSigns(db, now)]);
  return { containment, restarts: silences, pool: there === 0 ? null : [busy, there] };
}
