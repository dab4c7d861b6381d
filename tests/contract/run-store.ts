/** What guarded runs go by, over every store of theirs (ports in src/lanes/guide/core/run/ports.ts). */
import { afterEach, describe, expect, test } from 'vitest';
import { FAULT_TYPES, type FaultType } from '#lanes/guide/core/faults/fault.ts';
import { channelLabel, GuideRuns } from '#lanes/guide/core/run/guide-runs.ts';
import { NEW_MEMORY } from '#lanes/guide/core/run/memory.ts';
import type { LogLine, RunArchive, RunPorts, RunStore, ToolUse, Written } from '#lanes/guide/core/run/ports.ts';
import { replayRun } from '#lanes/guide/core/run/replay.ts';
import { DEFAULT_RUN_SETTINGS, type GuideView, type RunRecord } from '#lanes/guide/core/run/run.types.ts';

export interface KeptRuns {
  store: RunStore;
  archive: RunArchive;
  log(): Promise<LogLine[]>;
}

export interface OpenRuns extends KeptRuns {
  /** The same, as another process opens it. */
  again(): Promise<KeptRuns>;
  close(): Promise<void>;
}

const RECORD: RunRecord = {
  ...{ id: 'a', at: 5, how: 'demand', channel: null, outcome: 'skipped', reason: 'active' },
};
const NOTHING: Omit<Written, 'memory'> = { journal: [], log: [], records: [], escalations: [] };
const OPEN = Object.fromEntries(FAULT_TYPES.map((type) => [type, 0])) as Record<FaultType, number>;
const VIEW: GuideView = {
  ...{ programmes: 100, failing: 30, plex_mismatch: false, recent_errors: '' },
  open: { ...OPEN, EPISODE_NUM_MISSING: 30 },
};
const MEND = { where: 'c1@1', field: 'episode-num', before: null, after: '0.1.', source: 'title', reasons: ['said'] };
const MENDED: ToolUse = { report: { changed: 1, diff: [MEND], skipped: [] }, failure: null };
const IDLE: ToolUse = { report: { changed: 0, diff: [], skipped: [] }, failure: null };

