import { describe, expect, it } from 'vitest';
import { replayRun } from '#lanes/guide/core/run/replay.ts';
import { demand, one, played, reply } from './run-case.ts';

const START = 'AI metadata remediation started for channel';
const SUCCESS = 'AI metadata remediation completed — success';
const FAILURE = 'AI metadata remediation completed — failure';

describe('GUIDE-87 success and escalation', () => {
  it('fewer faults are a success up to 0.4, and none above', async () => {
    const mends = (count: number) => ({ reparse_filename_metadata: { EPISODE_NUM_MISSING: count } });
    const { runs, world } = await played(one({ EPISODE_NUM_MISSING: 50 }, mends(9)), [demand(0)]);
    expect(runs).toEqual(['demand global failure: reparse enrich 0.5>0.41 !']);
    expect(world.store.escalations).toEqual([
      { run: 'r1', channel: null, at: 2000, reason: 'ratio', number: 0.41, limit: 0.4 },
    ]);
    expect((await played(one({ EPISODE_NUM_MISSING: 50 }, mends(10)), [demand(0)])).runs[0]).toContain('success');
  });

  it('faults of form count for the success, not for the ratio', async () => {
    const world = one({ XMLTV_VALIDATION_ERROR: 90 }, { rebuild_xmltv: { XMLTV_VALIDATION_ERROR: 1 } });
    expect((await played(world, [demand(0)])).runs).toEqual(['demand global success: rebuild 0>0']);
  });
});

describe('GUIDE-88 what is cut', () => {
  it('a dead process leaves a failure and a free key', async () => {
    const world = { ...one({ EPISODE_NUM_MISSING: 50 }), takes: { reparse_filename_metadata: 100 } };
    const { runs, logs } = await played(world, [demand(0, 'c1'), { do: 'crash', at: 50 }, demand(350, 'c1')]);
    expect(runs.map((run) => run.split(':')[0])).toEqual(['demand c1 failure interrupted', 'demand c1 failure']);
    expect(logs.slice(0, 3)).toEqual([`0 ${START} c1`, `50 ${FAILURE}`, `350 ${START} c1`]);
  });

  it('a run that throws leaves a failure and a free key, and what it could not see counts as 0', async () => {
    const { runs } = await played({ ...one({ EPISODE_NUM_MISSING: 50 }), broken: true }, [demand(0), demand(300)]);
    expect(runs).toEqual(Array(2).fill('demand global failure error:  0.5>0.5 !'));
  });
});

describe('GUIDE-89 the suspension', () => {
  const nothing = one({ EPISODE_NUM_MISSING: 30 });
  const at = (...seconds: number[]) => seconds.map((second) => demand(second));

  it('comes with the third run that changed nothing, and says so once', async () => {
    const { logs } = await played(nothing, at(0, 400, 800, 1000, 4401, 4402, 4800));
    expect(logs.filter((line) => line.includes('suspended'))).toEqual([
      '802 Metadata self-resolution temporarily suspended for channel global',
    ]);
    // Behind it one run is one run again.
    expect(logs.at(-1)).toBe(`4802 ${FAILURE}`);
  });

  it('does not count what was aborted, interrupted or broken', async () => {
    const { runs } = await played(nothing, [
      ...at(0, 400),
      { do: 'set', at: 700, containment: true },
      demand(800),
      { do: 'set', at: 900, containment: false },
      demand(1200),
      { do: 'crash', at: 1200.5 },
      ...at(1600, 2000),
    ]);
    expect(runs.map((run) => run.split(':')[0]?.replace('demand global ', ''))).toEqual([
      ...['failure', 'failure', 'aborted containment', 'failure interrupted', 'failure', 'skipped suspended'],
    ]);
  });

  it('begins anew where the ratio is lower than at the end of the run before', async () => {
    const better = { do: 'import' as const, at: 900, channel: 'c1', programmes: 100 };
    // 4 % warn of nothing.
    const { runs } = await played(nothing, [
      ...at(0, 400),
      { ...better, faults: { METADATA_LOOKUP_FAILURE: 4 } },
      ...at(1000, 1400, 1800, 2200, 2600),
    ]);
    expect(runs.at(-1)).toBe('demand global skipped suspended: ');
    expect(runs.filter((run) => run.includes('failure'))).toHaveLength(6);
  });

  it('is of one key, and a person lifts it', async () => {
    const events = [0, 400, 800].map((second) => demand(second, 'c1'));
    const other = await played(nothing, [
      ...events,
      demand(900),
      { do: 'lift', at: 950, channel: 'c1' },
      demand(1250, 'c1'),
    ]);
    expect(other.runs.slice(3).map((run) => run.split(':')[0])).toEqual(['demand global failure', 'demand c1 failure']);
  });
});

