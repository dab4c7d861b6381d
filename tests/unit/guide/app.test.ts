import { describe, expect, it } from 'vitest';
import { fillMends } from '#lanes/guide/core/app/fill.ts';
import { countOpen, issuesOf } from '#lanes/guide/core/app/guide-view.ts';
import { ALL_FAULTS } from '#lanes/guide/core/app/open-faults.ts';
import { GuideChecker } from '#lanes/guide/core/faults/check-guide.ts';
import { GuideReader } from '#lanes/guide/core/read/guide-reader.ts';
import { EVERYTHING } from '#lanes/guide/core/store/guide-store.ts';
import { unpackFaults, unpackProgrammes } from '#lanes/guide/core/store/packed.ts';
import { AppWorld, guideXml, programme, SERIES, where } from './app-world.ts';

const NUMBERED = '<episode-num system="xmltv_ns">0.0.</episode-num>';
const bySubTitle = programme(10, `<title>Harbour</title><sub-title>S02E05</sub-title>${SERIES}`);
const byCatalog = programme(12, `<title>Harbour</title><sub-title>The Quay</sub-title>${SERIES}`);
const film = programme(14, '<title>Night Ferry (1987)</title><category>Film</category>');
const FAULTY = guideXml(bySubTitle, byCatalog, film, programme(16, `<title>Fine</title>${SERIES}${NUMBERED}`));
const ALL = { guides: null, channels: null };

describe('GUIDE-155 a guide in the store', () => {
  it('has the faults that a check of the file has, each with its programme', async () => {
    const xml = guideXml(
      ...[bySubTitle, film, programme(10, '<title>TBA</title>'), programme(9, '<title>A</title>', 'stop="bad"')],
      '<programme start="nonsense" channel="one"><title>B</title></programme>',
      '<programme start="20260310080000" channel="two@home"><title>C</title></programme><programme><title>D</title></programme>',
    );
    const checker = new GuideChecker();
    const reader = new GuideReader(checker);
    reader.write(xml);
    const { faults } = checker.end(reader.end());
    const world = new AppWorld();
    await world.comes(xml);
    expect(await world.open()).toEqual(faults.map(({ where: place, type, code }) => `${place} ${code ?? type}`).sort());
    const stored = (await world.faults()).find(({ where: place }) => place === 'two@home@20260310080000');
    expect(stored).toMatchObject({ channel: 'two@home', start: Date.UTC(2026, 2, 10, 8) });
    expect(await world.store.guide('g')).toMatchObject({ programmes: 7, whole: true });
  });

  it('that cannot be read at all leaves what was there', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    await expect(world.comes('<html><body>Sign in</body></html>')).rejects.toThrow('web page');
    expect(await world.store.guide('g')).toMatchObject({ programmes: 4, revision: 1 });
    await world.comes(FAULTY.slice(0, -40));
    const broken = await world.store.guide('g');
    expect(broken).toMatchObject({ programmes: 3, whole: false });
    expect(broken?.notes.join()).toContain('breaks off');
  });

  it('whose rows are damaged says so', () => {
    for (const text of ['{', '[[1]]', '[[1,2,3,["a"]]]', '7', '[[1,"x",3,["a","",{},[]]]]'])
      expect(() => unpackProgrammes(text)).toThrow('damaged');
    expect(() => unpackFaults('[[99,null,"w",null,null,null,null]]')).toThrow('damaged');
  });
});

