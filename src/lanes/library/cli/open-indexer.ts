/** The indexer of a server over this machine's folders, agents and parsers. */
import { createHash, randomUUID } from 'node:crypto';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import { messageOf } from '#core/errors.ts';
import type { Cancel } from '#core/ports.ts';
import { diskFolder } from '#lanes/library/node/disk-folder.ts';
import { openAgents } from '#lanes/library/node/open-agents.ts';
import { readingPorts } from '#lanes/library/node/reading-ports.ts';
import type { LibraryConfig } from '#server/config-file.ts';
import type { Store } from '#server/store/store.ts';
import { freeFolders } from '#lanes/library/server/leases.ts';
import { folderId } from '#lanes/library/server/folders.ts';
import { indexNext, type IndexerUsing } from '#lanes/library/server/indexer.ts';

/** Between two looks for a folder that waits, milliseconds. */
const LOOK_MS = 1_000;

export interface IndexerOptions {
  store: Store;
  library: LibraryConfig;
  /** Makes vectors of what is read. */
  embedder?: Embedder | null;
  stop: Cancel & Pick<AbortSignal, 'addEventListener'>;
  say(line: string): void;
  /** Its name among processes that index; another of this name is gone. */
  holder?: string | undefined;
}

export interface OpenIndexer {
  /** Until no folder waits. */
  once(): Promise<void>;
  /** Until it is stopped. */
  forever(): Promise<void>;
  close(): void;
}

export async function openIndexer({
  store,
  library,
  embedder = null,
  stop,
  say,
  holder = randomUUID(),
}: IndexerOptions): Promise<OpenIndexer> {
  const { agents, close } = await openAgents([library.agents], { say });
  const folders = library.folders.map(({ name }) => folderId(name));
  agents.onChange(() => {
    // Their files are read again: every folder is looked through now.
    store
      .write((tx) =>
        tx
          .updateTable('library_folders')
          .set({ due_at: Date.now() })
          .where('id', 'in', [...folders, ''])
          .execute(),
      )
      .catch((thrown: unknown) => say(messageOf(thrown)));
  });
  const using: IndexerUsing = {
    ...readingPorts,
    ...{ store, stop, say, folders, embedder, everyMs: library.everyMs, mostFiles: library.mostFiles },
    ids: { next: () => `${holder}.${randomUUID()}` },
    hash: (bytes) => Promise.resolve(createHash('sha256').update(bytes).digest('hex')),
    registry: agents.registry,
    openFolder: diskFolder,
  };
  const next = async (): Promise<boolean> => {
    try {
      return await indexNext(using);
    } catch (thrown) {
      // The database is away or full: the next look finds it again.
      say(`the folders could not be asked for: ${messageOf(thrown)}`);
      return false;
    }
  };
  return {
    async once() {
      while (!stop.aborted && (await indexNext(using)));
    },
    async forever() {
      await freeFolders(store, holder);
      while (!stop.aborted) if (!(await next())) await rest(stop);
    },
    close,
  };
}

const rest = (stop: IndexerOptions['stop']): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, LOOK_MS);
    stop.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
