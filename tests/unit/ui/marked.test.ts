import { beforeAll, describe, expect, it } from 'vitest';
import type { Review, ReviewOption } from '#core/job/review.ts';
import { takenBy } from '#ui/review/bulk.ts';
import { enterTakes, markedIndex } from '#ui/review/marked.ts';
import { trackOption } from '../../fixtures/match.ts';
import { withMusicQuestions } from './lanes.ts';

beforeAll(withMusicQuestions);

const option = (id: string, confidence: number): ReviewOption => ({
  id,
  label: `Label ${id}`,
  confidence,
  reasons: [],
});
const asked = (kind: Review['kind'], confidence: number, advice: string | null = null) => ({
  kind,
  options: [option('accept', confidence), option('each', 0)],
  advice:
    advice === null ? null : { option_id: advice, why: '', model: 'm', recorded: false, agreement: 1, failed: null },
});

describe('UI-46 what Enter takes', () => {
  it.each(['tracks', 'replace'] as const)(
    'UI-46, UI-117 nothing unmarked about several files or present audio: %s',
    (kind) => {
      expect([markedIndex(asked(kind, 0.5)), enterTakes(asked(kind, 0.5))]).toEqual([-1, null]);
      expect([markedIndex(asked(kind, 0.7)), enterTakes(asked(kind, 0.7))]).toEqual([0, 0]);
      expect(enterTakes(asked(kind, 0.5, 'each'))).toBe(1);
    },
  );

  it('UI-46, TRACE-16 else the first candidate, and none where the model suggests none', () => {
    expect([markedIndex(asked('track', 0.4)), enterTakes(asked('track', 0.4))]).toEqual([-1, 0]);
    expect([markedIndex(asked('album', 0.9, 'none')), enterTakes(asked('album', 0.9, 'none'))]).toEqual([-1, 'none']);
    expect(enterTakes({ kind: 'no_match', options: [], advice: null })).toBeNull();
  });
});

it('UI-46, UI-117 accepted with others at once, a question about several files lists what each is taken for', () => {
  const file = { job_id: 'a', title: null, disc: null, position: null, duration_ms: null };
  const files = [1, 2].map((n) => ({ ...file, name: `${n}.mp3`, proposed: trackOption(`t${n}`) }));
  const detected = { album: 'Harbour', artist: null, year: null, title: null };
  const review = { kind: 'tracks', question: '?', detected, files } as const;
  const taken = (kind: Review['kind'], about: Review['files']) =>
    takenBy(
      {
        ...review,
        kind,
        files: about,
        schema_version: 1,
        id: 'r',
        job_id: 'a',
        job_ids: ['a'],
        batch_id: 'b',
        group_id: null,
        reasoning: '',
        options: [],
        created_at: 1,
        resolved_at: null,
        resolved_by_user_id: null,
        selected_option: null,
      },
      option('accept', 0.7),
    );
  expect(taken('tracks', files)).toEqual([
    { file: '1.mp3', takes: 'Title t1' },
    { file: '2.mp3', takes: 'Title t2' },
  ]);
  expect(taken('album', files)).toEqual([{ file: '2 files, Harbour', takes: 'Label accept' }]);
  expect(taken('track', files.slice(0, 1))).toEqual([{ file: '1.mp3', takes: 'Label accept' }]);
});
