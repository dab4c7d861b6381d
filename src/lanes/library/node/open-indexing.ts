import { createHash, randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import { failed } from '#core/errors.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import type { IndexingPorts } from '#lanes/library/core/indexing/ports.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { agentsFromFiles } from '#lanes/library/core/model/agent-files.ts';
import type { ModelAsker } from '#lanes/library/core/model/model-ingester.ts';
import { readAgentFolder } from './agent-folder.ts';
import { diskFolder } from './disk-folder.ts';
import { diskLibrary } from './disk-library.ts';
import { nodePdfReader } from './pdf-files.ts';
import { nodeParser } from './syntax-files.ts';

/** The directory of a folder's library, below the data directory. `folder`: its real path. */
export function libraryDirectory(data: string, folder: string): string {
  return join(data, 'library', createHash('sha256').update(folder).digest('hex').slice(0, 32));
}

export interface IndexingWishes {
  /** The model that agents may ask; none where it is not said. */
  ask?: ModelAsker;
  /** A sentence for each file of the agents' folder that is no agent. */
  say?: (line: string) => void;
}

/**
 * All that indexing a folder of this machine needs, with the agents of the data directory (`agents/*.md`). Throws
 * AccessionError `not_found` where there is no such folder.
 */
export async function openIndexing(data: string, path: string, wishes: IndexingWishes = {}): Promise<IndexingPorts> {
  const folder = await realpath(path).catch(() => null);
  if (folder === null) throw failed('not_found', `There is no folder "${path}".`, { subject: path });
  const ask = wishes.ask ?? null;
  const own = libraryAgents({ syntax: nodeParser(), pdf: nodePdfReader(), ask });
  const { agents, refused } = await agentsFromFiles(await readAgentFolder(join(data, 'agents')), own, ask);
  for (const { file, line, message } of refused) wishes.say?.(`no agent: ${file}, line ${line}: ${message}`);
  return {
    folder: diskFolder(folder),
    store: diskLibrary(libraryDirectory(data, folder)),
    registry: ingesterRegistry([{ ingesters: own }, { ingesters: agents }]),
    clock: { now: () => Date.now() },
    ids: { next: randomUUID },
    timers: {
      set: (run, ms) => setTimeout(run, ms),
      clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
    },
    hash: (bytes) => Promise.resolve(createHash('sha256').update(bytes).digest('hex')),
    decode: decodeLegacy,
  };
}
