import { describe, expect, it } from 'vitest';
import { demand, one, played, reply } from './run-case.ts';

const FOUR = { EPISODE_NUM_MISSING: 20, METADATA_LOOKUP_FAILURE: 5, XMLTV_VALIDATION_ERROR: 3 };
const set = (at: number, changes: Record<string, unknown>) => ({ do: 'set' as const, at, ...changes });

describe('GUIDE-77 the guards', () => {
  it.each([
    [
      'containment before velocity',
      [set(0, { containment: true }), { do: 'restart' as const, at: 0, n: 10 }],
      'containment',
    ],
    ['velocity before the pool', [set(0, { pool: [1, 1] }), { do: 'restart' as const, at: 0, n: 10 }], 'velocity'],
    ['the pool before the circuit', [set(0, { pool: [9, 10], circuit: 'OPEN' })], 'pool'],
    ['the circuit', [set(0, { pool: [0, 0], circuit: 'OPEN' })], 'circuit'],
  ])('%s', async (_name, events, reason) => {
    const { runs, world } = await played(one({ EPISODE_NUM_MISSING: 30 }), [...events, demand(1)]);
    expect(runs).toEqual([`demand global aborted ${reason}:  0.3>0.3 !`]);
    expect(world.store.escalations).toMatchObject([{ run: 'r1', channel: null, at: 1000, reason }]);
  });

  it('are seen at the instant at which a step ends', async () => {
    const events = [demand(0), set(1, { containment: true })];
    expect((await played(one({ EPISODE_NUM_MISSING: 30 }), events)).runs).toEqual([
      'demand global aborted containment: reparse 0.3>0.3 !',
    ]);
  });

  it('do not matter where nothing is to be done', async () => {
    expect((await played(one({}), [set(0, { containment: true }), demand(0)])).runs).toEqual([
      'demand global success:  0>0',
    ]);
  });

  it('an empty pool is not busy', async () => {
    expect((await played(one({}), [set(0, { pool: [0, 0] }), demand(1)])).runs[0]).toContain('success');
  });
});

describe('GUIDE-78 the circuit', () => {
  it('opens with the third failed look-up in a row, and rests twice as long behind each failed probe', async () => {
    const { world } = await played(one({ EPISODE_NUM_MISSING: 1 }), []);
    const rest = (): number => (world.store.memory.circuit.retry_at ?? 0) - world.time.now();
    await world.runs.lookedUp(false);
    await world.runs.lookedUp(false);
    await world.runs.lookedUp(true);
    for (let n = 0; n < 2; n++) await world.runs.lookedUp(false);
    expect(world.store.memory.circuit.retry_at).toBeNull();
    await world.runs.lookedUp(false);
    expect(rest()).toBe(60_000);
    // What was begun before it opened says nothing new.
    await world.runs.lookedUp(false);
    await world.runs.lookedUp(true);
    expect(rest()).toBe(60_000);
    const rests: number[] = [];
    for (let n = 0; n < 5; n++) {
      world.time.jump(world.time.now() + rest());
      await world.runs.lookedUp(false);
      rests.push(rest() / 1000);
    }
    expect(rests).toEqual([120, 240, 480, 900, 900]);
  });

  it('half open lets one run probe', async () => {
    const spec = {
      channels: { c1: { programmes: 9, faults: FOUR }, c2: { programmes: 9, faults: FOUR } },
      repairs: {},
    };
    const { runs } = await played(spec, [
      set(0, { circuit: 'OPEN', for: 10, probe: 'fails' }),
      ...[demand(10, 'c1'), demand(10, 'c2')],
    ]);
    expect(runs.every((run) => run.includes('aborted circuit'))).toBe(true);
  });
});

describe('GUIDE-79 GUIDE-80 steps', () => {
  it('three at most, in order, the useless ones last in the next run', async () => {
    const { runs } = await played(one(FOUR), [demand(0), demand(400)]);
    expect(runs).toEqual([
      'demand global failure: rebuild refresh reparse 0.25>0.25',
      'demand global failure: enrich rebuild refresh 0.25>0.25',
    ]);
  });

  it('a guide that comes in lets the useless ones begin again, in the midst of a run, too', async () => {
    const again = { do: 'import' as const, channel: 'c1', programmes: 1000, faults: FOUR };
    const between = await played(one(FOUR), [demand(0), { ...again, at: 200 }, demand(400)]);
    expect(between.runs[1]).toBe('demand global failure: rebuild refresh reparse 0.025>0.025');
    const within = await played(one(FOUR), [demand(0), demand(400), { ...again, at: 400.5 }]);
    // Its first step was chosen before.
    expect(within.runs[1]).toContain('enrich rebuild refresh');
  });

  it('what only another channel has is no fault of this one', async () => {
    const spec = {
      channels: { c1: { programmes: 10, faults: {} }, c2: { programmes: 10, faults: FOUR } },
      repairs: {},
    };
    expect((await played(spec, [demand(0, 'c1')])).runs).toEqual(['demand c1 success:  0>0']);
  });
});

