/** A manifest in a file, its state in another one beside it. */
import { dirname } from 'node:path';
import { makeDirectory, readTextIfThere, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import { lockPlaceOf } from '#adapters/node/folder-lock.ts';
import { processLock } from '#adapters/node/lock-file.ts';
import { loadOnce } from '#core/load-once.ts';
import type { ManifestPart, ManifestStore } from '#lanes/documents/core/manifest/manifest-store.ts';

export function manifestFiles(file: string): ManifestStore {
  const fileOf = (part: ManifestPart): string =>
    part === 'manifest' ? file : file.replace(/(?:\.json)?$/, '.state.json');
  const alone = loadOnce(async () => processLock(await lockPlaceOf(file)));
  return {
    name: file,
    alone: async (work) => (await alone())(work),
    read: (part) => readTextIfThere(fileOf(part)),
    async write(part, text) {
      await makeDirectory(dirname(file));
      await writeFileAtomic(fileOf(part), text);
    },
  };
}
