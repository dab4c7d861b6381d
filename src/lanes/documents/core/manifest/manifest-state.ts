/** `manifest.state.json` beside a manifest: which content is which document since it was written into. */
import * as v from 'valibot';
import { ManifestStateSchema, type ManifestState } from '#core/documents/manifest-form.ts';
import type { ManifestStore } from './manifest-store.ts';

/** What is no state is none: ids are the hashes of the files then. */
async function readState(manifest: ManifestStore): Promise<ManifestState> {
  const { success, output } = v.safeParse(
    v.pipe(v.string(), v.parseJson(), ManifestStateSchema),
    await manifest.read('state'),
  );
  return success ? output : { version: 1, written: {} };
}

/** The id of a file of this SHA-256. */
export async function idsOf(manifest: ManifestStore): Promise<(sha256: string) => string> {
  const { written } = await readState(manifest);
  return (sha256) => (Object.hasOwn(written, sha256) ? (written[sha256] ?? sha256) : sha256);
}

export async function noteWritten(manifest: ManifestStore, written: ReadonlyMap<string, string>): Promise<void> {
  if (written.size === 0) return;
  const state = await readState(manifest);
  const all = { ...state, written: { ...state.written, ...Object.fromEntries(written) } };
  await manifest.write('state', `${JSON.stringify(all, null, 2)}\n`);
}
