import Dexie from 'dexie';
import { gunzipSync, gzipSync } from 'node:zlib';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { Result } from '#core/result.ts';
import type { GuideApi } from '#lanes/guide/browser/guide-api.types.ts';
import { createGuideService, type GuideMachine } from '#lanes/guide/browser/guide-service.ts';
import type { GuideVideo } from '#lanes/guide/core/schedule/xmltv.ts';
import { openDatabase } from '#lanes/database.ts';
import { guideXml, programme, SERIES } from '../unit/guide/app-world.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

const FAULTY = guideXml(
  programme(10, `<title>Harbour</title><sub-title>S02E05</sub-title>${SERIES}`),
  programme(14, '<title>Night Ferry (1987)</title><category>Film</category>'),
);
const NUMBERED = `${SERIES}<episode-num system="xmltv_ns">1.4.</episode-num>`;
let count = 0;
let db: AccessionDb;
let living: string[];
let now: number;
/** What the worker is told of recognised videos, and who wants to know. */
let videos: GuideVideo[];
let recognised: () => void;
/** Ends the wait of the tab that has the cadence. */
let beat: () => void;

beforeEach(() => {
  db = openDatabase(`guide-service-${++count}`);
  living = [];
  videos = [VIDEO];
  now = Date.UTC(2026, 2, 10);
});
afterEach(() => db.delete());

/** Of all tabs; each test has its own. */
const alone: GuideMachine['alone'] = async (name, work) => navigator.locks.request(`${name} ${count}`, work);

/** `other`: what is otherwise in this tab. */
function service(owner: string, other: Partial<GuideMachine> = {}): GuideApi {
  let ids = 0;
  living.push(owner);
  return createGuideService({
    ...{ db, owner, clock: { now: () => now }, ids: { next: () => `${owner}-${++ids}` } },
    ...{ shows: async () => Promise.resolve([]), videos: async () => Promise.resolve(videos) },
    onVideos: (changed) => void (recognised = changed),
    model: () => Promise.resolve(null),
    lives: (other) => Promise.resolve(living.includes(other)),
    hold: () => Promise.resolve(),
    alone,
    wait: () => new Promise((over) => (beat = over)),
    ...other,
  });
}
const VIDEO: GuideVideo = {
  ...{ id: 'v1', show: 's', season: 1, episode: 1, seconds: 1500 },
  ...{ title: 'Harbour', episode_title: 'One', aired: null },
};

