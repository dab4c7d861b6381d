import { expect, it } from 'vitest';
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import { fitWeights, type Sample } from '../../../scripts/eval/fit.ts';

/** More of each speaks for a match. */
const FOR = 'title duration position artist version trackMargin albumMargin meanTotal nearShare coverage album'.split(
  ' ',
);

it('MATCH-10 nothing that speaks for a match has a weight against it in the shipped profile, and no veto one for it', () => {
  expect(SHIPPED_PROFILE.version).toMatch(/^\d{4}-\d\d-\d\d\.\d+$/);
  expect(Object.keys(SHIPPED_PROFILE.weights)).toEqual(expect.arrayContaining(FOR));
  for (const [name, weight] of Object.entries(SHIPPED_PROFILE.weights)) {
    if (FOR.includes(name)) expect(weight, name).toBeGreaterThanOrEqual(0);
    if (name.startsWith('veto_')) expect(weight, name).toBeLessThanOrEqual(0);
  }
});

it('MATCH-10 nor does a fit give it one, whatever the cases say', () => {
  const wrong = (coverage: number): Sample => ({ features: { coverage, veto_length: 0 }, right: false, vetoed: false });
  const right: Sample = { features: { coverage: 0, veto_length: 1 }, right: true, vetoed: true };
  const weights = fitWeights([[wrong(2), wrong(3), right, right]]);
  expect(weights['coverage']).toBe(0);
  expect(weights['veto_length']).toBeLessThanOrEqual(0);
});
