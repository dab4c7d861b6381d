/** The indexer of a server that has folders: `accession library` in a process of its own, so that reading holds up nobody. */
import { randomUUID } from 'node:crypto';
import type { LaneUsing } from '#server/lane-server.ts';
import { keepRunning } from '#server/work/kept-process.ts';

export interface Indexer {
  close(): Promise<void>;
}

export function startIndexer({ clock, log, directory }: LaneUsing): Indexer {
  const stop = new AbortController();
  const env = { ACCESSION_DATA: directory };
  const args = ['library', '--holder', randomUUID()];
  const running = keepRunning({ name: 'indexer', number: 1, args, env, clock, log }, stop.signal);
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