describe('GUIDE-156 what is wrong, counted', () => {
  it('comes to issues of all and of one channel', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    const all = await countOpen(world.store, ALL_FAULTS);
    expect(all).toMatchObject({ programmes: 4, failing: 3 });
    expect(
      issuesOf(all, null).map(({ issue_type, affected_items_count }) => [issue_type, affected_items_count]),
    ).toEqual([
      ['EPISODE_NUM_MISSING', 2],
      ['MOVIE_YEAR_MISSING', 1],
    ]);
    const one = await countOpen(world.store, { ...ALL_FAULTS, channel: 'one' });
    expect(issuesOf(one, 'one')[0]).toMatchObject({ channel_id: 'one', metadata_failure_ratio: 0.5 });
    expect(await countOpen(world.store, { ...ALL_FAULTS, channel: 'none' })).toMatchObject({
      programmes: 0,
      failing: 0,
    });
  });

  it('has what a look-up failed at, until it is answered', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    const found = (await world.faults())[1];
    if (found === undefined) throw new Error('no fault');
    const { guide, start, about, title, where: place } = found;
    const failure = {
      guide,
      channel: 'one',
      start,
      about,
      title,
      where: place,
      code: 'timeout',
      sentence: 'No answer.',
      at: 1,
    };
    await world.store.noteLookups({ failed: [failure], answered: [] });
    expect(await world.open()).toContain(`${place} timeout`);
    expect((await countOpen(world.store, ALL_FAULTS)).failing).toBe(3);
    await world.store.noteLookups({ failed: [], answered: [failure] });
    expect(await world.open()).not.toContain(`${place} timeout`);
  });

  it.each([
    ['a fault', (of: object) => ({ kind: 'fault' as const, ...of }), 2],
    ['a title', () => ({ kind: 'title' as const, title: 'Harbour' }), 1],
    ['a type on a channel', () => ({ kind: 'type' as const, channel: 'one', type: 'EPISODE_NUM_MISSING' as const }), 1],
  ])('leaves out %s that is as it should be, undoably', async (_what, of, left) => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    const fault = (await world.faults()).find(({ where: place }) => place === where(10));
    if (fault === undefined) throw new Error('no fault');
    const dismissal = { schema_version: 1 as const, id: 'd', guide: 'g', at: 1, of: of(fault) as never };
    await world.store.putDismissals([dismissal]);
    expect(await world.faults()).toHaveLength(left);
    await world.comes(FAULTY);
    expect(await world.faults()).toHaveLength(left);
    await world.store.removeDismissals(['d']);
    expect(await world.faults()).toHaveLength(3);
  });
});

describe('GUIDE-157 the tools', () => {
  it('fill what evidence proves, each its own, and the second time nothing', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    const { outcome, steps } = await world.run();
    expect(outcome).toBe('success');
    expect(
      steps.map(({ tool, report }) => [
        tool,
        report.diff.map(({ where: place, field, after }) => [place, field, after]),
      ]),
    ).toEqual([
      [
        'reparse_filename_metadata',
        [
          [where(10), 'episode-num', '1.4.'],
          [where(14), 'date', '1987'],
        ],
      ],
      ['re_enrich_metadata', [[where(12), 'episode-num', '1.4.']]],
    ]);
    expect(await world.open()).toEqual([]);
    const rows = await world.store.mends(ALL);
    expect(rows[0]).toMatchObject({
      tool: 'reparse_filename_metadata',
      source: 'programme',
      reasons: ['the sub-title says it'],
      before: null,
    });
    const { clock, ids } = { clock: { now: () => 5 }, ids: { next: () => 'other' } };
    expect(await fillMends(world.store, rows, { tool: 're_enrich_metadata', run: 'r' }, { clock, ids })).toEqual({
      changed: 0,
      diff: [],
      skipped: [],
    });
  });

  it('look up in the catalog, count look-ups, and a failure is a step that changed nothing', async () => {
    const world = new AppWorld();
    await world.comes(guideXml(byCatalog));
    world.world = { ...world.world, shows: () => Promise.reject(new Error('offline')) };
    const { outcome, steps } = await world.run();
    expect(outcome).toBe('failure');
    expect(steps.find(({ tool }) => tool === 're_enrich_metadata')).toMatchObject({
      report: { changed: 0 },
      failure: expect.any(String),
    });
    expect((await world.run()).steps).toHaveLength(3);
    await world.run();
    expect(world.runs.memory.circuit.failures).toBe(3);
    expect(await world.store.lookupCounts()).toEqual({ failed: 3, all: 3 });
    expect(await world.open()).toContain(`${where(12)} unreachable`);
  });

  it('say where nothing is set up, and read the last failures', async () => {
    const world = new AppWorld();
    await world.comes(guideXml(byCatalog));
    await world.store.noteLookups({
      failed: Array.from({ length: 12 }, (_, n) => ({
        ...{ guide: 'g', channel: 'one', start: n, where: `w${n}`, about: null, title: null },
        ...{ code: 'timeout', sentence: `No answer ${'x'.repeat(60)}`, at: n },
      })),
      answered: [],
    });
    const asking = new AppWorld({
      ...{
        store: world.store,
        ask: () => Promise.resolve('{"action":"fetch_metadata_logs","reason":"look first","confidence":0.9}'),
      },
    });
    const { steps } = await asking.run();
    expect(steps.map(({ tool, report }) => [tool, report.changed])[0]).toEqual(['fetch_metadata_logs', 0]);
    expect(asking.said[0]?.length).toBe(500);
    expect(asking.said[0]).toContain('timeout: No answer');
    const refreshed = (await world.run()).steps.find(({ tool }) => tool === 'refresh_plex_metadata');
    expect(refreshed?.report.skipped[0]?.why).toBe('No media server is set up.');
  });

  it('mend form where one thing alone can be meant', async () => {
    const world = new AppWorld();
    const at = (hour: number, attributes: string, title = 'X'): string =>
      `<programme start="2026031${hour > 23 ? 1 : 0}${String(hour % 24).padStart(2, '0')}0000 +0000" ${attributes} channel="one"><title>${title}</title>${NUMBERED}</programme>`;
    await world.comes(
      guideXml(
        ...[
          '<channel id="one"><display-name>Uno</display-name></channel>',
          at(1, ''),
          at(2, 'stop="nonsense"'),
          at(3, 'stop="20260310010000 +0000"'),
        ],
        `<programme start="20260310040000" stop="20260310050000 +0000" channel="one"><category>x</category><title>Y</title>${NUMBERED}</programme>`,
        ...[at(5, 'stop="20260310070000 +0000"'), at(6, ''), at(13, '')],
      ),
    );
    const { steps } = await world.run();
    const diff = steps[0]?.report.diff.map(
      ({ where: place, field, after }) => `${place.slice(4, 18)} ${field} ${after}`,
    );
    expect(steps[0]?.tool).toBe('rebuild_xmltv');
    expect(diff?.sort()).toEqual(
      [
        ' channel once',
        '20260310010000 stop 20260310020000 +0000',
        '20260310020000 stop 20260310030000 +0000',
        '20260310030000 stop 20260310040000 +0000',
        '20260310040000 times 20260310040000 +0000',
        '20260310040000 order in order',
      ].sort(),
    );
    // An overlap is somebody's claim, and a stop that is seven hours off nobody's.
    expect(await world.open()).toEqual([`${where(5)} overlap`]);
    expect(await world.exported()).toContain('stop="20260310040000 +0000"');
  });

  it('give an entry of a lineup the one channel that fits', async () => {
    const world = new AppWorld();
    await world.comes(guideXml(programme(1, `<title>X</title>${NUMBERED}`)));
    const entry = (epgId: string, guideName: string) => ({ guideNumber: '5', guideName, epgId, url: null });
    await world.store.putLineup('g', { name: 'l', read: { entries: [entry('uno.example', 'ONE')], unreadable: null } });
    expect(await world.open()).toHaveLength(2);
    const { steps } = await world.run();
    expect(steps[0]?.report.diff).toMatchObject([{ where: 'uno.example', field: 'EpgId', after: 'one' }]);
    expect(await world.open()).toEqual([]);
  });
});

