/** A model that is asked about documents in doubt of a folder of this machine. */
import { decodeTextFile } from '#adapters/media/legacy-text.ts';
import type { Timers } from '#adapters/http/socket.ts';
import { sha256, wait } from '#adapters/llm/executor-ports.ts';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import { contentOf } from '#core/plan/replace-content.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { askAboutDocument } from '#lanes/documents/core/agent/ask-document.ts';
import { pageTextOf } from '#lanes/documents/core/agent/page-text-of.ts';
import type { Lookup } from '#lanes/documents/core/lookup/lookup.ts';
import { advisedFile } from '#lanes/documents/core/plan/advised-file.ts';
import type { ScannedFile } from '#lanes/documents/core/plan/scan-folder.ts';

/** Milliseconds for one answer: a person waits for the folder. */
const TIMEOUT_MS = 120_000;
const TIMERS: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

interface Advising {
  tree: FileTree;
  lookup: Lookup;
  clock: Clock;
  ids: Ids;
  signal: AbortSignal;
}

/** A model that failed at one document is asked no more: whoever waits would wait for each of them. */
export function adviser(
  provider: LlmProvider,
  { tree, lookup, clock, ids, signal }: Advising,
): (file: ScannedFile) => Promise<ScannedFile> {
  let hasFailed = false;
  return async (file) => {
    if (hasFailed) return file;
    const bytes = (): Promise<Uint8Array> => contentOf(tree, file.path);
    return advisedFile(
      file,
      async (doubt) => {
        const advised = await askAboutDocument(doubt, {
          executor: {
            ...{ provider, clock, sha256, signal },
            wait: (milliseconds, stop) => wait(TIMERS, milliseconds, stop),
          },
          context: { lookup, pageText: pageTextOf(file.path, bytes, nodePdfText(), decodeTextFile) },
          options: { temperature: 0, timeoutMs: TIMEOUT_MS, price: { in: 0, out: 0 } },
          ids,
          strategy: 'auto',
          // The same document is put in the same words each time.
          seed: parseInt((await sha256(file.id)).slice(0, 7), 16),
        });
        hasFailed = advised.failure !== null && advised.chosen === null;
        return advised;
      },
      lookup,
    );
  };
}
