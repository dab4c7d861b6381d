import { beforeAll, describe, expect, it, test } from 'vitest';
import { besideBest } from '#lanes/music/ui/compare/compare.ts';
import { bulks } from '#ui/review/bulk.ts';
import { saidLengths } from '#ui/review/said-lengths.ts';
import { waitingSentence } from '#ui/shell/sync-words.ts';
import { companionsLine, phaseWords } from '#ui/ingest/job-words.ts';
import { bytes, lengthDifference, percent } from '#ui/parts/words.ts';
import { trackReview } from './fixtures.ts';
import { withMusicQuestions } from './lanes.ts';

beforeAll(withMusicQuestions);

describe('the status sentence', () => {
  it.each([
    ['ok', 0, 'Everything is published'],
    ['ok', 1, '1 result waits to be published'],
    ['ok', 3, '3 results wait to be published'],
    ['offline', 3, 'Server not reachable: 3 results wait, they are published when it is back'],
    ['offline', 1, 'Server not reachable: 1 result waits, it is published when it is back'],
  ] as const)('UI-2 says %s with %i waiting', (state, waiting, sentence) => {
    expect(waitingSentence(state, waiting, 0)).toBe(sentence);
  });

  it('UI-2 names a refused token, a failing server, and what needs a person', () => {
    expect(waitingSentence('unauthorized', 2, 0)).toMatch(/not signed in: 2 results wait/i);
    expect(waitingSentence('server_error', 1, 0)).toMatch(/problem: 1 result waits/);
    expect(waitingSentence('offline', 0, 0)).toMatch(/not reachable. Go on working/);
    expect(waitingSentence('ok', 3, 0, false)).toMatch(/may not publish here: 3 results wait/);
    expect(waitingSentence('ok', 3, 1)).toMatch(/1 of them needs you/);
  });
});

test('UI-261: while files are under way, nothing says that all is published', () => {
  expect(waitingSentence('ok', 0, 0, true, 52)).toBe('52 files under way, nothing waits to be published');
  expect(waitingSentence('ok', 2, 0, true, 52)).toBe('2 results wait to be published');
  expect(waitingSentence('offline', 0, 0, true, 1)).toContain('Server not reachable');
});

test('UI-364 while files elsewhere need an answer, nothing says that all is published', () => {
  expect(waitingSentence('ok', 0, 0, true, 0, 1)).toBe('Nothing waits here, 1 question about files elsewhere is open');
  expect(waitingSentence('ok', 0, 0, true, 0, 2)).toBe(
    'Nothing waits here, 2 questions about files elsewhere are open',
  );
  expect(waitingSentence('ok', 0, 0, true, 3, 2)).toContain('3 files under way');
  expect(waitingSentence('ok', 1, 0, true, 0, 2)).toBe('1 result waits to be published');
});

test('UI-262: lengths of a question are read as a clock', () => {
  expect(
    saidLengths("Which track is 'a (b).flac' (200s)? 'c' (9s) or 'd' (3725s), not '(1999s' or (length unknown)"),
  ).toBe("Which track is 'a (b).flac' (3:20)? 'c' (0:09) or 'd' (1:02:05), not '(1999s' or (length unknown)");
});

test('UI-263: how a track fits beside the best is said in words', () => {
  expect([8.8, 8.1, 5, -3].map((total) => besideBest(total, 8.8))).toEqual([
    ...['fits best', 'fits as well', 'fits less', 'fits far less'],
  ]);
});

