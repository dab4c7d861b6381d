import { expect, test } from 'vitest';
import type { Job, JobFields } from '#core/job/job.ts';
import { TimeLeft } from '#core/job/time-left.ts';
import { transition } from '#core/job/transitions.ts';
import { conversionWork, publishingWork } from '#core/job/work.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { bytesOf, leftWords } from '#ui/ingest/work-words.ts';
import { makeJob } from '../../fixtures/job.ts';

const file = (id: string, patch: Partial<JobFields<MusicTypes>>): Job =>
  makeJob({ id, status: 'CONVERTING', phase: 'approved', file_size_bytes: 100, duration_ms: 1000, ...patch });
const nobody = (): undefined => undefined;

test('UI-55, UI-125, UI-126 converting is counted in files, bytes and sound; what is asked, failed or a duplicate is no part of it', () => {
  const jobs = [
    file('a', { phase: 'waiting', output_size: 30 }),
    file('b', { phase: 'converting', file_size_bytes: 200, duration_ms: 4000 }),
    file('c', {}),
    file('d', { status: 'AWAITING_REVIEW', phase: 'review' }),
    file('e', { status: 'FAILED', phase: 'failed' }),
    file('f', { status: 'COMPLETED', phase: 'duplicate' }),
  ];
  expect(conversionWork(jobs, (id) => (id === 'b' ? 0.5 : undefined))).toEqual({
    files: { done: 1, total: 3 },
    bytes: { done: 200, total: 400 },
    clock: { done: 3000, total: 6000 },
    heard: true,
    paused: false,
  });
});

test('UI-55 what a worker said of an earlier try of a file does not count', () => {
  expect(conversionWork([file('a', {})], () => 0.9).bytes.done).toBe(0);
  expect(conversionWork([file('a', { paused: true })], nobody).paused).toBe(true);
});

test('UI-55, UI-125 a file is done when its conversion is over, not when its worker is at the end of it', () => {
  expect(conversionWork([file('a', { phase: 'converting' })], () => 1).files).toEqual({ done: 0, total: 1 });
});

test('UI-7, UI-123 where a file in hand stood when the page was opened is no progress', () => {
  const jobs = [
    ...Array.from({ length: 2 }, (_, n) => file(`hand${n}`, { phase: 'converting', duration_ms: 60_000 })),
    ...Array.from({ length: 10 }, (_, n) => file(`next${n}`, { duration_ms: 60_000 })),
  ];
  const clock = new TimeLeft();
  // Both were half converted and go on, a second of sound a second each; they are heard of half a second and more later.
  const said = Array.from({ length: 20 }, (_, look) => {
    const { heard, clock: amount } = conversionWork(jobs, (id) =>
      look >= (id === 'hand0' ? 1 : 2) && id.startsWith('hand') ? 0.5 + look / 120 : undefined,
    );
    return clock.look(heard ? amount : null, look * 500);
  });
  expect(said.slice(0, 13).every((left) => left === null)).toBe(true);
  // Eleven minutes of sound were left, two seconds of it a second; nine and a half seconds later:
  expect(said.at(-1)).toBeCloseTo(320_500, -2);
});

test('UI-7 what began after the page was opened began at nothing, before its worker is heard of', () => {
  const jobs = [file('a', { phase: 'converting', updated_at: 5000 })];
  expect([4000, 6000].map((since) => conversionWork(jobs, nobody, since).heard)).toEqual([true, false]);
});

test('UI-55 publishing is counted in the bytes of the results', () => {
  const jobs = [
    file('a', { status: 'COMPLETED', phase: 'published', output_size: 40 }),
    file('b', { phase: 'publishing', output_size: 60, progress: 1 }),
    file('c', { phase: 'waiting', output_size: 100, progress: 0.25 }),
  ];
  const { files, bytes } = publishingWork(jobs);
  expect(files).toEqual({ done: 1, total: 3 });
  expect(bytes).toEqual({ done: 125, total: 200 });
});

test('UI-55, UI-124 amounts and times are said no more exactly than they are known', () => {
  const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
  expect(plain(bytesOf({ done: 213_900_000, total: 610_000_000 }))).toBe('213 of 610 MB');
  expect(plain(bytesOf({ done: 1_999_000_000, total: 2_000_000_000 }))).toBe('1.9 of 2.0 GB');
  expect(plain(bytesOf({ done: 610_000_000, total: 610_000_000 }))).toBe('610 of 610 MB');
  expect([4000, 24_000, 100_000, 3_570_000, 4_300_000, 7_300_000].map(leftWords).map(plain)).toEqual([
    ...['a few seconds left', 'about 20 s left', 'about 2 min left', 'about 1 h left'],
    ...['about 1 h 10 min left', 'about 2 h left'],
  ]);
});

test('UI-55 never a whole bar before everything is published', () => {
  const converted = transition(file('a', { phase: 'converting', matched_title: 'x' }), CONVERTED, 1)?.job;
  const { clock } = publishingWork([converted ?? file('a', {})]);
  expect(clock).toEqual({ done: 0, total: 40 });
  expect(publishingWork([file('b', { status: 'COMPLETED', phase: 'published', output_size: 40 })]).clock.done).toBe(40);
});

const CONVERTED = {
  ...{ type: 'converted' as const, sha256: 'f'.repeat(64), size: 40, duration_ms: 1000 },
  ...{ conversion_reason: 'wav -> vorbis q9', verified: [] },
};
