import { describe, expect, test } from 'vitest';
import { isBetter, type AudioFormat } from '#lanes/music/core/publish/format-order.ts';
import { replaceQuestion } from '#lanes/music/core/questions/replace-question.ts';
import { makeJob } from '../../fixtures/job.ts';
import { groupOf, offBy } from '../../fixtures/match.ts';

const FLAC: AudioFormat = { codec: 'FLAC', bitrate: 1_000_000, lossless: true };
const MP3: AudioFormat = { codec: 'MP3', bitrate: 128_000, lossless: false };
const MP3_320: AudioFormat = { ...MP3, bitrate: 320_000 };

const item = (id: string, format: AudioFormat) => ({
  job: makeJob({ id, ...format }),
  file: offBy(id, 0),
  track: {
    id: `tr-${id}`,
    album_id: 'al1',
    title: 'Undertow',
    artist_id: 'ar1',
    artist: 'Ida Strand',
    disc: 1,
    position: 1,
    duration_ms: 200_000,
    availability: 'available' as const,
  },
});
const ask = (files: [string, AudioFormat][], present: [string, AudioFormat][]) =>
  replaceQuestion(
    groupOf(files.map(([id]) => id)),
    files.map(([id, format]) => item(id, format)),
    new Map(present),
  );

describe('REVIEW-24 audio that is there already', () => {
  test('REVIEW-24 a better file is offered as the replacement first, with the difference', () => {
    const asked = ask([['a', FLAC]], [['tr-a', MP3]]);
    expect(asked.text).toEqual({
      question: '"Undertow" has audio in the catalog already; this file is of better quality. Replace it?',
      reasoning: 'FLAC 1000 kbit/s instead of MP3 128 kbit/s. Nothing is overwritten without your word.',
      variant: 'better_format',
    });
    expect(asked.options.map(({ id }) => id)).toEqual(['replace', 'keep']);
    expect(asked.options[0]?.reasons[0]).toMatchObject({ kind: 'format', tone: 'good' });
  });

  test('REVIEW-24 a file that is not better: what is there is kept first', () => {
    const asked = ask([['a', MP3]], [['tr-a', FLAC]]);
    expect(asked.text.variant).toBe('worse_format');
    expect(asked.text.question).toContain('this file is not better');
    expect(asked.options.map(({ id, confidence }) => [id, confidence])).toEqual([
      ['keep', 0.7],
      ['replace', 0.3],
    ]);
    expect(ask([['a', FLAC]], [['tr-a', FLAC]]).text.variant).toBe('worse_format');
  });

  test('REVIEW-24 what is not known, or holds for some only, is asked plainly', () => {
    const unknown = ask([['a', FLAC]], []);
    expect(unknown.text.variant).toBeUndefined();
    expect(unknown.text.question).toBe('"Undertow" has audio in the catalog already. Replace it?');
    expect(unknown.options.map(({ id }) => id)).toEqual(['keep', 'replace']);
    const mixed = ask(
      [
        ['a', FLAC],
        ['b', MP3],
      ],
      [
        ['tr-a', MP3],
        ['tr-b', FLAC],
      ],
    );
    expect(mixed.text.question).toBe('2 of these tracks have audio in the catalog already. Replace it?');
  });

  test('REVIEW-24 several at once say their formats', () => {
    const asked = ask(
      [
        ['a', FLAC],
        ['b', FLAC],
      ],
      [
        ['tr-a', MP3],
        ['tr-b', MP3_320],
      ],
    );
    expect(asked.text.variant).toBe('better_format');
    expect(asked.text.reasoning).toContain('FLAC instead of MP3.');
  });

  test.each([
    [FLAC, MP3, true],
    [MP3, FLAC, false],
    [FLAC, FLAC, false],
    [MP3_320, MP3, true],
    [MP3, { ...MP3, bitrate: 120_000 }, false],
    [MP3, { ...MP3, bitrate: null }, null],
    [MP3, { ...MP3, lossless: null }, null],
  ])('REVIEW-24 %j is better than %j: %s', (mine, present, better) => {
    expect(isBetter(mine, present)).toBe(better);
  });
});
