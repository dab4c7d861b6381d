import { describe, expect, it } from 'vitest';
import type { FileMatch } from '#lanes/music/core/match/match.types.ts';
import type { LabelledCase } from '../../../scripts/eval/case.types.ts';
import { makeCases } from '../../../scripts/eval/cases.ts';
import { syntheticCatalog } from '../../../scripts/eval/catalog.ts';
import { mojibake } from '../../../scripts/eval/damage.ts';
import { byAlbum, byClass } from '../../../scripts/eval/folds.ts';
import { reliabilityDiagram, table } from '../../../scripts/eval/report.ts';
import { seeded } from '../../../scripts/eval/random.ts';
import { count, figures, newScore } from '../../../scripts/eval/score.ts';

const catalog = syntheticCatalog({ seed: 3, tracks: 3000 });

describe('the synthetic catalog', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(syntheticCatalog({ seed: 3, tracks: 3000 })).toEqual(catalog);
    expect(syntheticCatalog({ seed: 4, tracks: 3000 }).tracks[0]).not.toEqual(catalog.tracks[0]);
  });

  it('has one row an id, every track on an album and several scripts', () => {
    const albums = new Set(catalog.albums.map((album) => album.id));
    expect(new Set(catalog.tracks.map((track) => track.id)).size).toBe(catalog.tracks.length);
    expect(catalog.tracks.every((track) => albums.has(track.album_id))).toBe(true);
    const text = catalog.tracks.map((track) => track.title).join('');
    for (const script of [/\p{Script=Cyrillic}/u, /\p{Script=Hiragana}/u, /\p{Script=Han}/u, /ø|é|ñ/])
      expect(text).toMatch(script);
  });
});

describe('cases', () => {
  const cases = makeCases(catalog, { seed: 1, cases: 200 });

  it('carry a truth for each file that the catalog has, or none', () => {
    const ids = new Set(catalog.tracks.map((track) => track.id));
    for (const batch of cases) {
      expect(batch.truth.map((truth) => truth.file_id)).toEqual(batch.files.map((file) => file.file_id));
      for (const { track_id, expect: due } of batch.truth) {
        if (track_id === null) expect(due).not.toBe('commit');
        else expect(ids.has(track_id)).toBe(true);
      }
    }
  });

  it('hold files that nobody has, in every class of that kind', () => {
    const absent = cases.filter((batch) => batch.truth.every((truth) => truth.track_id === null));
    expect(new Set(absent.map((batch) => batch.cls))).toContain('bootleg');
  });

  it('are damaged as the world damages them', () => {
    expect(mojibake('Björk')).toBe('BjÃ¶rk');
  });
});

describe('parts of cases that are held out', () => {
  const cases = makeCases(catalog, { seed: 2, cases: 150 });
  const albums = new Map(catalog.tracks.map((track) => [track.id, track.album_id]));
  const albumsOf = (numbers: readonly number[]): Set<string> =>
    new Set(
      numbers.flatMap((n) => (cases[n]?.truth ?? []).flatMap(({ track_id }) => albums.get(track_id ?? '') ?? [])),
    );

  it('share no album with what is fitted on, and hold each case once', () => {
    const folds = byAlbum(cases, (id) => albums.get(id) ?? null, 5);
    expect(folds.flatMap(({ held }) => held).sort((a, b) => a - b)).toEqual(cases.map((_, n) => n));
    for (const { held, fitted } of folds) expect(albumsOf(held).isDisjointFrom(albumsOf(fitted))).toBe(true);
  });

  it('share no class with what is fitted on', () => {
    for (const { held, fitted } of byClass(cases, 8)) {
      const classes = (numbers: readonly number[]): Set<string> => new Set(numbers.map((n) => cases[n]?.cls ?? ''));
      expect(classes(held).isDisjointFrom(classes(fitted))).toBe(true);
    }
  });
});

describe('figures', () => {
  const batch: LabelledCase = {
    case_id: 'c',
    tier: 'core',
    cls: 'made up',
    context: { type: 'spontaneous' },
    files: [],
    truth: [
      { file_id: 'right', track_id: 't1', expect: 'commit', also_ok: ['t9'] },
      { file_id: 'equal', track_id: 't2', expect: 'commit', also_ok: ['t8'] },
      { file_id: 'asked', track_id: 't3', expect: 'commit', also_ok: [] },
      { file_id: 'absent', track_id: null, expect: 'reject', also_ok: [] },
    ],
  };
  const match = (file_id: string, track_id: string, confidence: number, options: string[] = []): FileMatch => ({
    file_id,
    group_id: 'g',
    track_id,
    confidence,
    reasons: [],
    detected: { title: null, artist: null, disc: null, position: null },
    options: options.map((id) => ({
      track_id: id,
      album_id: 'a',
      title: id,
      artist: '',
      album: '',
      disc: 1,
      position: 1,
      duration_ms: null,
      confidence: 0,
      reasons: [],
    })),
  });

  it('count what the scoring rule counts: coverage, precision, absent files, the first three options', () => {
    const score = newScore();
    const matches = [
      match('right', 't1', 0.95),
      match('equal', 't8', 0.95),
      match('asked', 't7', 0.5, ['t7', 't6', 't3']),
      match('absent', 't1', 0.95),
    ];
    count(score, batch, matches);
    const found = figures(score);
    expect(found['core.coverage']).toBeCloseTo(2 / 3);
    expect(found['core.precision']).toBeCloseTo(2 / 3);
    expect(found['core.null_committed']).toBe(1);
    expect(found['options_at_3']).toBe(1);
    expect(found['ece']).toBeCloseTo((Math.abs(2 - 2.85) + 0.5) / 4);
    expect(table(score)).toContain('made up');
    expect(reliabilityDiagram(score.bins, 'test')).toContain('<svg');
  });

  it('a committed file at exactly the threshold is none', () => {
    const score = newScore();
    count(score, batch, [match('right', 't1', 0.9)]);
    expect(score.rows.get('core')).toMatchObject({ right: 0, review: 4 });
  });
});

it('seeded numbers are in their range and repeat', () => {
  const [a, b] = [seeded(7), seeded(7)];
  const draws = Array.from({ length: 500 }, () => a.below(6));
  expect(draws).toEqual(Array.from({ length: 500 }, () => b.below(6)));
  expect(new Set(draws)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  expect(seeded(1).common(['only'])).toBe('only');
});
