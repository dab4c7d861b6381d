import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  AS_SHIPPED,
  fitLocal,
  localProfile,
  locally,
  SHIFT_BOUNDS,
  SLOPE_BOUNDS,
  type CalibrationSample,
} from '#lanes/music/core/calibration/local-profile.ts';
import { predict, SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';

const NAMES = Object.keys(SHIPPED_PROFILE.weights);
const bias = SHIPPED_PROFILE.weights['bias'] ?? 0;

/** A sample whose log-odds under the shipped profile are exactly these: the rest is in one feature. */
function sample(id: number, odds: number, right: boolean, patch: Partial<CalibrationSample> = {}): CalibrationSample {
  const features: Record<string, number> = Object.fromEntries(NAMES.map((name) => [name, 0]));
  features['bias'] = 1;
  features['duration'] = (odds - bias) / (SHIPPED_PROFILE.weights['duration'] ?? 1);
  return {
    ...{
      id: `j${id}`,
      at: id,
      kind: 'answer',
      base: SHIPPED_PROFILE.version,
      features,
      proposed: 't',
      right,
      weight: 1,
    },
    ...patch,
  };
}

const odds = fc.double({ min: -8, max: 8, noNaN: true });
const samples = fc
  .array(fc.tuple(odds, fc.boolean()), { maxLength: 40 })
  .map((list) => list.map(([z, right], at) => sample(at, z, right)));
const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
const RUNS = { numRuns: 60 };

describe('MATCH-30 local profile', () => {
  test('without an answer it is the shipped profile itself', () => {
    expect(fitLocal(SHIPPED_PROFILE, [])).toEqual(AS_SHIPPED);
    const silent = [sample(1, 5, true, { kind: 'published', weight: 0.1 }), sample(2, 1, true, { right: null })];
    expect(localProfile(SHIPPED_PROFILE, fitLocal(SHIPPED_PROFILE, silent), 3)).toBe(SHIPPED_PROFILE);
    expect(locally(0.9, AS_SHIPPED)).toBe(0.9);
  });

  test('MATCH-59 a more confident match never becomes less confident than a less confident one', () => {
    fc.assert(
      fc.property(samples, share, share, (list, a, b) => {
        const fit = fitLocal(SHIPPED_PROFILE, list);
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(locally(high, fit)).toBeGreaterThanOrEqual(locally(low, fit));
      }),
      RUNS,
    );
  });

  test('MATCH-59 it stays within its bounds, whatever is answered: 75 % never passes 89 %, 98.5 % never falls under 91 %', () => {
    fc.assert(
      fc.property(samples, (list) => {
        const fit = fitLocal(SHIPPED_PROFILE, [...list, ...list.map((one) => ({ ...one, id: `${one.id}x` }))]);
        expect(fit.slope).toBeGreaterThanOrEqual(SLOPE_BOUNDS[0]);
        expect(fit.slope).toBeLessThanOrEqual(SLOPE_BOUNDS[1]);
        expect(fit.shift).toBeGreaterThanOrEqual(SHIFT_BOUNDS[0]);
        expect(fit.shift).toBeLessThanOrEqual(SHIFT_BOUNDS[1]);
      }),
      RUNS,
    );
    for (const slope of SLOPE_BOUNDS)
      for (const shift of SHIFT_BOUNDS) {
        expect(locally(0.75, { slope, shift })).toBeLessThan(0.89);
        expect(locally(0.985, { slope, shift })).toBeGreaterThan(0.91);
      }
  });

  test('twenty careless answers neither approve everything nor nothing', () => {
    for (const right of [true, false])
      for (const z of [-6, -2, 0, 2, 4, 6]) {
        const fit = fitLocal(
          SHIPPED_PROFILE,
          Array.from({ length: 20 }, (_, at) => sample(at, z, right)),
        );
        expect(Math.abs(fit.shift)).toBeLessThanOrEqual(20 / 25);
        expect(locally(0.8, fit)).toBeLessThan(0.9);
        expect(locally(0.98, fit)).toBeGreaterThan(0.9);
      }
  });

  test('the order of the answers does not matter', () => {
    fc.assert(
      fc.property(samples, fc.infiniteStream(fc.nat()), (list, keys) => {
        const shuffled = list.map((one) => ({ one, key: keys.next().value ?? 0 })).sort((a, b) => a.key - b.key);
        expect(
          fitLocal(
            SHIPPED_PROFILE,
            shuffled.map(({ one }) => one),
          ),
        ).toEqual(fitLocal(SHIPPED_PROFILE, list));
      }),
      RUNS,
    );
  });

  test('the profile predicts what the fit says, and leaves the relation of features as it is', () => {
    fc.assert(
      fc.property(samples, odds, (list, z) => {
        const fit = fitLocal(SHIPPED_PROFILE, list);
        const { features } = sample(0, z, true);
        const shipped = predict(SHIPPED_PROFILE, features);
        // Probabilities are said to nine decimals; near 0 and 1 the odds take some of them.
        expect(predict(localProfile(SHIPPED_PROFILE, fit, 1), features)).toBeCloseTo(locally(shipped, fit), 7);
      }),
      RUNS,
    );
  });

  test('MATCH-60 wrong answers make it ask more, right ones less; silence never outweighs words', () => {
    const wrong = fitLocal(SHIPPED_PROFILE, [sample(1, 2, false), sample(2, 2, false)]);
    expect(locally(0.92, wrong)).toBeLessThan(0.92);
    const right = fitLocal(SHIPPED_PROFILE, [sample(1, 1, true), sample(2, 1, true)]);
    expect(locally(0.88, right)).toBeGreaterThan(0.88);
    const silence = Array.from({ length: 400 }, (_, at) =>
      sample(at + 10, 1, true, { kind: 'published', weight: 0.1 }),
    );
    expect(fitLocal(SHIPPED_PROFILE, [sample(1, 1, false), sample(2, 1, false), ...silence]).shift).toBeLessThan(0);
  });

  test('MATCH-32, MATCH-62 answers are refitted on another shipped profile where their features are known, else dropped', () => {
    const next = { version: 'next', weights: { ...SHIPPED_PROFILE.weights, title: 0.9 } };
    expect(fitLocal(next, [sample(1, 2, false)])).toMatchObject({ answers: 1, dropped: 0 });
    const other = { version: 'other', weights: { ...SHIPPED_PROFILE.weights, unheard: 0.4 } };
    expect(fitLocal(other, [sample(1, 2, false)])).toEqual({ ...AS_SHIPPED, dropped: 1 });
  });

  test('MATCH-33 the command line, the evaluation and the server know the shipped profile only', () => {
    const root = join(import.meta.dirname, '../../..');
    const sources = ['src/cli', 'src/server', 'scripts'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
    );
    expect(sources.length).toBeGreaterThan(20);
    const knowing = sources.filter((path) =>
      /local-profile|calibration-st|memory-store|core\/job\/memory/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(knowing).toEqual([]);
    // A third argument would be a profile: only the evaluation's own fits pass one.
    const passing = sources.filter((path) =>
      /matchBatch\(\s*(?:\{[^]*?\}|[\w.]+),\s*[\w.]+,\s*\w/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(passing.filter((path) => !path.startsWith('scripts/eval'))).toEqual([]);
  });
});