describe('GUIDE-158 a mend', () => {
  it('survives an import, and gives way to what the source says itself', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    await world.run();
    await world.comes(FAULTY);
    expect(await world.open()).toEqual([]);
    expect(await world.exported()).toContain('<date>1987</date>');
    await world.comes(FAULTY.replace('Night Ferry (1987)</title>', 'Night Ferry (1987)</title><date>1988</date>'));
    expect(await world.exported()).not.toContain('<date>1987</date>');
    expect(await world.open()).toEqual([]);
  });

  it('is not of another programme at the same place', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    await world.run();
    await world.comes(FAULTY.replace('Night Ferry (1987)', 'Day Ferry'));
    expect(await world.open()).toEqual([`${where(14)} MOVIE_YEAR_MISSING`]);
    expect(await world.exported()).not.toContain('1987');
  });

  it('gives way to a person, whom no tool overwrites', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    await world.run();
    const [row] = (await world.store.mends(ALL)).filter(({ field }) => field === 'date');
    if (row === undefined) throw new Error('no mend');
    const ports = { clock: { now: () => 9 }, ids: { next: () => 'mine' } };
    await fillMends(world.store, [{ ...row, after: '1986' }], { tool: null, run: null }, ports);
    expect(await world.exported()).toContain('<date>1986</date>');
    const again = await fillMends(
      world.store,
      [row],
      { tool: 're_enrich_metadata', run: 'r' },
      { ...ports, ids: { next: () => 'x' } },
    );
    expect(again.skipped).toEqual([{ where: row.where, field: 'date', why: 'A person has set it.' }]);
    await world.app.undo({ mends: ['mine'] });
    expect(await world.exported()).toContain('<date>1987</date>');
  });
});

