/** The charts above the code say what the code does: phases, events and arrows. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { ARROWS, type JobEventType } from '#core/job/events.ts';
import { isDecided, isFinished, isUndecided, JOB_STATUSES, type AgentFinding, type Job } from '#core/job/job.ts';
import {
  DECIDED,
  FINISHED,
  isOneOf,
  JOB_PHASES,
  PHASES,
  UNDECIDED,
  UNFINISHED,
  type JobPhase,
} from '#core/job/phases.ts';
import { parseJob } from '#core/job/stored-job.ts';
import { transition } from '#core/job/transitions.ts';
import type { MusicEvent, MusicJob } from '#lanes/music/core/types.ts';
import { makeJob } from '../../fixtures/job.ts';

/** The comment at the head of a file of `core/job`, without its stars. */
function head(file: string): string {
  const source = readFileSync(new URL(`../../../src/core/job/${file}`, import.meta.url), 'utf8');
  return (/^\/\*\*(.*?)\*\//s.exec(source)?.[1] ?? '').replace(/^ \* ?/gm, '');
}

/** `grouping, searching` -> ['grouping', 'searching']; a group's name stands for its phases. */
function phasesOf(words: string, groups: ReadonlyMap<string, readonly string[]>): string[] {
  return words
    .split(/,| and /)
    .map((word) => word.trim())
    .flatMap((word) => groups.get(word) ?? [word]);
}

function readChart() {
  const text = head('transitions.ts');
  const groups = new Map<string, readonly string[]>([['any', JOB_PHASES]]);
  for (const [, name = '', words = ''] of text.matchAll(/(undecided|decided|unfinished): ([a-z, ]+?)(?= {2}|\n)/g))
    groups.set(name, phasesOf(words, groups));
  const arrows = [...text.matchAll(/^ {2}(\S.*?) +--([a-z]+)--> +(\S.*)$/gm)].map(
    ([, from = '', event = '', to = '']) => ({
      event,
      from: phasesOf(from, groups),
      to: phasesOf(to, groups),
    }),
  );
  return { groups, arrows };
}

/** `event: from -> to` for each single phase, so that it does not matter how lines are put together. */
const single = (arrows: readonly { event: string; from: readonly string[]; to: readonly string[] }[]): string[] =>
  arrows
    .flatMap(({ event, from, to }) => from.map((one) => `${event}: ${one} -> ${[...to].sort().join(' or ')}`))
    .sort();

const TABLE = Object.entries(ARROWS).flatMap(([event, arrows]) =>
  arrows.map(({ from, to }) => ({ event, from, to: to === 'same' ? ['same'] : to })),
);

describe('JOB-2 the chart of transitions', () => {
  const { groups, arrows } = readChart();

  test('has the arrows of the table of events, each of them once, and no other', () => {
    expect(arrows.length).toBeGreaterThan(30);
    expect(single(arrows)).toEqual(single(TABLE));
    expect(new Set(single(TABLE)).size).toBe(single(TABLE).length);
  });

  test('names groups of phases as the code has them', () => {
    expect(Object.fromEntries(groups)).toEqual({
      ...{ any: JOB_PHASES, undecided: UNDECIDED, decided: DECIDED, unfinished: UNFINISHED },
    });
  });

  test('knows every phase, and leads into all of them but the first', () => {
    const named = new Set(arrows.flatMap(({ from, to }) => [...from, ...to]).filter((word) => word !== 'same'));
    expect([...named].sort()).toEqual([...JOB_PHASES].sort());
    const reached = new Set(arrows.flatMap(({ to }) => to));
    expect(JOB_PHASES.filter((phase) => !reached.has(phase))).toEqual([]);
  });
});

describe('the chart of phases', () => {
  test('has the phases of the table, under their statuses', () => {
    const lines = [...head('phases.ts').matchAll(/^ {2}([A-Z_]+) +([a-z].*)$/gm)].map(([, status, words = '']) => [
      status,
      words
        .replace(/\(.*?\)/g, '')
        .split(/->|\|/)
        .map((word) => word.trim()),
    ]);
    const table = JOB_STATUSES.map((status) => [status, JOB_PHASES.filter((phase) => PHASES[phase].status === status)]);
    expect(lines).toEqual(table);
  });

  test('the union of jobs has these phases and no other, each with its status', () => {
    // The compiler refuses this where the union has a phase more or less.
    const union: { [P in Job['phase']]: Extract<Job, { phase: P }>['status'] } = {
      ...{ queued: 'PENDING', probing: 'PROCESSING', grouping: 'PROCESSING', searching: 'PROCESSING' },
      ...{ thinking: 'PROCESSING', review: 'AWAITING_REVIEW', approved: 'CONVERTING', converting: 'CONVERTING' },
      ...{ waiting: 'CONVERTING', publishing: 'CONVERTING', published: 'COMPLETED', duplicate: 'COMPLETED' },
      ...{ failed: 'FAILED', cancelled: 'FAILED' },
    };
    expect(union).toEqual(Object.fromEntries(JOB_PHASES.map((phase) => [phase, PHASES[phase].status])));
  });

  test('every phase is before its decision, decided or finished, as the guards say', () => {
    for (const phase of JOB_PHASES) {
      const job = makeJob({ id: 'j', phase });
      expect([phase, isUndecided(job), isDecided(job), isFinished(job)]).toEqual([
        ...[phase, isOneOf(UNDECIDED, phase), isOneOf(DECIDED, phase), isOneOf(FINISHED, phase)],
      ]);
    }
  });
});

const target = { track_id: 'tr1', title: 'Come Together', album_id: 'al1', album: 'Abbey Road' };
const why = 'because';
const evidence = { file_id: 'j', path: 'j.flac', duration_ms: 1000, tags: {} };
const sound = { codec: 'FLAC', bitrate: 900_000, sample_rate: 44_100, channels: 2, lossless: true };
const finding: AgentFinding = {
  ...{ key: 'k', workflow_id: 'w', answer: 'ask', why, model: 'm', recorded: false, agreement: 1, confidence: 0.5 },
  ...{ failed: null, looked_up: [] },
};
const segment = {
  ...{ start_ms: 0, end_ms: 500, track: 1, of: 2, file: 'j.flac', tags: {}, content: 'c'.repeat(64) },
};
const output = { sha256: 'output', size: 10, duration_ms: 1000 };

/** At least one of each type. */
const EVENTS: { [T in JobEventType]: readonly Extract<MusicEvent, { type: T }>[] } = {
  probe: [{ type: 'probe' }],
  probed: [{ type: 'probed', facts: { evidence, ...sound, cover_sha256: null, cover_mime: null } }],
  unprobed: [{ type: 'unprobed', why }],
  split: [{ type: 'split', segment, part: { path: 'a', original_filename: 'a', file_size_bytes: 1 }, steps: [] }],
  described: [{ type: 'described', evidence, why }],
  grouped: [{ type: 'grouped', group_id: 'g' }],
  searching: [{ type: 'searching' }],
  thinking: [{ type: 'thinking', match: null }],
  workflow: [{ type: 'workflow', workflow: '{}' }],
  agent: [{ type: 'agent', finding }],
  forgotten: [{ type: 'forgotten' }],
  approved: [{ type: 'approved', target, match: null, confidence: 0.97, source: 'AGENT', why, reasons: [] }],
  asked: [{ type: 'asked', match: null, question: '?', options: [] }],
  rejected: [{ type: 'rejected', why }],
  duplicate: [{ type: 'duplicate', of: 'other', reason: 'the same content' }],
  converting: [{ type: 'converting' }],
  converted: [{ type: 'converted', ...output, conversion_reason: 'flac -> vorbis q9', verified: [] }],
  imported: [{ type: 'imported', target, confidence: 1, source: 'AGENT', output }],
  unconverted: [{ type: 'unconverted', why }],
  sending: [{ type: 'sending', share: 0.5 }],
  publishing: [{ type: 'publishing', share: 0.5 }],
  published: [
    {
      type: 'published',
      output_file_path: 'a.ogg',
      track_id: 'tr1',
      step: { step_type: 'Action', content: 'Published' },
    },
    { type: 'published', output_file_path: null, step: { step_type: 'Action', content: 'Published' } },
  ],
  interrupted: [{ type: 'interrupted', why }],
  failed: [{ type: 'failed', failure: failure('conversion_failed', 'It is damaged.') }],
  cancelled: [{ type: 'cancelled' }, { type: 'cancelled', elsewhere: true }],
  retried: [{ type: 'retried' }],
  undone: [{ type: 'undone' }],
  released: [{ type: 'released' }],
  lost: [{ type: 'lost' }],
  rematch: [{ type: 'rematch' }, { type: 'rematch', undo: true }],
  paused: [{ type: 'paused', paused: true }],
  freed: [{ type: 'freed' }],
  covered: [
    { type: 'covered', cover: null },
    { type: 'covered', cover: { sha256: 'picture', mime: 'image/png', from: 'person', name: 'mine.png' } },
  ],
  uncovered: [{ type: 'uncovered' }],
  noted: [{ type: 'noted', steps: [] }],
};

/** A job of the phase with what an event may ask of it: a stored file, evidence, a match, a reason that can be retried. */
function jobsIn(phase: JobPhase): MusicJob[] {
  const retryable = failure('rejected', 'It was left out.');
  const plain = makeJob({ id: 'j', phase });
  const match = {
    ...{ file_id: 'j', group_id: 'g', track_id: 'tr1', confidence: 1, options: [], reasons: [] },
    detected: { title: null, artist: null, disc: null, position: null },
  };
  const whole = makeJob({ ...plain, evidence, match, ...(plain.failure ? { failure: retryable } : {}) });
  const undecided = { matched_track_id: null, match_confidence: null, match_source: null, matched_title: null };
  const knows: readonly string[] = PHASES[phase].knows;
  return [
    plain,
    whole,
    // Taken over from another workstation as a file, or ended before it was stored.
    ...(knows.includes('sha256') ? [] : [makeJob({ ...plain, sha256: null, temp_file_path: null })]),
    // Ended with a decision, and without.
    ...(plain.failure ? [makeJob({ ...whole, ...undecided })] : []),
    ...(isOneOf(FINISHED, phase) ? [makeJob({ ...whole, ...DECISION })] : []),
  ];
}
const DECISION = { matched_track_id: 'tr1', match_confidence: 1, match_source: 'AGENT', matched_title: 'T' } as const;

describe('JOB-2 transitions keep to the table', () => {
  const taken = JOB_PHASES.flatMap((from) =>
    jobsIn(from).flatMap((job) =>
      Object.values<readonly MusicEvent[]>(EVENTS)
        .flat()
        .flatMap((event) => {
          const next = transition(job, event, 5);
          return next ? [{ from, event: event.type, to: next.job.phase, job: next.job }] : [];
        }),
    ),
  );

  test('no event leads where the table does not', () => {
    const allowed = new Set(
      TABLE.flatMap(({ event, from, to }) =>
        from.flatMap((one) => (to[0] === 'same' ? [one] : to).map((end) => `${event}: ${one} -> ${end}`)),
      ),
    );
    expect(taken.map(({ event, from, to }) => `${event}: ${from} -> ${to}`).filter((one) => !allowed.has(one))).toEqual(
      [],
    );
  });

  test('every arrow of the table can be taken, from each of its phases and to each of its ends', () => {
    const has = (event: string, key: 'from' | 'to', phase: string): boolean =>
      taken.some((one) => one.event === event && one[key] === phase);
    const never = TABLE.flatMap(({ event, from, to }) => [
      ...from.filter((phase) => !has(event, 'from', phase)).map((phase) => `${event} from ${phase}`),
      ...to.filter((phase) => phase !== 'same' && !has(event, 'to', phase)).map((phase) => `${event} to ${phase}`),
    ]);
    expect(never).toEqual([]);
  });

  test('what a phase knows is there after every event that leads into it', () => {
    expect(taken.length).toBeGreaterThan(100);
    for (const { job, event, from } of taken) expect([event, from, parseJob(job)]).toEqual([event, from, job]);
  });
});
