import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { failure } from '#core/errors.ts';
import { canUndo, formatDuration, transition, type JobEvent } from '#core/job/transitions.ts';
import type { Job } from '#core/job/job.ts';
import { makeJob } from '../../fixtures/job.ts';

const target = { track_id: 'tr1', title: 'Come Together', album_id: 'al1', album: 'Abbey Road' };
const evidence = { file_id: 'j1', path: 'j1.flac', duration_ms: 259_000, tags: {} };
const approved: JobEvent = {
  type: 'approved',
  target,
  match: null,
  confidence: 0.97,
  source: 'AGENT',
  why: 'because',
  reasons: [],
};
const facts = {
  evidence,
  codec: 'flac',
  bitrate: 900_000,
  sample_rate: 44_100,
  channels: 2,
  lossless: true,
  cover_sha256: null,
  cover_mime: null,
  elapsed_ms: 5,
};
const converted: JobEvent = {
  type: 'converted',
  sha256: 'ab',
  size: 10,
  duration_ms: 259_000,
  conversion_reason: 'flac -> vorbis q9',
  verified: [],
};

function run(job: Job, ...events: JobEvent[]): Job {
  return events.reduce((state, event) => transition(state, event, 2000)?.job ?? state, job);
}

describe('job transitions', () => {
  test('JOB-3 the whole way ends waiting to publish, not COMPLETED', () => {
    const job = run(
      makeJob({ id: 'j1' }),
      { type: 'probe' },
      { type: 'probed', facts },
      { type: 'searching' },
      approved,
      { type: 'converting' },
      converted,
    );
    expect(job).toMatchObject({
      status: 'CONVERTING',
      phase: 'waiting',
      sync: 'waiting',
      matched_track_id: 'tr1',
      output_sha256: 'ab',
    });
  });

  test('JOB-2 an event that does not fit is null', () => {
    expect(transition(makeJob({ id: 'j1' }), converted, 1)).toBeNull();
    expect(
      transition(makeJob({ id: 'j1', status: 'COMPLETED', phase: 'published' }), { type: 'cancelled' }, 1),
    ).toBeNull();
    expect(
      transition(
        makeJob({ id: 'j1', status: 'COMPLETED', phase: 'published' }),
        { type: 'failed', failure: failure('internal', 'x') },
        1,
      ),
    ).toBeNull();
  });

  test('JOB-6 cancelled is FAILED with "cancelled"', () => {
    expect(run(makeJob({ id: 'j1' }), { type: 'cancelled' })).toMatchObject({
      status: 'FAILED',
      phase: 'cancelled',
      error_message: 'cancelled',
    });
  });

  test('JOB-7 retry keeps a decision and starts anew without one', () => {
    const decided = run(
      makeJob({ id: 'j1' }),
      { type: 'probe' },
      { type: 'probed', facts },
      { type: 'searching' },
      approved,
      { type: 'cancelled' },
      { type: 'retried' },
    );
    expect(decided).toMatchObject({
      status: 'CONVERTING',
      phase: 'approved',
      matched_track_id: 'tr1',
      error_message: null,
    });
    expect(run(makeJob({ id: 'j1' }), { type: 'cancelled' }, { type: 'retried' })).toMatchObject({
      status: 'PENDING',
      phase: 'queued',
    });
    const gone = makeJob({
      id: 'j1',
      status: 'FAILED',
      phase: 'failed',
      temp_file_path: null,
      failure: failure('conversion_failed', 'x'),
    });
    expect(transition(gone, { type: 'retried' }, 1)).toBeNull();
  });

  test('REVIEW-6 a decision can be taken back until it is published', () => {
    const waiting = run(
      makeJob({ id: 'j1' }),
      { type: 'probe' },
      { type: 'probed', facts },
      { type: 'searching' },
      approved,
      { type: 'converting' },
      converted,
    );
    expect(canUndo(waiting)).toBe(true);
    expect(run(waiting, { type: 'undone' })).toMatchObject({
      status: 'AWAITING_REVIEW',
      phase: 'review',
      matched_track_id: null,
      output_sha256: null,
      sync: null,
    });
    expect(canUndo({ ...waiting, status: 'COMPLETED', phase: 'published' })).toBe(false);
  });

  test('every change says so in the log or in the phase', () => {
    const events: JobEvent[] = [
      { type: 'probe' },
      { type: 'probed', facts },
      { type: 'searching' },
      approved,
      { type: 'converting' },
      converted,
      { type: 'cancelled' },
      { type: 'retried' },
      { type: 'undone' },
      { type: 'rematch' },
      { type: 'rejected', why: 'no' },
      { type: 'asked', match: null, question: '?', options: [] },
      { type: 'duplicate', of: 'x', reason: 'same' },
      { type: 'unconverted', why: 'cut' },
      { type: 'failed', failure: failure('conversion_failed', 'bad') },
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 25 }), (script) => {
        let job = makeJob({ id: 'j1' });
        for (const event of script) {
          const next = transition(job, event, 5);
          if (!next) continue;
          expect(next.job.phase !== job.phase || next.steps.length > 0).toBe(true);
          job = next.job;
          expect(job.status === 'FAILED').toBe(job.failure !== null);
          expect(job.completed_at !== null).toBe(job.status === 'FAILED' || job.status === 'COMPLETED');
          expect(job.sync === 'waiting').toBe(job.phase === 'waiting');
          if (job.status === 'CONVERTING') expect(job.matched_track_id).not.toBeNull();
        }
      }),
    );
  });

  test('durations read as people write them', () => {
    expect([23_000, 225_000, 3_725_000, null].map(formatDuration)).toEqual([
      '0:23',
      '3:45',
      '1:02:05',
      'unknown length',
    ]);
  });
});