describe('words', () => {
  it('UI-6 phases have the words of the specification', () => {
    const words = (
      ['queued', 'probing', 'searching', 'review', 'converting', 'waiting', 'publishing', 'published'] as const
    ).map((phase) => phaseWords(phase).words);
    expect(words).toEqual([
      'Waiting',
      'Analyzing...',
      'Searching catalog...',
      'Needs your answer',
      'Converting...',
      'Waiting to publish',
      'Publishing...',
      'Available',
    ]);
  });

  it('UI-11 a percentage is never rounded up to 100', () => {
    expect([0.9749, 0.994, 0.996, 1, 0].map(percent)).toEqual(
      ['97', '99', '99', '100', '0'].map((text) => `${text}\u00a0%`),
    );
  });

  it('says how far a length is off, with a tenth below ten seconds', () => {
    expect([0, 40, 400, -8000, 16_000, -138_000].map(lengthDifference)).toEqual([
      '\u00b10.0\u00a0s',
      '\u00b10.0\u00a0s',
      '+0.4\u00a0s',
      '\u22128.0\u00a0s',
      '+0:16',
      '\u22122:18',
    ]);
  });

  it('says sizes with three digits', () => {
    expect([0, 999, 1500, 28_000_000, 508_400_000].map(bytes)).toEqual(
      ['0 B', '999 B', '1.5 kB', '28.0 MB', '508 MB'].map((text) => text.replace(' ', '\u00a0')),
    );
  });

  const companion = (path: string, kind: string, outcome: string) => {
    return { path, kind, outcome, sha256: outcome === 'ignored' ? null : `hash of ${path}`, text: null };
  };

  it('UI-361 names what came along and was ignored, the first of many', () => {
    const ignored = (...names: string[]) =>
      companionsLine(
        names.map((name) => companion(`x/${name}`, 'text', 'ignored')),
        [],
      );
    expect(ignored('a.nfo')).toBe('ignored: a.nfo');
    expect(ignored('a.nfo', 'b.log', 'c.txt')).toBe('ignored: a.nfo, b.log, c.txt');
    expect(ignored('a.nfo', 'b.log', 'c.txt', 'd.txt')).toBe('ignored: a.nfo, b.log and 2 more');
    expect(companionsLine([companion('a.cue', 'cue', 'read'), companion('a.nfo', 'text', 'ignored')], [])).toBe(
      'a.cue read, ignored: a.nfo',
    );
  });

  it('UI-361 says of a picture what became of it: used where the files have no cover, else kept', () => {
    const cover = companion('A/cover.jpg', 'cover', 'kept as cover');
    const evidence = { file_id: 'j', path: 'j', duration_ms: 1 };
    const file = (path: string, patch: object = {}) => ({ path, evidence, cover_sha256: null, ...patch });
    const line = (...files: ReturnType<typeof file>[]) => companionsLine([cover], files);
    const chosen = { cover_chosen: { sha256: 'x', mime: 'image/png', from: 'person', name: 'x.png' } as const };
    expect(line(file('A/1.flac'), file('A/2.flac'))).toBe('cover.jpg used as cover');
    expect(line(file('A/CD 1/1.flac'))).toBe('cover.jpg used as cover');
    expect(line(file('A/1.flac', { cover_sha256: 'own' }))).toBe('cover.jpg kept, the files have covers of their own');
    expect(line(file('A/1.flac', chosen))).toBe('cover.jpg kept, another cover was chosen');
    // Not read yet, of another folder, or one of several: nothing is said that may not be.
    expect(line(file('A/1.flac', { evidence: null }))).toBe('cover.jpg kept as cover');
    expect(line(file('B/1.flac'))).toBe('cover.jpg kept as cover');
    expect(line(file('A/1.flac'), file('A/2.flac', { cover_sha256: 'own' }))).toBe('cover.jpg kept as cover');
    const front = companion('A/front.jpg', 'cover', 'kept as cover');
    expect(companionsLine([cover, front], [file('A/1.flac')])).toBe('cover.jpg kept as cover, front.jpg kept as cover');
  });
});

describe('bulks', () => {
  it('UI-10 takes track questions of one group whose first candidate is at least Likely', () => {
    const reviews = [
      trackReview('a', 'g1', 0.7),
      trackReview('b', 'g1', 0.6),
      trackReview('c', 'g1', 0.59),
      trackReview('d', 'g2', 0.9),
    ];
    expect(bulks(reviews).map((bulk) => bulk.reviews.map((review) => review.id))).toEqual([['a', 'b']]);
  });
});
