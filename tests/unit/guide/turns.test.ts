import { expect, test } from 'vitest';
import { importGuide } from '#lanes/guide/bytes/import-guide.ts';
import { exportStored } from '#lanes/guide/core/app/export-stored.ts';
import { gridPage } from '#lanes/guide/core/app/grid.ts';
import { ALL_FAULTS } from '#lanes/guide/core/app/open-faults.ts';
import { countOpen } from '#lanes/guide/core/app/guide-view.ts';
import { readLineup } from '#lanes/guide/core/lineup/read-lineup.ts';
import { MemoryGuideStore } from '#lanes/guide/core/store/memory-guide-store.ts';

/** Counts how often others had their turn. */
class RestingStore extends MemoryGuideStore {
  rests = 0;

  override rest(): Promise<void> {
    this.rests += 1;
    return super.rest();
  }

  async restsIn(work: () => Promise<unknown>): Promise<number> {
    const before = this.rests;
    await work();
    return this.rests - before;
  }
}

const PROGRAMMES = 10_000;
const time = (minute: number): string =>
  new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString().replaceAll(/[-:T]|\..*/g, '');

/** Each with some faults: no zone, no number, no stop. */
function* guide(programmes: number, startOf: (at: number) => string, inside = '<title>Something</title>') {
  yield new TextEncoder().encode('<tv><channel id="a"><display-name>A</display-name></channel>');
  for (let at = 0; at < programmes; at += 1)
    yield new TextEncoder().encode(`<programme start="${startOf(at)}" channel="a" stop="x">${inside}</programme>`);
  yield new TextEncoder().encode('</tv>');
}

async function* bytes(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

/** Six faults more. */
const WRONG = '<title/><desc/><episode-num system="xmltv_ns">x</episode-num><date/><b/>';

const WISH = { guide: 'g', kind: 'file', name: 'g.xml', zone: null } as const;
const take = (store: MemoryGuideStore, pieces: Iterable<Uint8Array>) =>
  importGuide(store, bytes(pieces), WISH, { now: 0 });

test('API-172 a guide is taken in, counted, shown and written out in steps', async () => {
  const store = new RestingStore();
  const inOneDay = (at: number): string => time((at * 7919) % 1440);
  expect(await store.restsIn(() => take(store, guide(PROGRAMMES, inOneDay)))).toBeGreaterThan(PROGRAMMES / 100);
  // However many are of one day: none of its rows is long.
  const rows = await Array.fromAsync(store.faults('g', { channels: null, days: null }));
  expect(Math.max(...rows.map(({ count }) => count))).toBeLessThanOrEqual(2000);
  const counted = await countOpen(store, ALL_FAULTS);
  // One place for each minute of the day, in however many rows its faults are.
  expect(counted).toMatchObject({ programmes: PROGRAMMES, failing: 1440 });
  const day = { guide: 'g', from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2), offset: 0, limit: 1 };
  expect(await store.restsIn(() => gridPage(store, day))).toBeGreaterThan(PROGRAMMES / 200);
  const record = await store.guide('g');
  if (record === null) throw new Error('no guide');
  expect(await store.restsIn(() => Array.fromAsync(exportStored(store, record)))).toBeGreaterThan(3);
});

test('API-172 where programmes begin together, each ends when the first one begins that begins later', async () => {
  const store = new MemoryGuideStore();
  await take(
    store,
    guide(6, (at) => `${time(Math.floor(at / 2) * 10)} +0000`),
  );
  const day = { guide: 'g', from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2), offset: 0, limit: 1 };
  const { rows } = await gridPage(store, day);
  const minute = (at: number | null): number | null => (at === null ? null : (at - day.from) / 60_000);
  expect(rows[0]?.cells.map(({ start, stop }) => [minute(start), minute(stop)])).toEqual([
    [0, 10],
    [0, 10],
    [10, 20],
    [10, 20],
    [20, null],
    [20, null],
  ]);
});

test('API-173 a guide with more channels than one may have is refused, and what was there stays', async () => {
  const store = new MemoryGuideStore();
  await take(store, guide(1, time));
  const many = function* (): Generator<Uint8Array> {
    yield new TextEncoder().encode('<tv>');
    for (let at = 0; at < 51; at += 1)
      yield new TextEncoder().encode(
        Array.from({ length: 1000 }, (_, n) => `<channel id="c${at * 1000 + n}"/>`).join(''),
      );
  };
  await expect(take(store, many())).rejects.toMatchObject({ failure: { code: 'too_large' } });
  expect(await store.guide('g')).toMatchObject({ programmes: 1, revision: 1 });
});

test('API-173 of a channel a grid shows a programme a minute of the longest time', async () => {
  const store = new MemoryGuideStore();
  await take(
    store,
    guide(20_200, () => time(0)),
  );
  const day = { guide: 'g', from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2), offset: 0, limit: 1 };
  expect((await gridPage(store, day)).rows[0]?.cells).toHaveLength(14 * 24 * 60);
});

test('API-173 of more faults than are kept the first ones are, and that there were more is a note', async () => {
  const store = new MemoryGuideStore();
  const record = await take(store, guide(15_000, time, WRONG));
  expect(record).toMatchObject({ programmes: 15_000, whole: true });
  expect(record.notes.join()).toMatch(/more than 100000 faults/);
  const { counts } = await countOpen(store, ALL_FAULTS);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(100_000);
});

test('API-172 a lineup with more entries than are read is none, before its JSON is read', () => {
  expect(readLineup(`[${'{},'.repeat(200_000)}{}]`)).toMatchObject({ entries: [], unreadable: expect.any(String) });
});
