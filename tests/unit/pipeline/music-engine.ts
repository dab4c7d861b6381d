import type { AgentEngine } from '#core/run/agent.ts';
import { createMusicEngine } from '#lanes/music/agent/music-engine.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { testClock } from '../../fixtures/job.ts';
import type { Records } from './records.ts';

/** The real workflow of music over a made-up catalog. */
export function musicEngine({
  records,
  index,
}: {
  records: Records;
  index(): Promise<CatalogIndex | null>;
}): AgentEngine {
  return createMusicEngine({
    index,
    clock: testClock(),
    timers: { set: (run) => setImmediate(run), clear: () => undefined },
    requests: async () => [...records.requests.values()].filter(({ status }) => status === 'pending'),
    cursor: async () => 'version 1',
  });
}