export function runStoreSuite(name: string, open: () => Promise<OpenRuns>): void {
  describe(name, () => {
    const opened: OpenRuns[] = [];
    const time = { now: 1_700_000_000_000 };
    let ids = 0;
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
    });
    const runs = async (): Promise<OpenRuns> => {
      const one = await open();
      opened.push(one);
      return one;
    };

    /** A process that drives runs over this store; `use` is what each tool does. */
    const process = ({ store }: KeptRuns, owner: string, more: Partial<RunPorts> = {}): GuideRuns =>
      new GuideRuns({
        ...{ clock: { now: () => time.now }, ids: { next: () => `r${++ids}` }, owner, store },
        settings: () => Promise.resolve({ ...DEFAULT_RUN_SETTINGS, metadata_self_resolution_enabled: true }),
        view: () => Promise.resolve(VIEW),
        signs: () => Promise.resolve({ containment: false, restarts: [], pool: null }),
        probe: () => Promise.resolve(true),
        ask: () => Promise.resolve(null),
        use: () => Promise.resolve(IDLE),
        said: () => undefined,
        ...more,
      });
    const demand = (driver: GuideRuns, channel: string | null = null) =>
      driver.trigger({ how: 'demand', channel, by_run: false });
    /** To its end; what became of it. */
    const ended = async (driver: GuideRuns, channel: string | null = null): Promise<string> => {
      const begun = await demand(driver, channel);
      if (!begun.begun) return begun.reason;
      await begun.ended;
      return 'ran';
    };
    test('GUIDE-100 a change is whole or not at all, and another process sees it', async () => {
      const { store, archive, again } = await runs();
      expect(await archive.memory()).toEqual(NEW_MEMORY);
      const memory = { ...NEW_MEMORY, counters: { ...NEW_MEMORY.counters, ai_metadata_resolution_attempt_total: 7 } };
      const escalation = { run: 'a', channel: 'c1', at: 5, reason: 'ratio' as const, number: 0.5, limit: 0.4 };
      const line = { run: 'a', n: 1, at: 5, event: { kind: 'probed' as const, ok: true } };
      const said = { at: 5, text: 'AI metadata remediation completed — failure' };
      await store.change(() => ({
        ...{ memory, journal: [line], log: [said], records: [RECORD], escalations: [escalation], value: null },
      }));
      await expect(
        store.change(() => {
          throw new Error('broken');
        }),
      ).rejects.toThrow('broken');
      const other = await again();
      expect(await other.archive.memory()).toEqual(memory);
      expect(await other.store.journal('a')).toEqual([line]);
      expect(await other.log()).toEqual([said]);
      expect(await other.archive.escalations(9)).toEqual([escalation]);
      expect(await other.archive.record('a')).toEqual(RECORD);
      expect(await other.archive.record('b')).toBeNull();
      expect(await other.store.journal('b')).toEqual([]);
    });

    test('GUIDE-100 of changes at the same time none is lost', async () => {
      const one = await runs();
      const stores = [one.store, (await one.again()).store];
      const add = (store: RunStore) =>
        store.change((memory) => {
          const { counters } = memory;
          const count = counters.ai_metadata_resolution_abort_total + 1;
          const next = { ...memory, counters: { ...counters, ai_metadata_resolution_abort_total: count } };
          return { ...NOTHING, memory: next, value: count };
        });
      const counted = await Promise.all(Array.from({ length: 20 }, (_, n) => add(stores[n % 2] ?? one.store)));
      expect(counted.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    });

    test('GUIDE-102 of two processes at once one has the run, and what it did is told again from its journal', async () => {
      const first = await runs();
      const other = await first.again();
      let go: (use: ToolUse) => void = () => undefined;
      const used = new Promise<ToolUse>((resolve) => (go = resolve));
      const drivers = [first, other].map((one, n) => process(one, `p${n}`, { use: () => used }));
      const begun = await Promise.all(drivers.map((driver) => demand(driver)));
      go(MENDED);
      expect(begun.map((one) => (one.begun ? 'begun' : one.reason)).sort()).toEqual(['active', 'begun']);
      for (const one of begun) if (one.begun) await one.ended;
      const run = (await other.archive.records(9)).find(({ outcome }) => outcome !== 'skipped');
      if (run === undefined || run.outcome === 'skipped') throw new Error('no run');
      expect(run.steps.map(({ tool, report }) => [tool, report.changed])).toEqual([
        ['reparse_filename_metadata', 1],
        ['re_enrich_metadata', 1],
      ]);
      const told = replayRun(await other.store.journal(run.id));
      expect([told.run.steps, told.end?.outcome]).toEqual([run.steps, run.outcome]);
      expect((await other.log()).map(({ text }) => text)).toEqual([
        `AI metadata remediation started for channel ${channelLabel(null)}`,
        'AI metadata remediation completed — failure',
      ]);
    });

    test('GUIDE-102 a run whose process died gets its end from another one, once, and its key is free', async () => {
      const first = await runs();
      const left = new Promise<ToolUse>(() => undefined);
      const begun = await demand(process(first, 'dead', { use: () => left }), 'c1');
      expect(begun.begun).toBe(true);
      await expect.poll(async () => (await first.archive.memory()).active[0]?.waits.for).toBe('tool');
      const other = await first.again();
      const next = process(other, 'alive');
      expect(await ended(next, 'c1')).toBe('active');
      await Promise.all([next.recover((owner) => owner === 'dead'), next.recover((owner) => owner === 'dead')]);
      const run = (await other.archive.records(9)).find(({ outcome }) => outcome !== 'skipped');
      expect(run).toMatchObject({ channel: 'c1', outcome: 'failure', reason: 'interrupted' });
      expect((await other.log()).filter(({ text }) => text.includes('completed'))).toHaveLength(1);
      expect((await other.archive.memory()).active).toEqual([]);
      time.now += 301_000;
      expect(await ended(next, 'c1')).toBe('ran');
    });

    test('GUIDE-103 cooldowns, counts, suspensions and the breaker are there after a restart', async () => {
      const first = await runs();
      expect(await ended(process(first, 'a'))).toBe('ran');
      const second = process(await first.again(), 'b');
      expect(await ended(second)).toBe('cooldown');
      for (let run = 0; run < 2; run += 1) {
        time.now += 301_000;
        expect(await ended(second)).toBe('ran');
      }
      for (let failures = 0; failures < 3; failures += 1) await second.lookedUp(false);
      const third = await first.again();
      time.now += 301_000;
      expect(await ended(process(third, 'c'))).toBe('suspended');
      expect((await third.log()).at(-1)?.text).toBe(
        'Metadata self-resolution temporarily suspended for channel global',
      );
      expect((await third.archive.memory()).circuit).toMatchObject({ failures: 3, rest_ms: 60_000 });
      expect((await third.archive.memory()).counters.ai_metadata_resolution_attempt_total).toBe(3);
      await process(third, 'c').lift(null);
      expect(await ended(process(await first.again(), 'd'))).toBe('ran');
    });
  });
}
