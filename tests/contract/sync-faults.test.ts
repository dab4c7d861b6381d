/**
 * Workstations, people, scripts and workers against the real server while everything fails at random
 * (tests/fixtures/faults), on both stores; on PostgreSQL with two servers side by side. `npm run soak -- sync` runs the
 * same for long, with server processes that are killed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runHistory } from '../fixtures/faults/history.ts';
import { sumOf } from '../fixtures/faults/kinds.ts';
import { WRONG } from '../fixtures/faults/outcome.ts';
import { serverInside } from '../fixtures/faults/servers.ts';
import { ON_SQLITE, onPostgres as setbacksOn, SETBACKS, type Setback } from '../fixtures/faults/setbacks.ts';
import { runs } from '../fixtures/runs.ts';
import { onPostgres } from '../fixtures/stores.ts';
import { releaseDatabase } from '../fixtures/test-store.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const TIMEOUT = runs(120_000, 3_600_000);

async function histories(count: number, first: number, kinds: readonly (Setback | null)[], seeds: number) {
  const data = await mkdtemp(join(tmpdir(), 'accession-faults-'));
  ends.push(() => rm(data, { recursive: true, force: true }));
  const server = await serverInside(data, { count });
  ends.push(async () => {
    await server.close();
    await releaseDatabase(data);
  });
  let uploads = 0;
  let taken = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const outcome = await runHistory({
      ...{
        server,
        seed,
        name: `h${seed}`,
        rounds: 16,
        workstations: 2,
        workers: 2,
        commands: 0,
        faults: 0.3,
        kills: 2,
      },
      setback: kinds[seed % kinds.length] ?? null,
    });
    const { faults, ...counts } = outcome;
    const wrong = WRONG.flatMap((kind) => outcome[kind].map((sentence) => `${kind}: ${sentence}`));
    expect(wrong, `seed ${seed}`).toEqual([]);
    expect(Math.min(counts.operations, sumOf(faults), counts.published, counts.tracks)).toBeGreaterThan(0);
    uploads += counts.uploads;
    taken += counts.taken;
  }
  // What a script sent outlasts some setbacks and not others: a log may be cut before all of it.
  const outlasts = kinds.some((kind) => kind === null || SETBACKS[kind].said !== 'unsure');
  expect(outlasts ? uploads : taken).toBeGreaterThan(0);
}

describe('histories (node:sqlite)', () => {
  test(
    'SYNC-30, SYNC-60, SYNC-61 FAULT-1, FAULT-16, FAULT-21 whatever happens, a log that was cut included, every result is in the catalog once and byte for byte, no question has two answers, and all agree',
    () => histories(1, 202, runs(1, 0) === 1 ? ['cut log'] : [null, ...ON_SQLITE], runs(1, 32)),
    TIMEOUT,
  );
});

onPostgres('histories of two servers on one database', () => {
  test(
    'SYNC-30 FAULT-2, FAULT-17 put back to an older backup in between, what that lost is published again, once',
    () => histories(2, 202, runs(1, 0) === 1 ? ['backup'] : [null, ...setbacksOn(false)], runs(1, 32)),
    TIMEOUT,
  );
});
