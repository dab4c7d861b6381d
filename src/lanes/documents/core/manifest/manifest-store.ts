/** Where a manifest is kept, with its state beside it. Adapters: files in Node, the folder of documents itself in a browser. */
import type { Manifest } from '#core/documents/manifest-form.ts';
import { readManifest, manifestText } from './manifest.ts';

export type ManifestPart = 'manifest' | 'state';

export interface ManifestStore {
  /** As messages call it. */
  readonly name: string;
  /** Null: it is not there. */
  read(part: ManifestPart): Promise<string | null>;
  /** Replaced at once: whoever reads it gets the old one or the new one. */
  write(part: ManifestPart, text: string): Promise<void>;
  /** Runs what reads and then writes a part while nobody else does: not within itself. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** An empty one where it is not there. Throws AccessionError `invalid`. */
export const manifestOf = async (store: ManifestStore): Promise<Manifest> =>
  readManifest(await store.read('manifest'), store.name);

/** Read anew and replaced, under its lock. */
export function rewriteManifest(store: ManifestStore, change: (kept: Manifest) => Manifest): Promise<void> {
  return store.alone(async () => store.write('manifest', manifestText(change(await manifestOf(store)))));
}