it('GUIDE-90 log lines and counters, word for word', async () => {
  const world = one({ EPISODE_NUM_MISSING: 30 }, { reparse_filename_metadata: { EPISODE_NUM_MISSING: 30 } });
  const { logs, world: left } = await played(world, [demand(0), demand(1), demand(400, 'c1')]);
  expect(logs).toEqual([`0 ${START} global`, `1 ${SUCCESS}`, `400 ${START} c1`, `400 ${SUCCESS}`]);
  expect(left.store.memory.counters).toEqual({
    ai_metadata_resolution_attempt_total: 2,
    ai_metadata_resolution_success_total: 2,
    ai_metadata_resolution_abort_total: 0,
    ai_metadata_tool_selected: { reparse_filename_metadata: 1 },
  });
});

it('GUIDE-91 what a person undid is not filled again, until other programmes come', async () => {
  const world = one({ EPISODE_NUM_MISSING: 5 }, { reparse_filename_metadata: { EPISODE_NUM_MISSING: 5 } });
  const again = { do: 'import' as const, at: 800, channel: 'c1', programmes: 100, faults: { EPISODE_NUM_MISSING: 5 } };
  const { runs, world: left } = await played(world, [
    demand(0),
    { do: 'undo', at: 100, run: 0 },
    demand(400),
    again,
    demand(900),
  ]);
  expect(runs.map((run) => run.split(':')[1])).toEqual([
    ' reparse 0.05>0',
    ' reparse enrich 0.05>0.05',
    ' reparse 0.05>0',
  ]);
  expect(left.overwritten).toBe(0);
});

it('GUIDE-92 a clock that is set back by a day locks a key for one cooldown', async () => {
  const { world } = await played(one({ EPISODE_NUM_MISSING: 30 }), [demand(90_000)]);
  const asked = async () => {
    const triggered = await world.runs.trigger({ how: 'demand', channel: null, by_run: false });
    return triggered.begun ? 'begun' : triggered.reason;
  };
  world.time.jump(3000);
  expect(await asked()).toBe('cooldown');
  world.time.jump(3000 + 299_999);
  expect(await asked()).toBe('cooldown');
  world.time.jump(3000 + 300_000);
  expect(await asked()).toBe('begun');
});

describe('GUIDE-93 the journal', () => {
  const journalOf = async () => {
    const world = one({ EPISODE_NUM_MISSING: 30 }, { re_enrich_metadata: { EPISODE_NUM_MISSING: 7 } });
    const { world: left } = await played(world, [demand(0, null, [reply('re_enrich_metadata')])]);
    return { lines: await left.store.journal('r1'), record: left.store.records[0] };
  };

  it('told again gives the same steps, end and changes', async () => {
    const { lines, record } = await journalOf();
    expect(lines.map(({ event }) => event.kind)).toEqual([
      ...['begun', 'looked', 'replied', 'looked', 'used', 'looked', 'used', 'looked'],
    ]);
    const { run, end, diff } = replayRun(lines);
    expect({ steps: run.steps, outcome: end?.outcome, ratio_after: end?.ratio_after }).toEqual({
      ...{ steps: record?.outcome === 'success' ? record.steps : [], outcome: 'success', ratio_after: 0.23 },
    });
    expect(diff).toBe(replayRun(lines).diff);
    expect(JSON.parse(diff)).toHaveLength(2);
  });

  it('with a gap, another order or nothing is refused', async () => {
    const { lines } = await journalOf();
    expect(() => replayRun([])).toThrow('begins with its begin');
    expect(() => replayRun(lines.filter((_, index) => index !== 2))).toThrow('a gap before line 4');
    const swapped = lines.map((line, index) => ({
      ...line,
      event: lines[index === 2 ? 4 : index]?.event ?? line.event,
    }));
    expect(() => replayRun(swapped)).toThrow('did not wait for "used"');
  });
});
