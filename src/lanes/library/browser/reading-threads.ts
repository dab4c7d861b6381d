/** Files read in workers of their own, which the page starts, so that questions are answered meanwhile. */
import { proxy } from 'comlink';
import { remoteOf, startBeside } from '#adapters/browser/worker-beside.ts';
import type { AgentTimers } from '#core/ingest/read-chunks.ts';
import type { IndexingPorts } from '#lanes/library/core/indexing/ports.ts';
import { ReadingPool } from '#lanes/library/core/indexing/reading-pool.ts';
import type { ReadingThread } from '#lanes/library/core/indexing/thread-messages.ts';
import type { LiveAgents } from '#lanes/library/core/model/live-agents.ts';
import type { ReadingApi } from './reading-thread.ts';

/** The page, its worker and others of this machine have something to do as well. */
const MOST_THREADS = 2;
/** Files that wait in each for their turn. */
const AHEAD = 2;

export function openReadingThreads(
  agents: LiveAgents,
  timers: AgentTimers,
): { elsewhere: NonNullable<IndexingPorts['elsewhere']>; close(): void } {
  const threads = Math.max(1, Math.min(MOST_THREADS, navigator.hardwareConcurrency - 2));
  const pool = new ReadingPool({ agents, timers, open: openThread, threads });
  return {
    elsewhere: { read: (known, bytes) => pool.read(known, bytes), atOnce: threads * AHEAD },
    close: () => pool.close(),
  };
}

function openThread(): ReadingThread {
  const worker = startBeside('reading');
  const opened = remoteOf<ReadingApi>(worker);
  return {
    post: (message) => void opened.then(({ remote }) => remote.hear(message)),
    listen(heard, gone) {
      void opened.then(({ remote }) => remote.listen(proxy(heard)));
      void worker.died.then(({ message }) => gone(message === '' ? null : message));
    },
    end: worker.terminate,
  };
}
