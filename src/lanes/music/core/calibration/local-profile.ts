/**
 * MATCH-30: what a person's answers say about the shipped profile. Two numbers are laid over it, a slope and a shift of
 * its log-odds (as Platt does), fitted to the answers under a strong prior at "exactly as shipped" and kept within bounds,
 * so that twenty careless answers neither approve everything nor nothing. The result is an ordinary profile: its
 * coefficients are the shipped ones times the slope, the shift is part of its bias. Vetoes and the person's threshold are
 * no part of it.
 */
import type { Explanation } from '../match/match.types.ts';
import { type CalibrationProfile, SHIPPED_PROFILE } from './profile.ts';
import * as v from 'valibot';

/** What became of one proposal of the matcher. */
export const SampleSchema = v.object({
  /** Job id: one sample a file. */
  id: v.string(),
  /** Milliseconds, when it was last answered. */
  at: v.number(),
  /**
   *   answer     the file was asked about
   *   objection  it had been approved, and a person took that back before answering
   *   published  it was approved and published without objection: weak evidence
   */
  kind: v.picklist(['answer', 'objection', 'published']),
  /** Version of the shipped profile it was recorded under. */
  base: v.string(),
  /** Every feature that had a coefficient then, zeros too, so that a later profile can be fitted on it. */
  features: v.record(v.string(), v.number()),
  /** Track that was proposed. */
  proposed: v.string(),
  /** null: asked, not decided yet. */
  right: v.nullable(v.boolean()),
  /** 0..1: one answer counts once, however many files it was about. */
  weight: v.number(),
});
export type CalibrationSample = v.InferOutput<typeof SampleSchema>;

export interface LocalFit {
  slope: number;
  /** Log-odds. */
  shift: number;
  /** Answers it has learned from. */
  answers: number;
  /** Answers from before another shipped profile that this one cannot be fitted on. */
  dropped: number;
}

/** Bounds of the fit. They lean to asking: more may be asked than shipped, less may not be trusted as much. */
export const SLOPE_BOUNDS = [0.8, 1.25] as const;
export const SHIFT_BOUNDS = [-1, 0.7] as const;

/** Precision of the prior: the shift is held as by a hundred answers at even odds, the slope by more. */
const SHIFT_PRIOR = 25;
const SLOPE_PRIOR = 200;
/** A proposal published without objection; all of them together never outweigh the answers. */
export const PUBLISHED_WEIGHT = 0.1;
/** Log-odds beyond these count as these: no single answer moves the slope without bound. */
const FARTHEST = 6;
const ITERATIONS = 20;

export const AS_SHIPPED: LocalFit = { slope: 1, shift: 0, answers: 0, dropped: 0 };

/** The features of an explained decision, one for each coefficient of `profile`. */
export function featuresOfWhy(why: Pick<Explanation, 'terms'>, profile: CalibrationProfile): Record<string, number> {
  const features: Record<string, number> = {};
  // What has no weight is not explained, so its value is unknown.
  for (const [name, weight] of Object.entries(profile.weights)) if (weight !== 0) features[name] = 0;
  features['bias'] = 1;
  for (const term of why.terms) features[term.feature] = term.value;
  return features;
}

/** Log-odds that a profile gives to features, those of the vetoes included: what it claimed about that file. */
export function logOdds(profile: CalibrationProfile, features: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(profile.weights)) sum += weight * (features[name] ?? 0);
  return sum;
}

interface Point {
  odds: number;
  right: number;
  weight: number;
}

