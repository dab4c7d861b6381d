/** Files read in a worker of their own, so that questions are answered meanwhile. */
import type { AgentTimers } from '#core/ingest/read-chunks.ts';
import type { IndexingPorts } from '#lanes/library/core/indexing/ports.ts';
import { ReadingPool } from '#lanes/library/core/indexing/reading-pool.ts';
import type { FromThread, ReadingThread } from '#lanes/library/core/indexing/thread-messages.ts';
import type { LiveAgents } from '#lanes/library/core/model/live-agents.ts';

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
  // In one expression: that is how Vite sees that this file is a worker to be built, and not an asset to be copied.
  const worker = new Worker(new URL('../../../../workers/reading.worker.ts', import.meta.url), {
    type: 'module',
    name: 'reading',
  });
  return {
    post: (message) => worker.postMessage(message),
    listen(heard, died) {
      worker.addEventListener('message', ({ data }: MessageEvent<FromThread>) => heard(data));
      worker.addEventListener('error', ({ message }) => died(message === '' ? 'it cannot be loaded' : message));
    },
    end: () => worker.terminate(),
  };
}
