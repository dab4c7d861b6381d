/**
 * Workstations and people at work against the real server while everything fails at random (tests/fixtures/faults).
 * `npm run soak -- sync` runs the same for long, with a server process that is killed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runHistory } from '../fixtures/faults/history.ts';
import { serverInside } from '../fixtures/faults/servers.ts';
import { runs } from '../fixtures/runs.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test(
  'SYNC-30 whatever happens, every result is in the catalog once and byte for byte, no question has two answers, and all agree',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'accession-faults-'));
    ends.push(() => rm(data, { recursive: true, force: true }));
    const server = await serverInside(data);
    ends.push(() => server.close());
    for (let seed = 1; seed <= runs(1, 30); seed += 1) {
      const outcome = await runHistory({
        ...{ server, seed, name: `h${seed}`, rounds: 20, workstations: 2, faults: 0.3, kills: 2 },
      });
      const { operations, faults, published, tracks, reviews, ...wrong } = outcome;
      expect(wrong).toEqual({ lost: [], duplicated: [], diverged: [], wrong_bytes: [], two_answers: [] });
      expect(Math.min(operations, faults, published, tracks)).toBeGreaterThan(3);
      expect(reviews).toBeGreaterThan(0);
    }
  },
  runs(120_000, 3_600_000),
);
