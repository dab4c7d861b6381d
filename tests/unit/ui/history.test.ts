import 'fake-indexeddb/auto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Job } from '#core/job/job.ts';
import { openDatabase } from '#lanes/database.ts';
import { delimitedRecords } from '#core/text/delimited.ts';
import { db, setDatabase } from '#ui/client/db.ts';
import { finishedJobs } from '#ui/history/finished-jobs.ts';
import { historyCsv } from '#ui/history/history-csv.ts';
import { HistoryIndex, type HistoryFilter, type HistoryReading } from '#ui/history/history-index.ts';
import { setLanes } from '#ui/lanes.ts';
import { job } from './fixtures.ts';

setDatabase(openDatabase());
beforeAll(() => {
  const words = ({ matched_title, matched_album }: Job) => [matched_title, matched_album];
  setLanes([{ id: 'music', rows: { words } as never }]);
});

const ended = (id: string, at: number, patch: Parameters<typeof job>[1] = {}) =>
  job(id, { path: `${id}.flac`, phase: 'published', status: 'COMPLETED', completed_at: at, ...patch });

beforeEach(async () => {
  await db.jobs.clear();
  await db.jobs.bulkPut([
    ended('track 10', 1000, { matched_title: 'So What', matched_album: 'Kind of Blue' }),
    ended('track 2', 2000, { matched_title: 'Jóga', matched_album: 'Homogenic' }),
    ended('Track 1', 3000, { phase: 'failed', status: 'FAILED', error_message: 'The file is cut off.' }),
    job('open', { path: 'open.flac' }),
  ]);
});

const names = async (filter: Partial<HistoryFilter>, skip = 0, limit = 100): Promise<(string | number)[]> => {
  const { jobs, total } = await finishedJobs({ outcome: 'all', text: '', order: 'newest', ...filter }, skip, limit);
  return [total, ...jobs.map(({ id }) => id)];
};

test('UI-290 words are found in any order, whatever stands between them and however they are written', async () => {
  expect(await names({ text: 'kind blue' })).toEqual([1, 'track 10']);
  expect(await names({ text: 'BLUE what' })).toEqual([1, 'track 10']);
  expect(await names({ text: 'joga' })).toEqual([1, 'track 2']);
  expect(await names({ text: 'cut off' })).toEqual([1, 'Track 1']);
  expect(await names({ text: 'blue joga' })).toEqual([0]);
  expect(await names({ text: '???' })).toEqual([0]);
  expect(await names({ text: 'track', outcome: 'failed' })).toEqual([1, 'Track 1']);
});

test('UI-290 the newest, the oldest or the names come first, a page at a time', async () => {
  expect(await names({})).toEqual([3, 'Track 1', 'track 2', 'track 10']);
  expect(await names({ order: 'oldest' })).toEqual([3, 'track 10', 'track 2', 'Track 1']);
  expect(await names({ order: 'name' })).toEqual([3, 'Track 1', 'track 2', 'track 10']);
  expect(await names({ order: 'name' }, 1, 1)).toEqual([3, 'track 2']);
  expect(await names({ order: 'oldest' }, 2, 1)).toEqual([3, 'Track 1']);
  expect(await names({ order: 'oldest', text: 'track' }, 1, 5)).toEqual([3, 'track 2', 'Track 1']);
});

test('UI-291 the table has a line for each with how it ended, when, as what and why, and nothing that a sheet would run', async () => {
  await db.jobs.put(
    ended('=cmd', 4000, {
      ...{ matched_title: 'A "quoted", long one', match_source: 'HUMAN_REVIEW', match_confidence: 1 },
      ...{ file_size_bytes: 12, duration_ms: 3500, codec: 'flac', sha256: 'ab', created_at: 0 },
    }),
  );
  const { jobs } = await finishedJobs({ outcome: 'all', text: '', order: 'newest' }, 0, 2);
  const [header = [], ...lines] = [...delimitedRecords(historyCsv(jobs), ',')].map(({ cells }) => cells);
  const rows = lines.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])));
  expect(rows).toMatchObject([
    {
      ...{ file: "'=cmd.flac", ended: 'Available', finished_at: '1970-01-01T00:00:04.000Z' },
      ...{ taken_in_at: '1970-01-01T00:00:00.000Z', title: 'A "quoted", long one', album: '', confidence: '1' },
      ...{ decided_by: 'a person', bytes: '12', duration_ms: '3500', codec: 'flac', sha256: 'ab', why: '' },
    },
    { file: 'Track 1.flac', ended: 'Failed', why: 'The file is cut off.', decided_by: '' },
  ]);
});

describe('a long history', () => {
  const many = 3000;
  /** Rows that were read since the last call. */
  let read = 0;
  const counting = (row: Job): Job => {
    read += 1;
    return row;
  };
  beforeEach(async () => {
    // Half of them at one moment, as a drop of duplicates ends.
    await db.jobs.bulkPut(
      Array.from({ length: many }, (_, n) =>
        ended(`take ${n}`, n < many / 2 ? 5000 : 5000 + n, { updated_at: n * 1000 }),
      ),
    );
    db.jobs.hook('reading', counting);
  });
  afterEach(() => db.jobs.hook('reading').unsubscribe(counting));

  test('UI-380 is read once: after that a word reads the rows that are shown, and what was changed since', async () => {
    expect((await names({ text: 'take' }, 0, 2)).slice(0, 3)).toEqual([many, `take ${many - 1}`, `take ${many - 2}`]);
    expect(await names({ text: 'take 1234' })).toEqual([1, 'take 1234']);
    read = 0;
    expect(await names({ text: 'take 77', order: 'name' }, 0, 3)).toEqual([57, 'take 77', 'take 177', 'take 277']);
    expect(read).toBeLessThan(100);

    await db.jobs.put(ended('take 1234', 5000, { matched_title: 'Epistrophy', updated_at: Date.now() }));
    await db.jobs.delete('take 77');
    await db.jobs.put(ended('take new', 1, { updated_at: Date.now() }));
    read = 0;
    expect(await names({ text: 'epistrophy' })).toEqual([1, 'take 1234']);
    expect(await names({ text: 'take 77', order: 'name' }, 0, 1)).toEqual([56, 'take 177']);
    expect(await names({ text: 'take', order: 'oldest' }, 0, 1)).toEqual([many, 'take new']);
    expect(read).toBeLessThan(100);
  });

  test('UI-380 how far the first reading is, is said, and that it is over', async () => {
    const said: (HistoryReading | null)[] = [];
    const index = new HistoryIndex();
    const deaf = index.onReading((reading) => said.push(reading));
    const [all, failed] = await Promise.all([
      index.find({ outcome: 'all', text: 'take', order: 'name' }),
      index.find({ outcome: 'failed', text: 'track', order: 'newest' }),
    ]);
    deaf();
    expect(all).toHaveLength(many);
    expect(all.slice(0, 3)).toEqual(['take 0', 'take 1', 'take 2']);
    expect(failed).toEqual(['Track 1']);
    expect(said.at(-1)).toBeNull();
    const steps = said.filter((one) => one !== null);
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.map(({ read }) => read)).toEqual(steps.map(({ read }) => read).toSorted((a, b) => a - b));
    expect(steps.every(({ read, of }) => of === many + 3 && read <= of)).toBe(true);
  });
});
