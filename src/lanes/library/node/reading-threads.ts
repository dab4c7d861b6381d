import { Worker } from 'node:worker_threads';
import { ReadingPool } from '#lanes/library/core/indexing/reading-pool.ts';
import type { FromThread, ReadingThread } from '#lanes/library/core/indexing/thread-messages.ts';
import type { IndexingPorts } from '#lanes/library/core/indexing/ports.ts';
import type { LiveAgents } from '#lanes/library/core/model/live-agents.ts';
import { readingPorts } from './reading-ports.ts';

/** Files that wait in each thread for their turn, so that none is idle. */
const AHEAD = 3;

/** Reads files in threads of this process. Where it may open none, the caller reads by itself: null. */
export function openReadingThreads(
  agents: LiveAgents,
  threads: number,
): { elsewhere: NonNullable<IndexingPorts['elsewhere']>; close(): void } | null {
  if (process.permission !== undefined && !process.permission.has('worker')) return null;
  const pool = new ReadingPool({ agents, timers: readingPorts.timers, open: openThread, threads });
  return {
    elsewhere: { read: (known, bytes) => pool.read(known, bytes), atOnce: threads * AHEAD },
    close: () => pool.close(),
  };
}

function openThread(): ReadingThread {
  const worker = new Worker(new URL('./reading.thread.ts', import.meta.url));
  // What waits for its answer keeps the program alive, not the thread.
  worker.unref();
  let ended = false;
  return {
    post(message) {
      worker.ref();
      worker.postMessage(message);
    },
    listen(heard, died) {
      const die = (why: string): void => {
        if (!ended) died(why);
        ended = true;
      };
      worker.on('message', (message: FromThread) => {
        if (message.kind === 'read' || message.kind === 'failed') worker.unref();
        heard(message);
      });
      worker.on('error', (error) => die(error instanceof Error ? error.message : 'error'));
      worker.on('exit', (code) => die(`it ended with ${code}`));
    },
    end() {
      ended = true;
      void worker.terminate();
    },
  };
}
