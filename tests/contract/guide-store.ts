import { describe, expect, test } from 'vitest';
import { AccessionError } from '#core/errors.ts';
import type {
  Dismissal,
  GuideDraft,
  LookupFailure,
  MendRow,
  PackedDay,
} from '#lanes/guide/core/store/guide-records.ts';
import { EVERYTHING, MOST_POINTS, type DayRange, type GuideStore } from '#lanes/guide/core/store/guide-store.ts';
import { newElement } from '#lanes/guide/core/read/element.ts';

export const DRAFT: GuideDraft = {
  ...{
    kind: 'file',
    name: 'guide.xml',
    zone: null,
    imported_at: 1000,
    attributes: { date: '20260310' },
  },
  ...{ channels: 2, programmes: 3, whole: true, notes: [] },
};
const ALL = { guides: null, channels: null };

export const mendRow = (id: string, changes: Partial<MendRow> = {}): MendRow => ({
  ...{
    schema_version: 1,
    id,
    guide: 'g',
    channel: 'a',
    start: 100,
    about: 7,
    where: 'a@100',
    field: 'date',
  },
  ...{
    before: null,
    after: '1987',
    source: 'guide',
    reasons: ['the title ends with it'],
    run: 'r1',
    at: 1,
  },
  ...{
    tool: 'reparse_filename_metadata' as const,
    undone_at: null,
    ...changes,
  },
});

const day = (channel: string | null, at: number | null, data: string): PackedDay => ({
  ...{ channel, day: at, count: 1, data },
});
const channel = (id: string) => ({
  ...{
    id,
    declared: true,
    displayNames: [id],
    programmes: 1,
    element: newElement('channel', { id }),
  },
});

async function imported(store: GuideStore, guide = 'g', mark = ''): Promise<void> {
  const stage = await store.stage(guide);
  await stage.add({
    programmes: [day('b', 20, `b20${mark}`), day('a', 20, `a20${mark}`), day('a', 19, `a19${mark}`)],
  });
  await stage.add({
    programmes: [day('a', 20, `a20+${mark}`), day('a', null, `a?${mark}`)],
  });
  await stage.add({
    channels: [channel('a'), channel('b')],
    faults: [day('a', 20, `fa${mark}`), day(null, null, `f${mark}`)],
  });
  await stage.finish(DRAFT);
}

async function texts(days: AsyncIterable<PackedDay>): Promise<string[]> {
  const found: string[] = [];
  for await (const { data } of days) found.push(data);
  return found;
}

