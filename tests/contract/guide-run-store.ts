import { describe, expect, test } from 'vitest';
import { NEW_MEMORY } from '#lanes/guide/core/run/memory.ts';
import type { RunArchive, RunStore, Written } from '#lanes/guide/core/run/ports.ts';
import type { Escalation, RunRecord } from '#lanes/guide/core/run/run.types.ts';

const nothing: Omit<Written, 'memory'> = {
  journal: [],
  log: [],
  records: [],
  escalations: [],
};
const skipped = (id: string, at: number): RunRecord => ({
  ...{
    id,
    at,
    how: 'demand',
    channel: null,
    outcome: 'skipped',
    reason: 'cooldown',
  },
});
const escalation = (run: string, at: number): Escalation => ({
  ...{ run, channel: null, at, reason: 'ratio', number: 0.5, limit: 0.4 },
});
const probed = (run: string, n: number) => ({
  run,
  n,
  at: n,
  event: { kind: 'probed' as const, ok: true },
});

/** Runs the conformance suite of the ports RunStore and RunArchive; each case gets a store of its own, empty. */
export function guideRunStoreContract(
  name: string,
  open: () => Promise<{
    store: RunStore;
    archive: RunArchive;
    close?: () => Promise<void>;
  }>,
): void {
  const withStore = (title: string, run: (store: RunStore, archive: RunArchive) => Promise<void>): void => {
    test(title, async () => {
      const { store, archive, close } = await open();
      try {
        await run(store, archive);
      } finally {
        await close?.();
      }
    });
  };
  const counted = (store: RunStore) =>
    store.change((memory) => {
      const seen = memory.counters.ai_metadata_resolution_attempt_total;
      const counters = {
        ...memory.counters,
        ai_metadata_resolution_attempt_total: seen + 1,
      };
      return { ...nothing, memory: { ...memory, counters }, value: seen };
    });

  describe(`runs in ${name}`, () => {
    withStore(
      'GUIDE-154 the memory begins empty, and changes at once do not lose each other',
      async (store, archive) => {
        expect(await archive.memory()).toEqual(NEW_MEMORY);
        const seen = await Promise.all([counted(store), counted(store), counted(store)]);
        expect(seen.sort()).toEqual([0, 1, 2]);
        expect((await archive.memory()).counters.ai_metadata_resolution_attempt_total).toBe(3);
      },
    );

    withStore('GUIDE-154 what is written together is there together, or not at all', async (store, archive) => {
      await store.change((memory) => ({
        ...{
          memory,
          journal: [probed('r1', 1), probed('r2', 1), probed('r1', 2)],
          log: [{ at: 1, text: 'line' }],
        },
        ...{
          records: [skipped('r1', 5), skipped('r2', 9), skipped('r3', 7)],
          value: null,
        },
        escalations: [escalation('r1', 5), escalation('r2', 6)],
      }));
      await expect(
        store.change(() => {
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await store.journal('r1')).toEqual([probed('r1', 1), probed('r1', 2)]);
      expect(await store.journal('none')).toEqual([]);
      expect((await archive.records(2)).map(({ id }) => id)).toEqual(['r2', 'r3']);
      expect(await archive.record('r1')).toEqual(skipped('r1', 5));
      expect(await archive.record('none')).toBeNull();
      expect((await archive.escalations(9)).map(({ run }) => run)).toEqual(['r2', 'r1']);
    });
  });
}
