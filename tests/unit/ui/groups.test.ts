import { describe, expect, it } from 'vitest';
import { failure, type FailureCode } from '#core/errors.ts';
import { isFinished, type Job } from '#core/job/job.ts';
import { groupJobs, groupProgress, ROWS_SHOWN, dropKey, endTime, endWords, isFolded } from '#ui/ingest/groups.ts';
import { moment } from '#ui/parts/words.ts';
import { catalogWait } from '#ui/shell/sync-words.ts';
import { rowWords } from '#ui/ingest/job-words.ts';
import { batch, job } from './fixtures.ts';

const all = () => true;

describe('groupJobs', () => {
  it('UI-4 lists jobs by album group, and by drop until they are grouped', () => {
    const jobs = [job('a', { group_id: 'g1' }), job('b'), job('c', { group_id: 'g1' }), job('d')];
    const groups = groupJobs(jobs, [batch('b1', 'A drop')], all);
    expect(groups.map((group) => group.rows.map((row) => row.id))).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ]);
    expect(groups.map((group) => group.title)).toEqual(['A drop', 'A drop']);
  });

  it('UI-100 calls a group without an album by its folder or its only file, where its drop holds more than it', () => {
    const drop = { ...batch('b1', '9 files'), total: 9 };
    const jobs = [
      job('a', { group_id: 'g1', path: 'Live/CD1/1.mp3' }),
      job('b', { group_id: 'g1', path: 'Live/CD12/1.mp3' }),
      job('c', { group_id: 'g2', path: 'One/x.mp3' }),
      job('d', { group_id: 'g3', path: 'y.mp3' }),
      job('e', { group_id: 'g4', path: 'z.mp3' }),
      job('f', { group_id: 'g4', path: 'Else/z.mp3' }),
    ];
    const titles = (total: number): string[] => groupJobs(jobs, [{ ...drop, total }], all).map((group) => group.title);
    expect(titles(9)).toEqual(['Live', 'One', 'd.flac', '9 files']);
    expect(titles(1)).toEqual(['9 files', '9 files', '9 files', '9 files']);
  });

  it('UI-3 an unfinished job is listed as active, a finished one in the history, never in both', () => {
    const jobs = [
      job('a', { status: 'COMPLETED', phase: 'published' }),
      job('b', { status: 'CONVERTING', phase: 'converting' }),
    ];
    const active = groupJobs(jobs, [], (one) => !isFinished(one));
    const history = groupJobs(jobs, [], isFinished);
    expect(active.flatMap((group) => group.rows.map((row) => row.id))).toEqual(['b']);
    expect(history.flatMap((group) => group.rows.map((row) => row.id))).toEqual(['a']);
    expect(active[0]?.all).toHaveLength(2);
  });

  it('UI-4 keeps the order of the files, numbers as numbers', () => {
    const jobs = ['10.flac', '2.flac', '1.flac'].map((path) => job(path, { path }));
    expect(groupJobs(jobs, [], all)[0]?.rows.map((row) => row.path)).toEqual(['1.flac', '2.flac', '10.flac']);
  });

  it('UI-4 begins a long group with what needs looking at', () => {
    const many = Array.from({ length: ROWS_SHOWN + 1 }, (_, i) => job(`f${i}`));
    const jobs = [
      ...many,
      job('z-asked', { status: 'AWAITING_REVIEW', phase: 'review' }),
      job('z-failed', { status: 'FAILED', phase: 'failed' }),
    ];
    const rows = groupJobs(jobs, [], all)[0]?.rows.map((row) => row.id);
    expect(rows?.slice(0, 2)).toEqual(['z-failed', 'z-asked']);
  });

  it('says what belongs to the drop once, with its first group', () => {
    const jobs = [job('a', { group_id: 'g1' }), job('b', { group_id: 'g2' })];
    expect(groupJobs(jobs, [batch('b1', 'A drop')], all).map((group) => group.leads)).toEqual([true, false]);
  });
});