describe('GUIDE-159 undo', () => {
  it('of a run opens what it mended; the export is as before, byte for byte', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    const before = await world.exported();
    const { id } = await world.run();
    expect(await world.exported()).not.toBe(before);
    expect(await world.app.undo({ run: id })).toEqual({ undone: 3, refused: [] });
    expect(await world.exported()).toBe(before);
    expect(await world.open()).toHaveLength(3);
    const twice = await world.app.undo({ run: id });
    expect([twice.undone, twice.refused[0]?.why]).toEqual([0, 'It was taken back already.']);
    await expect(world.app.undo({ run: 'none' })).rejects.toThrow('nothing to take back');
  });

  it('keeps tools from filling the same again, also after an import, but not a person', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    const { id } = await world.run();
    await world.app.undo({ run: id });
    await world.comes(FAULTY);
    const again = await world.run();
    expect(again.steps.flatMap(({ report }) => report.diff)).toEqual([]);
    expect(again.steps.flatMap(({ report }) => report.skipped.map(({ why }) => why))).toContain(
      'A person took the same back.',
    );
    const [row] = await world.store.mends(ALL);
    if (row === undefined) throw new Error('no mend');
    const ports = { clock: { now: () => 9 }, ids: { next: () => 'mine' } };
    await fillMends(world.store, [row], { tool: null, run: null }, ports);
    expect(await world.open()).toHaveLength(2);
    await world.comes(guideXml(programme(10, `<title>Harbour</title><sub-title>S02E06</sub-title>${SERIES}`)));
    expect((await world.run()).steps.flatMap(({ report }) => report.diff)).toHaveLength(1);
  });

  it('is refused where the field changed since', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    const { id } = await world.run();
    const rows = await world.store.mends(ALL);
    const year = rows.find(({ field }) => field === 'date');
    if (year === undefined) throw new Error('no mend');
    const ports = { clock: { now: () => 9 }, ids: { next: () => 'mine' } };
    await fillMends(world.store, [{ ...year, after: '1986' }], { tool: null, run: null }, ports);
    await world.comes(FAULTY.replace('The Quay', 'The Pier'));
    const { undone, refused } = await world.app.undo({ run: id });
    expect(undone).toBe(1);
    expect(refused.map(({ where: place, why }) => [place, why])).toEqual([
      [where(14), 'A person has set the field since.'],
      [where(12), 'Another programme is there since.'],
    ]);
  });
});

describe('GUIDE-160 a dry run', () => {
  it('tells what a run would do, and writes nothing', async () => {
    const world = new AppWorld();
    await world.comes(FAULTY);
    const dry = await world.app.dryRun(null);
    expect([await world.store.mends(ALL), world.runs.records, world.runs.log]).toEqual([[], [], []]);
    const real = await world.run();
    if (!dry.begun || dry.record.outcome === 'skipped') throw new Error('no dry run');
    expect(dry.record.steps.map(({ report }) => report)).toEqual(real.steps.map(({ report }) => report));
    expect(dry.record.outcome).toBe('success');
    expect(await world.app.dryRun(null)).toEqual({ begun: false, reason: 'cooldown' });
  });
});

describe('GUIDE-161 the export of a stored guide', () => {
  it('has every programme with a start, by channel and time', async () => {
    const world = new AppWorld();
    await world.comes(
      guideXml(film, byCatalog, bySubTitle, '<programme start="x" channel="one"><title>Lost</title></programme>'),
    );
    const text = await world.exported();
    expect([...text.matchAll(/start="(\d{10})/g)].map(([, start]) => start)).toEqual([
      '2026031010',
      '2026031012',
      '2026031014',
    ]);
    const rows: number[] = [];
    for await (const { count } of world.store.programmes('g', EVERYTHING)) rows.push(count);
    expect(rows).toEqual([1, 3]);
  });
});

describe('GUIDE-168 what a run derives', () => {
  it('is said to be caused by it, and starts no other run', async () => {
    const world = new AppWorld();
    const bad = guideXml(programme(1, '<title>TBA</title><category>Series</category>'));
    await world.comes(guideXml(programme(3, '<title>X</title>', 'stop="2026-03-10"')));
    world.world.derive = async () => {
      await world.comes(bad, 'schedule');
      return { changed: 1, diff: [], skipped: [] };
    };
    const { steps } = await world.run();
    expect(steps[0]?.tool).toBe('rebuild_xmltv');
    expect(world.runs.records.map(({ how, outcome, reason }) => [how, outcome, reason])).toEqual([
      ['import', 'skipped', 'recursion'],
      ['demand', 'failure', null],
    ]);
  });

  it('begins a run where nobody was at it', async () => {
    const world = new AppWorld();
    await world.comes(guideXml(programme(1, '<title>TBA</title><category>Series</category>')));
    world.world.derive = () => Promise.resolve({ changed: 1, diff: [], skipped: [] });
    await world.app.derive();
    expect(world.runs.log.map(({ text }) => text)).toContain('AI metadata remediation started for channel global');
  });
});
