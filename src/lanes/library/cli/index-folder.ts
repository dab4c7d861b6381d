import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { AccessionError } from '#core/errors.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import { fillVectors } from '#lanes/library/core/vectors/fill-vectors.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import type { Manifest } from '#lanes/library/core/indexing/manifest.ts';
import type { IndexingPorts, IndexProgress } from '#lanes/library/core/indexing/ports.ts';
import type { ModelAsker } from '#lanes/library/core/model/model-ingester.ts';
import { agentsFolder, openAgents } from '#lanes/library/node/open-agents.ts';
import { openReadingThreads } from '#lanes/library/node/reading-threads.ts';
import { openIndexing } from '#lanes/library/node/open-indexing.ts';

export interface IndexFlags {
  /** The data directory; the library is kept there. */
  data: string;
  /** A folder of agents beside that of the data directory. */
  agents?: string | undefined;
  /** Go on until it is cancelled: what changes in the folder, and which agents there are, is in force soon. */
  watch?: boolean | undefined;
  cancel: AbortSignal;
  ask?: ModelAsker;
  /** Makes vectors of what was read; absent or null: none. */
  embedder?: Embedder | null;
  /** Threads that read files; as many as there are cores, where it is not said. */
  jobs?: number | undefined;
  say(line: string): void;
}

/** Milliseconds between two looks at a folder that is watched, at least; a folder that takes long is looked at less often. */
const LOOK_MS = 2_000;
const REST = 20;

/** `index DIR`: brings the library of a folder up to date, and says what was read and what was left out. */
export async function indexCommand(directory: string, flags: IndexFlags): Promise<void> {
  const { data, agents: folder, watch = false, cancel, ask = null, embedder = null, say } = flags;
  const folders = [agentsFolder(data), ...(folder === undefined ? [] : [resolve(folder)])];
  const { agents, close } = await openAgents(folders, { ask, say });
  const threads = openReadingThreads(agents, flags.jobs ?? availableParallelism());
  cancel.addEventListener('abort', () => threads?.close());
  try {
    const ports = { ...(await openIndexing(data, resolve(directory), agents.registry)), ...elsewhereOf(threads) };
    const once = async (always: boolean): Promise<void> => {
      await indexOnce({ ...ports, cancel }, say, always);
      if (embedder !== null) await makeVectors({ ...ports, embedder, cancel }, say, always);
    };
    if (!watch) return await once(true);
    for (let first = true; !cancel.aborted; first = false) {
      const begun = performance.now();
      const registry = agents.registry();
      try {
        await once(first);
      } catch (thrown) {
        if (thrown instanceof AccessionError && thrown.failure.code === 'cancelled') return;
        throw thrown;
      }
      if (first) say('watching it until Ctrl-C');
      await rest(Math.max(LOOK_MS, REST * (performance.now() - begun)), cancel, (wake) => {
        if (agents.registry() !== registry) wake();
        return agents.onChange(wake);
      });
    }
  } finally {
    threads?.close();
    close();
  }
}

const elsewhereOf = (threads: ReturnType<typeof openReadingThreads>): Pick<IndexingPorts, 'elsewhere'> =>
  threads === null ? {} : { elsewhere: threads.elsewhere };

/** Says how far it is at the start and every few thousand. */
export async function makeVectors(
  ports: IndexingPorts & { embedder: Embedder },
  say: (line: string) => void,
  always = true,
): Promise<void> {
  let [made, last, of] = [0, -Infinity, 0];
  await fillVectors({
    ...ports,
    onVectors(known, pieces) {
      [made, of] = [known, pieces];
      if (known === pieces || known - last < SAID_EVERY) return;
      last = known;
      say(`${known} of ${pieces} passages have a vector of ${ports.embedder.name}`);
    },
  });
  if (always || last >= 0) say(`${made} of ${of} passages have a vector of ${ports.embedder.name}`);
}

const SAID_EVERY = 2_000;

/** `always`: also where there was nothing to read. */
async function indexOnce(ports: IndexingPorts, say: (line: string) => void, always: boolean): Promise<Manifest> {
  let last: IndexProgress | null = null;
  const manifest = await indexFolder({ ...ports, onProgress: (progress) => (last = progress) });
  const { found = 0, read = 0, chunks = 0 } = (last as IndexProgress | null) ?? {};
  if (!always && read === 0) return manifest;
  say(`${found} files with ${chunks} chunks are in the library; ${read} of them were read now`);
  const left = Object.entries(manifest.leftOut).map(([reason, count]) => `${count} ${reason}`);
  if (left.length > 0) say(`left out: ${left.join(', ')}`);
  for (const { path, why } of manifest.failed) say(`not read: ${path}: ${why}`);
  return manifest;
}

/** Resolves after some milliseconds, when it is cancelled, or when it is woken. `listen` answers how to end that. */
async function rest(ms: number, cancel: AbortSignal, listen: (wake: () => void) => () => void): Promise<void> {
  let end = (): void => undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    cancel.addEventListener('abort', () => resolve(), { once: true });
    const deafen = listen(resolve);
    end = () => {
      clearTimeout(timer);
      deafen();
    };
    if (cancel.aborted) resolve();
  });
  end();
}
