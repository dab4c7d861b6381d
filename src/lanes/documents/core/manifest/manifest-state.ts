/** `manifest.state.json` beside a manifest: which content is which document since it was written into, and what is told of each. */
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

/** What was written: contents by their SHA-256, and of each record its CSL-JSON and evidence. */
export async function noteState(
  manifest: ManifestStore,
  written: ReadonlyMap<string, string>,
  documents: Readonly<Record<string, Record<string, unknown>>>,
): Promise<void> {
  if (written.size === 0 && Object.keys(documents).length === 0) return;
  await changeState(manifest, (state) => ({
    ...state,
    written: { ...state.written, ...Object.fromEntries(written) },
    documents: { ...state.documents, ...documents },
  }));
}

/** What is told of these documents goes. Which content was which stays: a file may come back. */
export async function forgetState(manifest: ManifestStore, ids: ReadonlySet<string>): Promise<void> {
  if (!Object.keys((await readState(manifest)).documents ?? {}).some((id) => ids.has(id))) return;
  await changeState(manifest, (state) => ({
    ...state,
    documents: Object.fromEntries(Object.entries(state.documents ?? {}).filter(([id]) => !ids.has(id))),
  }));
}

const changeState = (manifest: ManifestStore, change: (state: ManifestState) => ManifestState): Promise<void> =>
  manifest.alone(async () => {
    const all = change(await readState(manifest));
    await manifest.write('state', `${JSON.stringify(all, null, 1)}\n`);
  });
