import { resolve } from 'node:path';
import type { Cancel } from '#core/ports.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import type { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { agentsFolder, openAgents } from '#lanes/library/node/open-agents.ts';
import { openIndexing } from '#lanes/library/node/open-indexing.ts';

/** The library of a folder, brought up to date. Throws AccessionError `not_found` and `cancelled`. */
export async function currentLibrary(flags: { library: string; data: string; cancel: Cancel }): Promise<LibraryIndex> {
  const { agents, close } = await openAgents([agentsFolder(flags.data)]);
  try {
    const ports = await openIndexing(flags.data, resolve(flags.library), agents.registry);
    await indexFolder({ ...ports, cancel: flags.cancel });
    return (await openLibrary(ports.store)).index;
  } finally {
    close();
  }
}