/** The code of the failure; fails where there is none. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof AccessionError)) throw new Error(`no failure: ${String(thrown)}`);
  return thrown.failure.code;
}

/** Runs the conformance suite of the GuideStore port; each case gets a store of its own, empty. */
export function guideStoreContract(
  name: string,
  open: () => Promise<{ store: GuideStore; close?: () => Promise<void> }>,
): void {
  const withStore = (title: string, run: (store: GuideStore) => Promise<void>): void => {
    test(title, async () => {
      const { store, close } = await open();
      try {
        await run(store);
      } finally {
        await close?.();
      }
    });
  };
  const programmes = (store: GuideStore, range: DayRange = EVERYTHING): Promise<string[]> =>
    texts(store.programmes('g', range));

  describe(`guides in ${name}`, () => {
    withStore('GUIDE-150 nobody sees a guide before its import is finished, and then all of it', async (store) => {
      const stage = await store.stage('g');
      await stage.add({
        programmes: [day('a', 20, 'x')],
        channels: [channel('a')],
      });
      expect([await store.guides(), await store.guide('g'), await programmes(store)]).toEqual([[], null, []]);
      const record = await stage.finish(DRAFT);
      expect(record).toMatchObject({
        ...DRAFT,
        id: 'g',
        revision: 1,
        schema_version: 1,
      });
      expect(await store.guide('g')).toEqual(record);
      expect(await store.guides()).toEqual([record]);
      expect(await programmes(store)).toEqual(['x']);
    });

    withStore('GUIDE-150 a guide that comes again replaces itself at once', async (store) => {
      await imported(store, 'g', '1');
      await imported(store, 'other', 'o');
      const stage = await store.stage('g');
      await stage.add({
        programmes: [day('c', 1, 'new')],
        channels: [channel('c')],
      });
      expect(await programmes(store, { channels: ['b'], days: null })).toEqual(['b201']);
      const record = await stage.finish({ ...DRAFT, imported_at: 2000 });
      expect(record).toMatchObject({ revision: 2, imported_at: 2000 });
      expect(await programmes(store)).toEqual(['new']);
      expect((await store.channels('g')).map(({ id }) => id)).toEqual(['c']);
      expect(await texts(store.faults('g', EVERYTHING))).toEqual([]);
      expect(await texts(store.programmes('other', { channels: ['b'], days: null }))).toEqual(['b20o']);
    });

    withStore('GUIDE-150 an import that was dropped or overtaken leaves nothing', async (store) => {
      await imported(store);
      const dropped = await store.stage('g');
      await dropped.add({
        programmes: [day('c', 1, 'dropped')],
        channels: [channel('c')],
      });
      await dropped.drop();
      await dropped.drop();
      expect(await codeOf(dropped.finish(DRAFT))).toBe('conflict');
      const slow = await store.stage('g');
      await slow.add({
        programmes: [day('c', 1, 'slow')],
        channels: [channel('c')],
      });
      const fast = await store.stage('g');
      await slow.drop();
      await fast.add({
        programmes: [day('d', 1, 'fast')],
        channels: [channel('d')],
      });
      expect(await codeOf(slow.add({ programmes: [day('c', 2, 'slow')] }))).toBe('conflict');
      expect(await codeOf(slow.finish(DRAFT))).toBe('conflict');
      await fast.finish(DRAFT);
      expect(await programmes(store)).toEqual(['fast']);
    });

    withStore('GUIDE-151 rows come by channel and day, those without a day first', async (store) => {
      await imported(store);
      expect(await programmes(store)).toEqual(['a?', 'a19', 'a20', 'a20+', 'b20']);
      expect(await texts(store.faults('g', EVERYTHING))).toEqual(['f', 'fa']);
      expect(await store.channels('g')).toEqual([channel('a'), channel('b')]);
    });

    withStore('GUIDE-151 a range of channels and days reads those alone', async (store) => {
      await imported(store);
      const days = { from: 20, to: 21 };
      expect(await programmes(store, { channels: ['a'], days })).toEqual(['a20', 'a20+']);
      expect(await programmes(store, { channels: null, days })).toEqual(['a20', 'a20+', 'b20']);
      expect(await programmes(store, { channels: ['a'], days: null })).toEqual(['a?', 'a19', 'a20', 'a20+']);
      expect(await programmes(store, { channels: [], days: null })).toEqual([]);
      expect(await texts(store.faults('g', { channels: ['b'], days }))).toEqual(['f']);
      expect(await texts(store.programmes('none', EVERYTHING))).toEqual([]);
    });

    withStore('GUIDE-151 whoever reads while the guide is replaced has all of one, or is told so', async (store) => {
      await imported(store);
      const found: string[] = [];
      const reading = async (): Promise<string> => {
        for await (const { data } of store.programmes('g', EVERYTHING)) {
          if (found.length === 0) await imported(store, 'g', '2');
          found.push(data);
        }
        return 'whole';
      };
      const end = await reading().catch((error: unknown) =>
        error instanceof AccessionError ? error.failure.code : String(error),
      );
      expect(['whole', 'conflict']).toContain(end);
      const whole = ['a?', 'a19', 'a20', 'a20+', 'b20'];
      expect(found).toEqual(end === 'whole' ? whole : whole.slice(0, found.length));
      expect(await programmes(store, { channels: ['b'], days: null })).toEqual(['b202']);
    });

    withStore(
      'GUIDE-152 mends are read by guide, channel and run, in the order in which they were made',
      async (store) => {
        await imported(store);
        const rows = [
          mendRow('m2'),
          mendRow('m1', { channel: 'b', run: 'r2' }),
          mendRow('m3', { guide: 'other', start: null }),
        ];
        await store.changeMends(ALL, () => ({ put: rows, value: null }));
        expect(await store.mends(ALL)).toEqual(rows);
        expect(await store.mends({ guides: ['g'], channels: null })).toEqual(rows.slice(0, 2));
        expect(await store.mends({ guides: ['g'], channels: ['b'] })).toEqual([rows[1]]);
        expect(await store.mends({ guides: null, channels: ['a'] })).toEqual([rows[0], rows[2]]);
        expect(await store.mends({ guides: [], channels: null })).toEqual([]);
        expect(await store.mendsOfRun('r1')).toEqual([rows[0], rows[2]]);
      },
    );

    withStore(
      'GUIDE-152 a change of mends sees what is there, changes rows in place, and counts a revision',
      async (store) => {
        await imported(store);
        await imported(store, 'other');
        await store.changeMends(ALL, () => ({
          put: [mendRow('m1'), mendRow('m2', { channel: 'b' })],
          value: null,
        }));
        expect([(await store.guide('g'))?.revision, (await store.guide('other'))?.revision]).toEqual([2, 1]);
        const seen = await store.changeMends({ guides: ['g'], channels: ['a'] }, (rows) => ({
          put: rows.map((row) => ({ ...row, undone_at: 5 })),
          value: rows.length,
        }));
        expect(seen).toBe(1);
        expect(await store.mends(ALL)).toEqual([mendRow('m1', { undone_at: 5 }), mendRow('m2', { channel: 'b' })]);
        await store.changeMends(ALL, () => ({ put: [], value: null }));
        expect((await store.guide('g'))?.revision).toBe(3);
      },
    );

    withStore(
      'GUIDE-152 two changes at once do not lose each other, and one that throws changes nothing',
      async (store) => {
        await imported(store);
        const count = (id: string) =>
          store.changeMends(ALL, (rows) => ({
            put: [mendRow(id, { at: rows.length })],
            value: rows.length,
          }));
        const seen = await Promise.all(['m1', 'm2', 'm3'].map(count));
        expect(seen.sort()).toEqual([0, 1, 2]);
        await expect(
          store.changeMends(ALL, () => {
            throw new Error('no');
          }),
        ).rejects.toThrow('no');
        expect(await store.mends(ALL)).toHaveLength(3);
      },
    );

    withStore('GUIDE-152 mends survive an import, and go with their guide', async (store) => {
      await imported(store);
      await store.changeMends(ALL, () => ({
        put: [mendRow('m1'), mendRow('m2', { guide: 'other' })],
        value: null,
      }));
      await imported(store, 'g', '2');
      expect(await store.mends(ALL)).toHaveLength(2);
      await store.remove('g');
      await store.remove('g');
      expect(await store.mends(ALL)).toEqual([mendRow('m2', { guide: 'other' })]);
      expect([await store.guide('g'), await store.channels('g'), await programmes(store)]).toEqual([null, [], []]);
    });

    withStore('GUIDE-153 a lineup belongs to its guide and survives an import', async (store) => {
      const lineup = {
        name: 'lineup.json',
        read: {
          entries: [{ guideNumber: '5', guideName: 'A', epgId: 'a', url: null }],
          unreadable: null,
        },
      };
      expect(await codeOf(store.putLineup('g', lineup))).toBe('not_found');
      await imported(store);
      await store.putLineup('g', lineup);
      expect((await store.guide('g'))?.revision).toBe(2);
      await imported(store, 'g', '2');
      expect(await store.lineup('g')).toEqual(lineup);
      await store.putLineup('g', null);
      expect(await store.lineup('g')).toBeNull();
    });

    withStore('GUIDE-153 dismissals come and go', async (store) => {
      const one: Dismissal = {
        ...{ schema_version: 1, id: 'd1', guide: 'g', at: 2 },
        of: { kind: 'title', title: 'TBA' },
      };
      const two: Dismissal = {
        ...one,
        id: 'd2',
        at: 1,
        of: { kind: 'type', channel: 'a', type: 'PLACEHOLDER_TITLE' },
      };
      await store.putDismissals([one, two]);
      expect(await store.dismissals()).toEqual([two, one]);
      await store.removeDismissals(['d1', 'none']);
      expect(await store.dismissals()).toEqual([two]);
      await store.remove('g');
      expect(await store.dismissals()).toEqual([]);
    });

    withStore(
      'GUIDE-153 a failure of a look-up stays until the place is answered; an import counts anew',
      async (store) => {
        await imported(store);
        const failure = (start: number, at: number): LookupFailure => ({
          ...{
            guide: 'g',
            channel: 'a',
            start,
            where: `a@${start}`,
            about: 1,
            title: 2,
            code: 'timeout',
            sentence: 'No answer.',
            at,
          },
        });
        await store.noteLookups({
          failed: [failure(1, 5), failure(2, 4)],
          answered: [],
        });
        await store.noteLookups({
          failed: [failure(1, 6)],
          answered: [failure(2, 0), failure(9, 0)],
        });
        expect(await store.lookupFailures()).toEqual([failure(1, 6)]);
        expect(await store.lookupCounts()).toEqual({ failed: 3, all: 5 });
        await imported(store, 'g', '2');
        expect(await store.lookupCounts()).toEqual({ failed: 0, all: 0 });
        expect(await store.lookupFailures()).toEqual([failure(1, 6)]);
      },
    );

    withStore('GUIDE-153 schedules are kept by number', async (store) => {
      const row = (id: string, number: string, days = 7) => ({
        schema_version: 1 as const,
        channel: {
          id,
          number,
          name: id,
          zone: 'UTC',
          from: '2026-03-02',
          blocks: [],
        },
        days,
      });
      for (const [id, number] of [
        ['a', '12'],
        ['b', '5.1'],
        ['c', '5'],
      ] as const)
        await store.putSchedule(row(id, number));
      await store.putSchedule(row('a', '12', 14));
      expect(await store.schedules()).toEqual([row('c', '5'), row('b', '5.1'), row('a', '12', 14)]);
      await store.removeSchedule('b');
      await store.removeSchedule('none');
      expect((await store.schedules()).map(({ channel: { id } }) => id)).toEqual(['c', 'a']);
    });

    withStore('GUIDE-153 points are kept up to a number', async (store) => {
      const point = (at: number) => ({
        at,
        programmes: 10,
        failing: 1,
        open: 2,
      });
      for (let at = 0; at < MOST_POINTS + 2; at++) await store.notePoint(point(at));
      const points = await store.points();
      expect([points.length, points[0], points.at(-1)]).toEqual([MOST_POINTS, point(2), point(MOST_POINTS + 1)]);
    });
  });
}
