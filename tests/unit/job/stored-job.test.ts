/** What was stored is read: rows of every phase, those of version 0.1, and what is damaged. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isFinished } from '#core/job/job.ts';
import { JOB_PHASES, PHASES, type JobPhase } from '#core/job/phases.ts';
import { parseJob } from '#core/job/stored-job.ts';
import { transition } from '#core/job/transitions.ts';
import { makeJob } from '../../fixtures/job.ts';

type Row = Record<string, unknown>;

const stored = (phase: JobPhase): Row => JSON.parse(JSON.stringify(makeJob({ id: 'j', phase }))) as Row;

describe('a stored row', () => {
  test.each(JOB_PHASES)('of phase %s is read as it was written', (phase) => {
    const row = stored(phase);
    expect([row['phase'], row['status']]).toEqual([phase, PHASES[phase].status]);
    expect(parseJob(row)).toEqual(row);
  });

  const facts = JOB_PHASES.flatMap((phase) => PHASES[phase].knows.map((fact) => [phase, fact] as const));
  /** The two that version 0.1 left out are told below. */
  const demanded = facts.filter(
    ([phase, fact]) =>
      !(phase === 'cancelled' && fact === 'failure') && !(phase === 'published' && fact === 'matched_track_id'),
  );
  test.each(demanded)(
    'of phase %s without its %s is a failed job that says so, and nothing else is lost',
    (phase, fact) => {
      const row = { ...stored(phase), [fact]: null };
      const job = parseJob(row);
      expect(job).toMatchObject({
        ...{ id: 'j', path: 'j.flac', batch_id: 'b1', file_size_bytes: 1000, phase: 'failed', status: 'FAILED' },
        failure: { code: 'storage_failed', subject: 'j.flac', remedy: 'Drop the file again.', retryable: false },
        error_message: `"j.flac" was stored incompletely ("${fact}" is missing or of another kind).`,
      });
      expect(isFinished(job)).toBe(true);
      // What it became is a job like any other: it is read back, and nothing takes it up by guess.
      expect(parseJob(job)).toEqual(job);
      expect(transition(job, { type: 'retried' }, 9)).toBeNull();
    },
  );

  test.each<[string, Row]>([
    ['phase', { phase: 'dreaming' }],
    ['phase', { phase: 7 }],
    ['phase', { phase: null }],
    ['status', { status: 'COMPLETED' }],
    ['status', { status: 'SLEEPING' }],
    ['schema_version', { schema_version: 2 }],
    ['schema_version', { schema_version: undefined }],
    ['evidence', { evidence: 'a text' }],
    ['reasons', { reasons: 'none' }],
    ['hold', { hold: 'yes' }],
    ['lane', { lane: 3 }],
    ['duration_ms', { duration_ms: '259' }],
  ])('whose %s is none of ours (%j) is a failed job that names it', (column, patch) => {
    const job = parseJob({ ...stored('review'), ...patch });
    expect(job).toMatchObject({ phase: 'failed', status: 'FAILED', failure: { code: 'storage_failed' } });
    expect(job.error_message).toContain(`("${column}" is missing or of another kind)`);
    expect(parseJob(job)).toEqual(job);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'a job'],
    ['a list', []],
    ['an empty record', {}],
    ...['id', 'batch_id', 'path', 'original_filename', 'file_size_bytes', 'created_at', 'updated_at'].map(
      (column): [string, unknown] => [`a row without its ${column}`, { ...stored('queued'), [column]: null }],
    ),
  ])('%s is no job at all, which is said', (_what, row) => {
    expect(() => parseJob(row)).toThrow('A stored job cannot be read: it is not of a known form.');
    expect(() => parseJob(row)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'storage_failed' }) }),
    );
  });
});

describe('rows of version 0.1', () => {
  const path = new URL('../../fixtures/stored/jobs-0.1.json', import.meta.url);
  const { base, rows } = JSON.parse(readFileSync(path, 'utf8')) as {
    base: Row;
    rows: Record<string, { of: string; but: Row }>;
  };
  const row = (name: string): Row => {
    const one = rows[name];
    return one === undefined ? base : { ...row(one.of), ...one.but };
  };

  test('there are some of every phase, and none names a lane', () => {
    expect(new Set(Object.keys(rows).map((name) => row(name)['phase']))).toEqual(new Set(JOB_PHASES));
    expect(Object.keys(rows).filter((name) => 'lane' in row(name))).toEqual([]);
  });

  test.each(Object.keys(rows))('%s is read, and is in the phase that it was in', (name) => {
    const job = parseJob(row(name));
    expect([job.phase, job.status]).toEqual([row(name)['phase'], row(name)['status']]);
    expect(job).toMatchObject({ ...row(name), failure: job.failure, matched_track_id: job.matched_track_id });
  });

  test('what was written past the events is made up for: why it was cancelled, and that its track is not known', () => {
    const cancelled = parseJob(row('cancelled at the server, as a worker noted it'));
    expect(cancelled).toMatchObject({ failure: { code: 'cancelled', retryable: true }, error_message: 'cancelled' });
    expect(transition(cancelled, { type: 'retried' }, 9_999)?.job.phase).toBe('queued');
    const published = parseJob(row('published by a commit that was quicker than the change of mind'));
    expect(published).toMatchObject({ phase: 'published', matched_track_id: '', output_file_path: 'a/b.ogg' });
  });

  test('each goes on from where it was', () => {
    const next = (name: string, ...event: Parameters<typeof transition>[1][]) =>
      event.reduce((job, one) => transition(job, one, 99_999)?.job ?? job, parseJob(row(name))).phase;
    expect(next('queued', { type: 'probe' })).toBe('probing');
    for (const [name, back] of Object.entries({
      ...{ probing: 'queued', searching: 'grouping', converting: 'approved', publishing: 'waiting' },
    }))
      expect(next(name, { type: 'interrupted', why: 'the page was closed' })).toBe(back);
    expect(next('thinking', { type: 'rematch' })).toBe('grouping');
    expect(next('review', { type: 'rematch' }, { type: 'searching' })).toBe('searching');
    expect(next('approved and paused', { type: 'paused', paused: false }, { type: 'converting' })).toBe('converting');
    expect(next('waiting', { type: 'undone' })).toBe('review');
    expect(next('waiting, taken over as a file', { type: 'unconverted', why: 'lost' })).toBe('failed');
    expect(next('published', { type: 'lost' })).toBe('approved');
    expect(next('published and freed', { type: 'lost' })).toBe('published');
    expect(next('failed', { type: 'retried' })).toBe('approved');
    expect(next('failed before it was stored', { type: 'retried' })).toBe('failed');
    expect(next('rejected by a person', { type: 'undone' })).toBe('review');
    expect(next('cancelled', { type: 'retried' })).toBe('queued');
  });
});