describe('GUIDE-81 tools cool', () => {
  const spec = {
    channels: {
      c1: { programmes: 100, faults: { XMLTV_VALIDATION_ERROR: 5 } },
      c2: { programmes: 100, faults: { XMLTV_VALIDATION_ERROR: 5 } },
    },
    repairs: {},
  };
  it('for the whole by a channel, 30 s from the end, and not for another channel', async () => {
    const { runs } = await played(spec, [
      demand(0, 'c1'),
      demand(1.5, 'c2'),
      demand(32.4),
      demand(400),
      demand(430.9, 'c1'),
    ]);
    expect(runs.map((run) => run.split(' ').slice(1).join(' '))).toEqual([
      'c1 failure: rebuild 0>0',
      'c2 failure: rebuild 0>0',
      // That of c2 ended at 2.5 s.
      'global failure:  0>0',
      'global failure: rebuild 0>0',
      'c1 failure:  0>0',
    ]);
    const later = await played(spec, [demand(0, 'c2'), demand(31)]);
    expect(later.runs[1]).toBe('demand global failure: rebuild 0>0');
  });

  it('behind a use that was cut', async () => {
    const { runs } = await played(spec, [demand(0, 'c1'), { do: 'crash', at: 0.5 }, demand(30.4)]);
    expect(runs).toEqual(['demand c1 failure interrupted:  0>0', 'demand global failure:  0>0']);
  });
});

describe('GUIDE-82 a model', () => {
  const spec = one({ EPISODE_NUM_MISSING: 30 });
  const said = async (...model: string[]) => (await played(spec, [demand(0, null, model)])).runs[0];

  it('may name what is possible, a look into the failures once, or STOP', async () => {
    expect(await said(reply('re_enrich_metadata'))).toContain(': enrich reparse');
    expect(await said(reply('fetch_metadata_logs'), reply('fetch_metadata_logs'))).toContain(': logs reparse enrich');
    expect(await said(reply('STOP'))).toBe('demand global failure:  0.3>0.3');
  });

  it('gets the order of the rules for anything else', async () => {
    for (const text of [reply('rebuild_xmltv'), reply('restart_channel'), reply('STOP', 0.29), 'no JSON', ''])
      expect(await said(text)).toContain(': reparse enrich');
  });

  it('is not asked where one tool is possible', async () => {
    const { world } = await played(spec, [demand(0, null, ['', reply('STOP'), reply('STOP')])]);
    expect(world.replies.get('r1')).toHaveLength(2);
  });

  it('is believed only where the guards still let it', async () => {
    const { world } = await played(spec, []);
    const asked = world.runs.trigger({ how: 'demand', channel: null, by_run: false });
    world.asked = () => {
      world.signs = { ...world.signs, containment: true };
    };
    await asked;
    await world.time.runUntil(10_000, true);
    expect(world.store.records).toMatchObject([{ outcome: 'aborted', reason: 'containment', steps: [] }]);
  });
});

describe('GUIDE-84 what fails', () => {
  it('gets one further attempt within the call, and none when it throws', async () => {
    const world = { ...one({ EPISODE_NUM_MISSING: 30 }, { reparse_filename_metadata: { EPISODE_NUM_MISSING: 30 } }) };
    const failing = await played({ ...world, fails: { reparse_filename_metadata: 1 } }, [demand(0)]);
    expect(failing.logs.at(-1)).toBe('2 AI metadata remediation completed — success');
    const twice = await played({ ...world, fails: { reparse_filename_metadata: 2 } }, [demand(0)]);
    expect(twice.runs).toEqual(['demand global failure: reparse enrich 0.3>0.3']);
    expect(twice.world.store.records[0]).toMatchObject({
      steps: [{ failure: 'It is away.', report: { changed: 0, diff: [] } }, { failure: null }],
    });
    const throwing = await played({ ...world, throws: ['reparse_filename_metadata'] }, [demand(0)]);
    expect(throwing.logs.at(-1)).toBe('2 AI metadata remediation completed — failure');
  });
});