async function value<Value>(answer: Promise<Result<Value>>): Promise<Value> {
  const result = await answer;
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
const file = (text: string | Uint8Array<ArrayBuffer>, name: string): File => new File([text], name);
const take = (api: GuideApi, given: File) => value(api.take(given, null, () => undefined));
const switchOn = () => db.settings.put({ key: 'metadata_self_resolution_enabled', value: true });

test('GUIDE-162 in a browser a guide is taken in, mended under the gates, taken back, and exported with or without gzip', async () => {
  const api = service('w1');
  await take(api, file(new Uint8Array(gzipSync(FAULTY)), 'a.xml.gz'));
  const [guide] = (await value(api.health(null))).guides;
  const id = guide?.id ?? '';
  const text = async (): Promise<string> => (await value(api.exported(id, false))).text();
  const before = await text();
  expect(await value(api.run(null))).toEqual({ begun: false, reason: 'disabled' });
  await switchOn();
  const began = await value(api.run(null));
  if (!began.begun) throw new Error('no run');
  expect((await value(api.health(null))).failing).toBe(0);
  expect(await text()).toContain('<date>1987</date>');
  const packed = await value(api.exported(id, true));
  expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(await text());
  expect((await value(api.undo({ run: began.run }))).undone).toBe(2);
  expect(await text()).toBe(before);
  expect(await value(api.run(null))).toEqual({ begun: false, reason: 'cooldown' });
  expect((await value(api.health(null))).gates.until).toBe(now + 300_000);
});

test('GUIDE-162 what is no guide is said in a sentence, and a lineup is told from it by content', async () => {
  const api = service('w1');
  const early = await api.take(file('[]', 'lineup.json'), null, () => undefined);
  expect(early.ok ? '' : early.failure.message).toContain('no guide yet');
  for (const [text, words] of [
    ['', 'empty'],
    ['<html></html>', 'web page'],
    [new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'xz'],
  ] as const) {
    const refused = await api.take(file(text, 'x.xml'), null, () => undefined);
    expect(refused.ok ? '' : refused.failure.message).toContain(words);
  }
  await take(api, file(FAULTY, 'a.xml'));
  expect(await take(api, file('#EXTM3U\n#EXTINF:-1 tvg-id="one",One\n', 'b.m3u'))).toMatchObject({
    kind: 'lineup',
    entries: 1,
  });
  expect((await value(api.health(null))).counts.LINEUP_MISMATCH).toBe(0);
});

test('GUIDE-162 a file of the same name takes the place of the guide, and one that was cancelled does not', async () => {
  const api = service('w1');
  await take(api, file(FAULTY, 'a.xml'));
  await take(api, file(guideXml(programme(9, '<title>Other</title>')), 'a.xml'));
  const { guides } = await value(api.health(null));
  expect(guides.map(({ name, programmes }) => [name, programmes])).toEqual([['a.xml', 1]]);
  const cancelled = await api.take(file(FAULTY, 'a.xml'), null, () => api.cancel());
  expect(cancelled.ok || cancelled.failure.code).toBe('cancelled');
  expect((await value(api.health(null))).programmes).toBe(1);
});

test('GUIDE-172 one channel is looked at and mended alone, and a question about the guide begins a run of it', async () => {
  const api = service('w1');
  const other = FAULTY.replaceAll('"one"', '"two"').replace('Night Ferry (1987)', 'Day Ferry (1988)');
  await take(api, file(FAULTY, 'a.xml'));
  await take(api, file(other, 'b.xml'));
  await switchOn();
  expect(await value(api.channels())).toEqual(['one', 'two'].map((id) => ({ id, name: 'One' })));
  expect((await value(api.health('two'))).programmes).toBe(2);
  expect(await value(api.asked('Where is my remote?', 'two'))).toBeNull();
  const began = await value(api.asked('Why is the guide full of holes?', 'two'));
  expect(began?.begun).toBe(true);
  await expect.poll(async () => (await value(api.health('two'))).failing).toBe(0);
  await expect.poll(async () => (await value(api.health('two'))).gates.reason).toBe('cooldown');
  const one = await value(api.health('one'));
  expect([one.failing, one.gates.reason]).toEqual([2, null]);
  const { records } = await value(api.runs(5));
  expect(records.find(({ how }) => how === 'ask')).toMatchObject({ channel: 'two', outcome: 'success' });
  expect((await value(api.run('one'))).begun).toBe(true);
  expect((await value(api.health(null))).failing).toBe(0);
});

test('GUIDE-171 in a browser overlaps end with the next programme, all at once, and are taken back', async () => {
  const api = service('w1');
  const long = programme(1, `<title>Long</title>${NUMBERED}`, 'stop="20260310030000 +0000"');
  await take(api, file(guideXml(long, programme(2, `<title>Next</title>${NUMBERED}`)), 'a.xml'));
  const [guide] = (await value(api.health(null))).guides;
  const text = async (): Promise<string> => (await value(api.exported(guide?.id ?? '', false))).text();
  const before = await text();
  const wish = { guide: null, channel: null, type: 'XMLTV_VALIDATION_ERROR', code: 'overlap', answer: 'mend' } as const;
  const { changed, mends } = await value(api.answer(wish));
  expect(changed).toBe(1);
  expect(await text()).toContain('stop="20260310020000 +0000"');
  expect((await value(api.health(null))).counts.XMLTV_VALIDATION_ERROR).toBe(0);
  await value(api.undo({ mends }));
  expect(await text()).toBe(before);
});

test('GUIDE-163 a run whose worker died gets its end from the next one, and counts as a restart', async () => {
  const first = service('w1');
  await take(first, file(FAULTY, 'a.xml'));
  await switchOn();
  // Dies within the run: the shows that its first tool wants never come.
  const dying = createGuideService({
    ...{ db, owner: 'w2', clock: { now: () => now }, ids: { next: () => `w2-${++count}` } },
    ...{ shows: async () => new Promise<never>(() => undefined), videos: async () => Promise.resolve([]) },
    onVideos: () => undefined,
    model: () => Promise.resolve(null),
    lives: (other) => Promise.resolve(living.includes(other)),
    ...{ hold: () => Promise.resolve(), wait: () => Promise.resolve(), alone },
  });
  void dying.run(null);
  await expect.poll(async () => (await value(first.health(null))).gates.reason).toBe('active');
  const next = service('w3');
  expect(await value(next.run(null))).toEqual({ begun: false, reason: 'cooldown' });
  const { records } = await value(next.runs(5));
  expect(records.map((record) => [record.outcome, record.reason])).toContainEqual(['failure', 'interrupted']);
  expect((await db.guide_state.get('restarts'))?.value).toEqual([now]);
});

test('GUIDE-164 the grid has the programmes of its hours and channels, what is wrong with them and what was mended', async () => {
  const api = service('w1');
  await take(api, file(FAULTY, 'a.xml'));
  const hour = 3_600_000;
  const wish = { from: now + 10 * hour, to: now + 14 * hour, offset: 0, limit: 10 };
  const grid = await value(api.grid(wish));
  const [cell, ...others] = grid.rows[0]?.cells ?? [];
  expect([grid.channels, grid.rows[0]?.name, others]).toEqual([1, 'One', []]);
  expect(cell).toMatchObject({ title: 'Harbour', subTitle: 'S02E05', stop: now + 11 * hour });
  expect(cell?.faults.map(({ type }) => type)).toEqual(['EPISODE_NUM_MISSING']);
  expect(grid.span).toEqual({ from: now, to: now + 24 * hour - 1 });
  if (cell === undefined) throw new Error('no cell');
  await value(api.edit(cell, 'title', 'Harbor'));
  const [edited] = (await value(api.grid(wish))).rows[0]?.cells ?? [];
  expect([edited?.title, edited?.mended]).toEqual(['Harbor', ['title']]);
  const { fields } = await value(api.card(cell));
  expect(fields.find(({ field }) => field === 'title')).toMatchObject({ source: 'Harbour', now: 'Harbor' });
});

const BLOCK = {
  ...{ id: 'b', days: [1, 2, 3, 4, 5, 6, 7], at: '20:00', until: '21:00', shows: ['s'] },
  ...{ order: 'aired' as const, pad: 0 },
};
const CHANNEL = { id: 'c', number: '7', name: 'Seven', zone: 'UTC', from: '2026-03-10', blocks: [BLOCK] };

test('GUIDE-166 channels are derived anew with the day, with what is recognised and with another name, and not otherwise', async () => {
  const api = service('w1');
  await value(api.putSchedule({ schema_version: 1, channel: CHANNEL, days: 2 }));
  const schedule = async () => (await db.guide_sources.get('schedule'))?.revision;
  const text = async (): Promise<string> => (await value(api.exported('schedule', false))).text();
  expect(await schedule()).toBe(1);
  void api.watch();
  await expect.poll(() => typeof beat).toBe('function');
  recognised();
  beat();
  await expect.poll(async () => (await db.guide_state.get('derived'))?.value).toBeDefined();
  expect(await schedule()).toBe(1);

  videos = [VIDEO, { ...VIDEO, id: 'v2', episode: 2, episode_title: 'Two', aired: '2020-01-02' }];
  recognised();
  await expect.poll(text).toContain('<date>20200102</date>');
  expect(await schedule()).toBe(2);

  now += 86_400_000;
  beat();
  await expect.poll(text).toContain('start="20260312200000 +0000"');
  expect(await schedule()).toBe(3);
  await value(api.putSchedule({ schema_version: 1, channel: { ...CHANNEL, name: 'Seventh' }, days: 2 }));
  expect(await text()).toContain('<display-name>Seventh</display-name>');
});

test('GUIDE-165 a channel of recognised videos is previewed, derived as a guide of its own, and goes with its last channel', async () => {
  const api = service('w1');
  const { programmes, conflicts } = await value(api.preview(CHANNEL, 2));
  expect([programmes.length, programmes[0], conflicts]).toEqual([
    4,
    { start: now + 20 * 3_600_000, stop: now + 20 * 3_600_000 + 1_500_000, title: 'Harbour: One' },
    [],
  ]);
  await value(api.putSchedule({ schema_version: 1, channel: CHANNEL, days: 2 }));
  expect((await value(api.health(null))).guides).toMatchObject([{ id: 'schedule', kind: 'schedule', programmes: 4 }]);
  expect(await value(api.schedules())).toMatchObject({ shows: [{ id: 's', title: 'Harbour', videos: 1 }] });
  await value(api.removeSchedule('c'));
  expect((await value(api.health(null))).guides).toEqual([]);
});

test('GUIDE-190 channels that two tabs change at the same moment all stand in the guide, whichever tab ends last', async () => {
  let go = (): void => undefined;
  const slow = new Promise<void>((resolve) => (go = resolve));
  let begun = (): void => undefined;
  const reading = new Promise<void>((resolve) => (begun = resolve));
  const first = service('w1', {
    async videos() {
      begun();
      await slow;
      return videos;
    },
  });
  let asked = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (asked = resolve));
  const second = service('w2', { alone: (name, work) => (name.endsWith('derive') && asked(), alone(name, work)) });
  const put = (api: GuideApi, id: string) =>
    value(api.putSchedule({ schema_version: 1, channel: { ...CHANNEL, id, name: `Channel ${id}` }, days: 2 }));
  const one = put(first, 'c');
  await reading;
  const two = put(second, 'd');
  await Promise.race([two, waiting]);
  go();
  await Promise.all([one, two]);
  const text = await (await value(first.exported('schedule', false))).text();
  expect(text).toContain('Channel c');
  expect(text).toContain('Channel d');
});

test('GUIDE-191 a worker that died is one restart, also where two tabs begin at the same moment', async () => {
  const first = service('w1');
  await take(first, file(FAULTY, 'a.xml'));
  await switchOn();
  const dying = service('w2', { shows: async () => new Promise<never>(() => undefined) });
  living.pop();
  void dying.run(null);
  await expect.poll(async () => (await value(first.health(null))).gates.reason).toBe('active');
  await Promise.all([service('w3'), service('w4')].map(async (tab) => value(tab.run(null))));
  expect((await db.guide_state.get('restarts'))?.value).toEqual([now]);
});
