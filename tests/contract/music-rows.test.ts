/** What music keeps beside its jobs (src/lanes/music/core/learning/rows.ts), in IndexedDB and in memory. */
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { describe, expect, test, vi } from 'vitest';
import type { LearnedRow } from '#core/run/lane-rows.ts';
import { openDatabase } from '#lanes/database.ts';
import { musicRows } from '#lanes/music/browser/music-rows.ts';
import { parseCalibration, type CalibrationSample } from '#lanes/music/core/calibration/local-profile.ts';
import { MemoryMusicRows } from '#lanes/music/core/learning/memory-rows.ts';
import type { MusicRows, Remembered } from '#lanes/music/core/learning/rows.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let databases = 0;
const openDb = () => openDatabase(`music-rows-${++databases}`);

const decision = (sha256: string, at: number): Remembered => ({
  ...{ sha256, at, kind: 'none', track_id: null, refused: [], catalog_id: null, track: null },
});
const sample = (id: string, at: number, kind: CalibrationSample['kind'] = 'answer'): CalibrationSample => ({
  ...{ id, at, kind, base: '1', features: { title: 1 }, proposed: 'tr1', right: true, weight: 1 },
});
const ids = (samples: readonly CalibrationSample[]): string[] => samples.map(({ id }) => id).sort();

describe.each<[string, () => MusicRows]>([
  ['IndexedDB', () => musicRows(openDb()).rows],
  ['memory', () => new MemoryMusicRows()],
  ['memory over what was learned before', () => new MemoryMusicRows({ read: async () => [] })],
])('%s', (_name, open) => {
  test('REVIEW-30 decisions are remembered by content, and forgotten', async () => {
    const rows = open();
    for (const [sha256, at] of Object.entries({ a: 1, b: 2, c: 3 })) await rows.remember(decision(sha256, at));
    await rows.remember({ ...decision('b', 4), refused: ['track:tr1'] });
    expect(await rows.remembered(['b', 'x', 'a'])).toEqual([
      { ...decision('b', 4), refused: ['track:tr1'] },
      decision('a', 1),
    ]);
    await rows.forget('a');
    expect(await rows.remembered(['a'])).toEqual([]);
    expect(await rows.forgetAll()).toBe(2);
    expect(await rows.remembered(['a', 'b', 'c'])).toEqual([]);
  });

  test('MATCH-31 samples are kept by job; the oldest of a kind go, and all up to a time', async () => {
    const rows = open();
    for (const at of [3, 1, 2]) await rows.putSample(sample(`a${at}`, at));
    for (const at of [1, 2]) await rows.putSample(sample(`p${at}`, at, 'published'));
    await rows.putSample({ ...sample('a3', 4), right: null });
    expect(await rows.sample('a3')).toEqual({ ...sample('a3', 4), right: null });
    expect(await rows.sample('x')).toBeUndefined();
    expect(ids(await rows.samplesAfter(1))).toEqual(['a2', 'a3', 'p2']);
    await rows.trimSamples('answer', 2);
    expect(ids(await rows.samplesAfter(0))).toEqual(['a2', 'a3', 'p1', 'p2']);
    await rows.trimSamples('published', 2);
    await rows.deleteSamplesUntil(1);
    expect(ids(await rows.samplesAfter(0))).toEqual(['a2', 'a3', 'p2']);
    await rows.deleteSamples(['a2', 'x']);
    expect(ids(await rows.samplesAfter(0))).toEqual(['a3', 'p2']);
  });

  test('MATCH-31 the fit is kept; there is none at first', async () => {
    const rows = open();
    const none = parseCalibration(undefined);
    expect(await rows.calibration()).toEqual(none);
    await rows.putCalibration({ ...none, slope: 1.2, stale: true });
    expect(await rows.calibration()).toEqual({ ...none, slope: 1.2, stale: true });
  });
});

test('REVIEW-32 the newest decisions are kept; to remember, ask and forget counts no table', async () => {
  const db = openDb();
  const { rows } = musicRows(db);
  const count = vi.spyOn(db.memory, 'count');
  for (const at of [3, 1, 2, 1000]) await rows.remember(decision(`s${at}`, at));
  await rows.remembered(['s1']);
  await rows.forget('s4');
  expect(count).not.toHaveBeenCalled();
  await rows.trimRemembered(2);
  expect((await db.memory.orderBy('at').toArray()).map(({ at }) => at)).toEqual([3, 1000]);
});

describe('what was learned before', () => {
  const before: Record<string, LearnedRow[]> = {
    memory: [
      { kind: 'memory', key: 'a', at: 1, value: decision('a', 1) },
      { kind: 'memory', key: 'b', at: 1, value: { sha256: 'b', kind: 'perhaps' } },
    ],
    sample: [{ kind: 'sample', key: 's', at: 1, value: sample('s', 1) }],
    calibration: [{ kind: 'calibration', key: 'state', at: 0, value: { ...parseCalibration(undefined), slope: 2 } }],
  };
  const open = () => {
    const asked: unknown[] = [];
    const read = async (kind: string, keys?: readonly string[]): Promise<LearnedRow[]> => {
      asked.push([kind, ...(keys ?? [])]);
      return before[kind] ?? [];
    };
    return { asked, rows: new MemoryMusicRows({ read }) };
  };

  test('it is asked for once, when it is wanted; a damaged row counts as never learned', async () => {
    const { asked, rows } = open();
    expect(asked).toEqual([]);
    expect(await rows.remembered(['a', 'b', 'c'])).toEqual([decision('a', 1)]);
    await rows.remembered(['a', 'b', 'c']);
    expect((await rows.calibration()).slope).toBe(2);
    expect(ids(await rows.samplesAfter(0))).toEqual(['s']);
    await rows.sample('s');
    expect(asked).toEqual([['memory', 'a', 'b', 'c'], ['calibration', 'state'], ['sample']]);
  });

  test('what is new is kept for the next save, the last of each; a failed change has learned nothing', async () => {
    const { rows } = open();
    await rows.remembered(['a']);
    const copy = rows.copy();
    await copy.remember(decision('c', 5));
    await copy.deleteSamples(['s']);
    expect(rows.unsaved()).toEqual([]);
    expect(await rows.sample('s')).toEqual(sample('s', 1));
    const sent = copy.unsaved();
    expect(sent).toEqual([
      { kind: 'memory', key: 'c', at: 5, value: decision('c', 5) },
      { kind: 'sample', key: 's', at: 0, value: null },
    ]);
    await copy.forget('c');
    copy.saved(sent);
    // It was saved as remembered, and forgotten since.
    expect(copy.unsaved()).toEqual([{ kind: 'memory', key: 'c', at: 0, value: null }]);
  });
});
