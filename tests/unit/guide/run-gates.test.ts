import { describe, expect, it } from 'vitest';
import { asksOfGuide, warnsEarly } from '#lanes/guide/core/run/triggers.ts';
import { demand, one, played } from './run-case.ts';

const EPISODES = { EPISODE_NUM_MISSING: 30 };
const HELP = { reparse_filename_metadata: { EPISODE_NUM_MISSING: 10 } };

describe('GUIDE-70 the gates', () => {
  it('say the first reason, and leave neither log nor counter', async () => {
    const off = { metadata_self_resolution_enabled: false };
    const imported = { do: 'import', at: 0, channel: 'c1', programmes: 100, faults: EPISODES, origin: 'run' } as const;
    const disabled = await played(one(EPISODES), [imported, demand(1)], { config: off });
    expect(disabled.runs).toEqual(['import global skipped disabled: ', 'demand global skipped disabled: ']);
    expect(disabled.logs).toEqual([]);
    expect(disabled.world.store.memory.counters.ai_metadata_resolution_attempt_total).toBe(0);

    // Under way and suspended at once cannot be; recursion goes before what is under way.
    const recursion = await played(one(EPISODES), [demand(0), { ...imported, at: 1 }]);
    expect(recursion.runs[1]).toBe('import global skipped recursion: ');
  });

  it('a suspension is said before a cooldown', async () => {
    const events = [0, 400, 800, 810].map((at) => demand(at));
    const { runs } = await played(one(EPISODES), events);
    expect(runs.at(-1)).toBe('demand global skipped suspended: ');
  });
});

it('GUIDE-71 GUIDE-76 whoever comes at the instant of an end is too early, and the first of two has the key', async () => {
  const { runs } = await played(one({}), [demand(0), demand(0), demand(1, 'c1')]);
  // The first has nothing to do and ends at once, but what happens at an instant comes before what is running.
  expect(runs.map((run) => run.split(':')[0])).toEqual([
    'demand global success',
    'demand global skipped active',
    'demand c1 success',
  ]);
  const later = await played(one(EPISODES), [demand(0), demand(2, 'c1')]);
  expect(later.runs[1]).toBe('demand c1 skipped active: ');
});

it('GUIDE-71 a channel that is called global is not the whole', async () => {
  const spec = { channels: { global: { programmes: 10, faults: EPISODES } }, repairs: {} };
  const { runs } = await played(spec, [demand(0, 'global'), demand(50)]);
  expect(runs.map((run) => run.split(':')[0])).toEqual(['demand global failure', 'demand global failure']);
});

describe('GUIDE-72 the cooldown', () => {
  it('counts from the end of an aborted run, and is as it was set', async () => {
    const events = [
      { do: 'set', at: 0, containment: true } as const,
      demand(0, 'c1'),
      { do: 'set', at: 1, containment: false } as const,
      demand(29.999, 'c1'),
      demand(30, 'c1'),
    ];
    const { runs } = await played(one(EPISODES, HELP), events, {
      config: { metadata_self_resolution_cooldown_sec: 30 },
    });
    expect(runs.map((run) => run.split(':')[0])).toEqual([
      'demand c1 aborted containment',
      'demand c1 skipped cooldown',
      'demand c1 success',
    ]);
  });

  it('of an interrupted run counts from its end', async () => {
    const events = [demand(0), { do: 'crash', at: 0.5 } as const, demand(300.4), demand(300.5)];
    const { runs } = await played(one(EPISODES, HELP), events);
    expect(runs.map((run) => run.split(':')[0])).toEqual([
      'demand global failure interrupted',
      'demand global skipped cooldown',
      'demand global success',
    ]);
  });
});

it.each([
  ...[
    'EPG',
    'What is wrong with the guide?',
    'guides!',
    'Placeholder',
    'PLACEHOLDERS',
    'xmltv-file',
    "the guide's end",
  ],
  'why is METADATA missing',
])('GUIDE-73 "%s" is about the guide', (text) => {
  expect(asksOfGuide(text)).toBe(true);
});

it.each(['misguided', 'guideline', 'EPGs', 'XMLTVs', 'meta data', 'my_guide', 'guide2', 'тguide', ''])(
  'GUIDE-73 "%s" is not',
  (text) => {
    expect(asksOfGuide(text)).toBe(false);
  },
);

describe('GUIDE-74 the early warning', () => {
  const none = { METADATA_LOOKUP_FAILURE: 0, EPISODE_NUM_MISSING: 0, MOVIE_YEAR_MISSING: 0, PLACEHOLDER_TITLE: 0 };
  const warns = (open: Partial<typeof none>, lookups: [number, number] = [0, 0], programmes = 200): boolean =>
    warnsEarly(
      {
        ...{ programmes, failing: 0, plex_mismatch: false, recent_errors: '' },
        open: { ...none, XMLTV_VALIDATION_ERROR: 99, LINEUP_MISMATCH: 99, ...open },
      },
      { failed: lookups[0], all: lookups[1] },
    );

  it('is given above each limit, and not at it', () => {
    expect([10, 11].map((count) => warns({ EPISODE_NUM_MISSING: count }))).toEqual([false, true]);
    expect([10, 11].map((count) => warns({ MOVIE_YEAR_MISSING: count }))).toEqual([false, true]);
    expect([10, 11].map((count) => warns({ PLACEHOLDER_TITLE: count }))).toEqual([false, true]);
    expect([3, 4].map((failed) => warns({}, [failed, 10]))).toEqual([false, true]);
    expect(warns({}, [0, 0], 0)).toBe(false);
  });

  it('looks at all channels together, and triggers the whole', async () => {
    const spec = { channels: { c1: { programmes: 150, faults: {} }, c2: { programmes: 50, faults: {} } }, repairs: {} };
    const events = [9, 10, 11].map((count, index) => ({
      ...{ do: 'import' as const, at: index * 10, channel: 'c2', programmes: 50 },
      faults: { MOVIE_YEAR_MISSING: count },
    }));
    expect((await played(spec, events)).runs).toEqual(['import global failure: reparse enrich 0.055>0.055']);
  });
});

it('GUIDE-75 GUIDE-76 the cadence begins over 0.2 and sees what happened at its own instant', async () => {
  const better = {
    do: 'import',
    at: 300,
    channel: 'c1',
    programmes: 100,
    faults: { EPISODE_NUM_MISSING: 20 },
  } as const;
  const off = await played(one({ EPISODE_NUM_MISSING: 21 }), [better], { cadence: true, until: 300 });
  // The import warns, the cadence has nothing to say any more.
  expect(off.runs.map((run) => run.split(':')[0])).toEqual(['import global failure']);
  const on = await played(one({ EPISODE_NUM_MISSING: 21 }), [], { cadence: true, until: 300 });
  expect(on.runs.map((run) => run.split(':')[0])).toEqual(['schedule global failure']);
});
