/** A manifest in a file, its state in another one beside it. */
import { dirname } from 'node:path';
import { makeDirectory, readTextIfThere, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import { lockPlaceOf } from '#adapters/node/folder-lock.ts';
import { processLock } from '#adapters/node/lock-file.ts';
import { failed, isCode, messageOf } from '#core/errors.ts';
import { loadOnce } from '#core/load-once.ts';
import type { ManifestPart, ManifestStore } from '#lanes/documents/core/manifest/manifest-store.ts';

/** Writing throws AccessionError `storage_full` or `storage_failed`; what was there stays then. */
export function manifestFiles(file: string): ManifestStore {
  const fileOf = (part: ManifestPart): string =>
    part === 'manifest' ? file : file.replace(/(?:\.json)?$/, '.state.json');
  const alone = loadOnce(async () => processLock(await lockPlaceOf(file)));
  return {
    name: file,
    alone: async (work) => (await alone())(work),
    read: (part) => readTextIfThere(fileOf(part)),
    async write(part, text) {
      try {
        await makeDirectory(dirname(file));
        await writeFileAtomic(fileOf(part), text);
      } catch (error) {
        throw unwritten(fileOf(part), error);
      }
    },
  };
}

/** What was done in the folder by then is noted by the next run. */
function unwritten(path: string, cause: unknown): Error {
  const next = 'then run it again: what was done in the folder is noted then.';
  return isCode(cause, 'ENOSPC', 'EDQUOT')
    ? failed('storage_full', `There is no space left on the disk for "${path}".`, {
        remedy: `Free space on the disk, ${next}`,
        cause,
      })
    : failed('storage_failed', `"${path}" cannot be written: ${messageOf(cause)}.`, {
        remedy: `Make its folder writable, or name another place with --manifest, ${next}`,
        cause,
      });
}
