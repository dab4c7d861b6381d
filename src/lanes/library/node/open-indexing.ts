import { createHash, randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { failed } from '#core/errors.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import type { IndexingPorts } from '#lanes/library/core/indexing/ports.ts';
import { diskFolder } from './disk-folder.ts';
import { diskLibrary } from './disk-library.ts';
import { readingPorts } from './reading-ports.ts';

/** The directory of a folder's library, below the data directory. `folder`: its real path. */
export function libraryDirectory(data: string, folder: string): string {
  return join(data, 'library', createHash('sha256').update(folder).digest('hex').slice(0, 32));
}

/**
 * All that indexing a folder of this machine needs. `registry`: of the agents in force (open-agents.ts). Throws
 * AccessionError `not_found` where there is no such folder.
 */
export async function openIndexing(
  data: string,
  path: string,
  registry: () => IngesterRegistry,
): Promise<IndexingPorts> {
  const folder = await realpath(path).catch(() => null);
  if (folder === null) throw failed('not_found', `There is no folder "${path}".`, { subject: path });
  return {
    folder: diskFolder(folder),
    store: diskLibrary(libraryDirectory(data, folder)),
    registry,
    ...readingPorts,
    ids: { next: randomUUID },
    hash: (bytes) => Promise.resolve(createHash('sha256').update(bytes).digest('hex')),
  };
}
