/** A manifest in a file, its state in another one beside it. */
import { dirname } from 'node:path';
import { makeDirectory, readTextIfThere, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import type { ManifestPart, ManifestStore } from '#lanes/documents/core/manifest/manifest-store.ts';

export function manifestFiles(file: string): ManifestStore {
  const fileOf = (part: ManifestPart): string =>
    part === 'manifest' ? file : file.replace(/(?:\.json)?$/, '.state.json');
  return {
    name: file,
    read: (part) => readTextIfThere(fileOf(part)),
    async write(part, text) {
      await makeDirectory(dirname(file));
      await writeFileAtomic(fileOf(part), text);
    },
  };
}