describe('groupProgress', () => {
  it('UI-5 the least advanced stage names the group, a question does not hold the others up', () => {
    const asked = job('q', { status: 'AWAITING_REVIEW', phase: 'review' });
    const converting = job('c', { status: 'CONVERTING', phase: 'converting', progress: 0.5 });
    const probing = job('p', { status: 'PROCESSING', phase: 'probing' });
    expect(groupProgress([asked, converting, probing]).words).toBe('Analyzing...');
    expect(groupProgress([asked, converting])).toMatchObject({
      words: 'Converting...',
      done: 0,
      total: 2,
      questions: 1,
    });
    expect(groupProgress([asked]).words).toBe('Needs your answer');
  });

  it('UI-5 converted files that only wait for the server say so', () => {
    const waiting = job('w', { status: 'CONVERTING', phase: 'waiting' });
    const done = job('d', { status: 'COMPLETED', phase: 'published' });
    expect(groupProgress([waiting, done])).toMatchObject({ words: 'Waiting to publish', done: 1, total: 2 });
  });

  it('UI-346 a file that is to be looked for in a catalog that was never read here says what it waits for', () => {
    expect(catalogWait('unauthorized', true)).toBeNull();
    expect(catalogWait('starting', false)).toBeNull();
    expect(catalogWait('offline', false)).toBe('Waits for the server');
    const wait = catalogWait('unauthorized', false);
    const searching = job('s', { status: 'PROCESSING', phase: 'searching' });
    const probing = job('p', { status: 'PROCESSING', phase: 'probing' });
    expect(rowWords(searching, false, wait)).toBe('Waits for you to sign in');
    expect(rowWords(probing, false, wait)).toBe('Analyzing...');
    expect(groupProgress([searching], wait)).toMatchObject({ words: 'Waits for you to sign in', tone: 'attention' });
    expect(groupProgress([searching, probing], wait).words).toBe('Analyzing...');
  });
});

describe('UI-221 UI-222 lines of the dashboard', () => {
  const ended = (id: string, phase: Job['phase'], group: string): Job =>
    job(id, { phase, group_id: group, status: phase === 'failed' ? 'FAILED' : 'COMPLETED' } as never);
  const drop = [
    ...['a', 'b', 'c'].map((id) => ended(id, 'published', 'g1')),
    ...[ended('d', 'duplicate', 'g2'), ended('e', 'failed', 'g2')],
  ];
  it('UI-222 what ended is one entry a drop, with how it ended', () => {
    const [one, ...others] = groupJobs(drop, [batch('batch', 'Holidays')], () => true, [], dropKey);
    expect(others).toEqual([]);
    expect(one && endWords(one)).toBe('5 files: 3 published, 1 was there already, 1 failed');
    const part = { all: drop.slice(0, 1), batch: { ...batch('batch', 'Holidays'), total: 54 } };
    expect(endWords(part)).toBe('1 of 54 files: 1 published');
  });
  it('UI-265 what ended says when, and how long it took', () => {
    const at = Date.UTC(2026, 10, 27, 15, 40);
    const took = (ms: number) =>
      endTime({
        all: [job('a', { created_at: at - ms, completed_at: at }), job('b', { created_at: at })],
        batch: null,
      });
    expect([42_000, 185_000].map(took)).toEqual([
      `${moment(at)}, after 42.0\u00a0s`,
      `${moment(at)}, after 3:05\u00a0min`,
    ]);
    const drop = { ...batch('b1', 'A drop'), created_at: at - 60_000 };
    expect(endTime({ all: [job('a', { created_at: at, completed_at: at })], batch: drop })).toContain('1:00');
    expect(endTime({ all: [job('a')], batch: null })).toBe('');
  });
  it('UI-266 what waits for a password or for space has not failed', () => {
    const waits = (code: FailureCode, id: string) => ({
      ...ended(id, 'failed', 'g'),
      failure: failure(code, `${id} is not in yet`),
    });
    const jobs = [waits('archive_encrypted', 'a'), waits('archive_encrypted', 'b'), waits('storage_full', 'c')];
    const broken = waits('file_unreadable', 'd');
    expect([...jobs, broken].map((row) => rowWords(row, false))).toEqual([
      ...['Needs a password', 'Needs a password', 'Waits for space', 'Failed'],
    ]);
    expect(endWords({ all: [...jobs, broken], batch: null })).toBe(
      '4 files: 1 failed, 2 need a password, 1 waits for space',
    );
  });
  it('UI-221 a list of more than 20 files, and every list on a narrow screen, is lines that open', () => {
    const many = Array.from({ length: 21 }, (_, n) => ended(`f${n}`, 'published', `g${n % 2}`));
    const groups = (jobs: Job[]) => groupJobs(jobs, [], () => true);
    expect([isFolded(groups(many), false), isFolded(groups(many.slice(1)), false)]).toEqual([true, false]);
    expect(isFolded(groups(many.slice(0, 1)), true)).toBe(true);
  });
});
