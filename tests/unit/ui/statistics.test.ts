import { expect, test } from 'vitest';
import type { CalibrationSample } from '#lanes/music/core/calibration/local-profile.ts';
import { judgedSamples } from '#lanes/music/ui/history/judged.ts';
import { DAYS, dayOf, statisticsOf } from '#ui/history/statistics.ts';
import { job } from './fixtures.ts';

const DAY = 86_400_000;
const NOW = new Date(2026, 10, 28, 15).getTime();
const ended = (id: string, patch: Parameters<typeof job>[1] = {}) =>
  job(id, { phase: 'published', status: 'COMPLETED', created_at: NOW, completed_at: NOW, ...patch });

test('UI-335 files are counted by the day on which they came in and by how they ended, those under way by none', () => {
  const all = statisticsOf(
    [
      ended('a', { created_at: NOW - 2 * DAY }),
      ended('b', { created_at: NOW - 2 * DAY, phase: 'duplicate' }),
      ended('c', { phase: 'failed', status: 'FAILED' }),
      job('open', { created_at: NOW }),
    ],
    [],
    NOW,
  );
  expect(all.files).toBe(3);
  expect(all.days).toEqual([
    { day: dayOf(NOW - 2 * DAY), published: 1, duplicate: 1, failed: 0, cancelled: 0 },
    { day: dayOf(NOW - DAY), published: 0, duplicate: 0, failed: 0, cancelled: 0 },
    { day: '2026-11-28', published: 0, duplicate: 0, failed: 1, cancelled: 0 },
  ]);
  expect(statisticsOf([ended('old', { created_at: NOW - 400 * DAY })], [], NOW).days).toHaveLength(DAYS);
  expect(statisticsOf([], [], NOW).days).toHaveLength(1);
});

test('UI-335 formats come by how many there are, what was not read by its ending', () => {
  const file = (id: string, codec: string | null, original_filename: string) =>
    ended(id, { codec, original_filename, file_size_bytes: 10 });
  expect(
    statisticsOf(
      [file('a', 'flac', 'a.bin'), file('b', 'flac', 'b'), file('c', null, 'c.zip'), file('d', null, 'd')],
      [],
      NOW,
    ).formats,
  ).toEqual([
    { name: 'FLAC', count: 2, bytes: 20 },
    { name: 'ZIP', count: 1, bytes: 10 },
    { name: 'other', count: 1, bytes: 10 },
  ]);
});

test('UI-335 who decided: rules alone, rules after the model, a person', () => {
  const agent = { failed: null } as never;
  const all = statisticsOf(
    [
      ended('a', { match_source: 'AGENT' }),
      ended('b', { match_source: 'AGENT', agent }),
      ended('c', { match_source: 'AGENT', agent: { failed: 'away' } as never }),
      ended('d', { match_source: 'HUMAN_REVIEW', agent }),
      ended('e', { phase: 'failed', status: 'FAILED', match_source: null }),
    ],
    [],
    NOW,
  );
  expect(all.decidedBy).toEqual({ rule: 2, model: 1, person: 1 });
});

test('UI-335 proposals are counted in bands of their confidence, a certain one in the last', () => {
  const judged = [
    [0.3, false],
    [0.5, true],
    [0.69, false],
    [0.97, true],
    [1, true],
  ] as const;
  expect(
    statisticsOf(
      [],
      judged.map(([confidence, right]) => ({ confidence, right })),
      NOW,
    ).bands,
  ).toEqual([
    { from: 0, to: 0.5, judged: 1, right: 0 },
    { from: 0.5, to: 0.7, judged: 2, right: 1 },
    { from: 0.97, to: 1, judged: 2, right: 2 },
  ]);
});

test('UI-335 the confidence of a proposal is what the shipped matcher gives its features; what is not answered is left out', () => {
  const sample = (right: boolean | null): Pick<CalibrationSample, 'features' | 'right'> => ({ features: {}, right });
  expect(judgedSamples([sample(true), sample(false), sample(null)])).toEqual([
    { confidence: 0.5, right: true },
    { confidence: 0.5, right: false },
  ]);
});