/** Slope and shift for the shipped profile by these samples, whatever their order. Without an answer: as shipped. */
export function fitLocal(shipped: CalibrationProfile, samples: readonly CalibrationSample[]): LocalFit {
  const decided = samples.filter((sample) => sample.right !== null && sample.weight > 0);
  const usable = decided.filter((sample) => fits(shipped, sample)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const answered = usable.filter((sample) => sample.kind !== 'published');
  const dropped = decided.filter((sample) => sample.kind !== 'published').length - answered.length;
  if (answered.length === 0) return { ...AS_SHIPPED, dropped };
  // Only doubtful files are asked about; what was published without objection stands in for the sure ones, but silence
  // never outweighs words.
  const said = sum(answered.map((sample) => sample.weight));
  const silent = sum(usable.map((sample) => (sample.kind === 'published' ? sample.weight : 0)));
  const share = silent > said ? said / silent : 1;
  const points = usable.map((sample): Point => {
    const odds = logOdds(shipped, sample.features);
    return {
      odds: Math.max(-FARTHEST, Math.min(FARTHEST, odds)),
      right: sample.right === true ? 1 : 0,
      weight: sample.weight * (sample.kind === 'published' ? share : 1),
    };
  });
  const { slope, shift } = newton(points);
  return {
    slope: within(slope, SLOPE_BOUNDS),
    shift: within(shift, SHIFT_BOUNDS),
    answers: answered.length,
    dropped,
  };
}

/** The profile of a fit: `predict` needs to know nothing of it. `n` counts the fits of this browser. */
export function localProfile(
  shipped: CalibrationProfile,
  fit: Pick<LocalFit, 'slope' | 'shift'>,
  n: number,
): CalibrationProfile {
  if (fit.slope === 1 && fit.shift === 0) return shipped;
  const weights: Record<string, number> = {};
  for (const [name, weight] of Object.entries(shipped.weights)) weights[name] = weight * fit.slope;
  weights['bias'] = (weights['bias'] ?? 0) + fit.shift;
  return { version: `${shipped.version}${LOCAL}${n}`, weights };
}

const LOCAL = '+local.';

/** Version of the shipped profile that a profile of this version is based on. */
export function shippedVersion(version: string): string {
  return version.split(LOCAL)[0] ?? version;
}

/** What a confidence (0..1) of the shipped profile is under a fit. */
export function locally(confidence: number, fit: Pick<LocalFit, 'slope' | 'shift'>): number {
  if (confidence <= 0 || confidence >= 1 || (fit.slope === 1 && fit.shift === 0)) return confidence;
  return probability(fit.slope * Math.log(confidence / (1 - confidence)) + fit.shift);
}

/** A sample of another shipped profile can be used where every feature that counts now was recorded then. */
function fits(shipped: CalibrationProfile, sample: CalibrationSample): boolean {
  const counting = Object.entries(shipped.weights).filter(([, weight]) => weight !== 0);
  return sample.base === shipped.version || counting.every(([name]) => Object.hasOwn(sample.features, name));
}

/** The most likely slope and shift under the prior. The loss is strictly convex; a step that does not lower it is halved. */
function newton(points: readonly Point[]): { slope: number; shift: number } {
  let slope = 1;
  let shift = 0;
  let now = loss(points, slope, shift);
  for (let turn = 0; turn < ITERATIONS; turn++) {
    let [g1, g2] = [SLOPE_PRIOR * (slope - 1), SHIFT_PRIOR * shift];
    let [h11, h12, h22] = [SLOPE_PRIOR, 0, SHIFT_PRIOR];
    for (const { odds, right, weight } of points) {
      const p = probability(slope * odds + shift);
      const off = weight * (p - right);
      const bend = weight * p * (1 - p);
      g1 += off * odds;
      g2 += off;
      h11 += bend * odds * odds;
      h12 += bend * odds;
      h22 += bend;
    }
    const det = h11 * h22 - h12 * h12;
    let step = 1;
    const [d1, d2] = [(h22 * g1 - h12 * g2) / det, (h11 * g2 - h12 * g1) / det];
    let next = loss(points, slope - d1, shift - d2);
    while (next > now && step > 1e-6) {
      step /= 2;
      next = loss(points, slope - step * d1, shift - step * d2);
    }
    if (next >= now) break;
    slope -= step * d1;
    shift -= step * d2;
    now = next;
  }
  return { slope, shift };
}

function loss(points: readonly Point[], slope: number, shift: number): number {
  let total = (SLOPE_PRIOR * (slope - 1) ** 2 + SHIFT_PRIOR * shift ** 2) / 2;
  for (const { odds, right, weight } of points) {
    const s = slope * odds + shift;
    total += weight * (Math.max(s, 0) + Math.log1p(Math.exp(-Math.abs(s))) - right * s);
  }
  return total;
}

const probability = (odds: number): number => 1 / (1 + Math.exp(-odds));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const within = (value: number, [low, high]: readonly [number, number]): number => Math.max(low, Math.min(high, value));

/** Meta row in which the fit is kept. */
export const CALIBRATION_ROW = 'calibration';

const CalibrationSchema = v.object({
  /** Version of the shipped profile that the fit is based on. */
  base: v.string(),
  /** Counts the fits of this browser, never back: no two profiles share a version. */
  n: v.number(),
  slope: v.number(),
  shift: v.number(),
  answers: v.number(),
  dropped: v.number(),
  /** Milliseconds; samples from before are set aside. 0: never reset. */
  reset_at: v.number(),
  /** Answers came in since the fit. */
  stale: v.boolean(),
});
export type CalibrationState = v.InferOutput<typeof CalibrationSchema>;

/** The stored state; what is damaged or absent counts as nothing learned. */
export function parseCalibration(value: unknown): CalibrationState {
  const outcome = v.safeParse(CalibrationSchema, value);
  return outcome.success
    ? outcome.output
    : { base: SHIPPED_PROFILE.version, n: 0, ...AS_SHIPPED, reset_at: 0, stale: false };
}

/** MATCH-31: what the run matches with: the fit over the shipped profile of its version, or the shipped one alone. */
export function profileOf(
  state: Pick<CalibrationState, 'base' | 'n' | 'slope' | 'shift' | 'answers'>,
  shipped: CalibrationProfile = SHIPPED_PROFILE,
): CalibrationProfile {
  return state.base === shipped.version && state.answers > 0 ? localProfile(shipped, state, state.n) : shipped;
}
