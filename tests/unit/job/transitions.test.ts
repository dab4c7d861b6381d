import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { failure } from '#core/errors.ts';
import { formatDuration } from '#core/text/duration.ts';
import { canUndo, type AgentFinding } from '#core/job/job.ts';
import { transition } from '#core/job/transitions.ts';
import type { FileMatch } from '#lanes/music/core/match/match.types.ts';
import type { MusicEvent, MusicJob } from '#lanes/music/core/types.ts';
import { makeJob } from '../../fixtures/job.ts';

const target = { track_id: 'tr1', title: 'Come Together', album_id: 'al1', album: 'Abbey Road' };
const evidence = { file_id: 'j1', path: 'j1.flac', duration_ms: 259_000, tags: {} };
const approved: MusicEvent & { type: 'approved' } = {
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
};
const converted: MusicEvent = {
  type: 'converted',
  sha256: 'ab',
  size: 10,
  duration_ms: 259_000,
  conversion_reason: 'flac -> vorbis q9',
  verified: [],
};

const answer: AgentFinding = {
  key: 'album-1',
  workflow_id: 'w1',
  answer: 'album:al2',
  why: 'titles agree',
  model: 'ollama/llama3.1:8b',
  recorded: false,
  agreement: 1,
  confidence: 0.7,
  failed: null,
  looked_up: ['al3'],
};

function run(job: MusicJob, ...events: MusicEvent[]): MusicJob {
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

  test('SYNC-68 a duplicate that was cancelled on another device is cancelled, and by nobody here', () => {
    const duplicate = run(makeJob({ id: 'j1' }), { type: 'duplicate', of: 'j0', reason: 'the same content' });
    expect(transition(duplicate, { type: 'cancelled' }, 1)).toBeNull();
    expect(run(duplicate, { type: 'cancelled', elsewhere: true })).toMatchObject({
      ...{ status: 'FAILED', phase: 'cancelled', error_message: 'cancelled', duplicate_of: null },
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
    const events: MusicEvent[] = [
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
      { type: 'thinking', match: null },
      { type: 'agent', finding: answer },
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

  test('AGENT-1, AGENT-57 a doubt goes to the agent, its finding back to the matcher; then a person is asked or it is approved', () => {
    const searching = run(makeJob({ id: 'j1' }), { type: 'probe' }, { type: 'probed', facts }, { type: 'searching' });
    const thinking = run(searching, { type: 'thinking', match: null });
    expect(thinking).toMatchObject({ status: 'PROCESSING', phase: 'thinking', matched_track_id: null });
    const found = run(thinking, { type: 'agent', finding: answer });
    expect(found).toMatchObject({ status: 'PROCESSING', phase: 'grouping', agent: { answer: 'album:al2', rounds: 1 } });
    expect(run(found, { type: 'searching' }, approved).phase).toBe('approved');
    // Settings changed, or the person did not want to wait: no finding is needed to go on.
    expect(run(thinking, approved).phase).toBe('approved');
    expect(run(thinking, { type: 'asked', match: null, question: '?', options: [] }).phase).toBe('review');
    expect(run(thinking, { type: 'cancelled' }, { type: 'retried' })).toMatchObject({
      status: 'PENDING',
      phase: 'queued',
      agent: null,
      workflow_state: null,
    });
    expect(transition(searching, { type: 'agent', finding: answer }, 5)).toBeNull();
    expect(transition(makeJob({ id: 'j1' }), { type: 'thinking', match: null }, 5)).toBeNull();
  });

  test('AGENT-5, AGENT-62 what earlier answers led to stays in sight of the matcher', () => {
    let job = makeJob({ id: 'j1', status: 'PROCESSING', phase: 'thinking' });
    for (const [at, looked_up] of [['al3'], ['al4', 'al3'], Array.from({ length: 40 }, (_, n) => `x${n}`)].entries()) {
      const next = run(job, { type: 'agent', finding: { ...answer, answer: `album:got${at}`, looked_up } });
      job = makeJob({ ...next, status: 'PROCESSING', phase: 'thinking' });
      if (at === 1) expect(next.agent?.looked_up).toEqual(['al4', 'al3', 'got0']);
    }
    expect(job.agent).toMatchObject({ answer: 'album:got2', rounds: 3 });
    expect(job.agent?.looked_up).toHaveLength(24);
  });

  test('MATCH-20, MATCH-57 the log of a question and of a decision has the whole explanation, of that track only', () => {
    const why = {
      profile: '1',
      pair: {
        title_similarity: 1,
        off: 9.3,
        position_agrees: null,
        artist_similarity: null,
        artist_conflict: false,
        version_extra: [],
        version_missing: [],
        weights: { title: 7, duration: -3, position: 0, artist: 0, version: 0, total: 4 },
      },
      speed: 1,
      terms: [{ feature: 'title', value: 1.4, weight: 0.682, log_odds: 0.9548 }],
      raw: 0.72,
      vetoes: [{ kind: 'length', label: 'length off by 9 s' }],
      runner_up: null,
    };
    const detected = { title: null, artist: null, disc: null, position: null };
    const match: FileMatch = {
      file_id: 'j1',
      group_id: 'g1',
      track_id: 'tr1',
      confidence: 0.7,
      options: [],
      reasons: [],
      detected,
      why,
    };
    const open = run(makeJob({ id: 'j1' }), { type: 'probe' }, { type: 'probed', facts }, { type: 'searching' });
    const asked = transition(open, { type: 'asked', match, question: '?', options: [] }, 5);
    expect(asked?.steps[0]?.metadata).toEqual({ options: [], why });
    if (!asked) return;
    const chosen = transition(asked.job, approved, 6);
    expect(chosen?.steps[0]?.metadata?.['why']).toEqual(why);
    expect(chosen?.job.match?.why).toEqual(why);
    const other = transition(asked.job, { ...approved, target: { ...target, track_id: 'tr2' } }, 6);
    expect(other?.steps[0]?.metadata).not.toHaveProperty('why');
    expect(other?.job.match).toMatchObject({ track_id: 'tr2', why: null });
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
