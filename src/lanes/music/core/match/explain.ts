/** MATCH-20: why a file was decided as it was, as data: what was compared, what it weighs, what came second. */
import type { AlbumFit } from './album-fit.ts';
import type { Decision, Features } from './decide.ts';
import type { DecisionTerm, Explanation } from './match.types.ts';
import type { CalibrationProfile } from '../calibration/profile.ts';
import type { RankedTrack } from './options.ts';
import { pairEvidence } from './pair-evidence.ts';
import { runnerUpOf } from './runner-up.ts';
import type { FileReading } from '../names/reading.ts';
import type { PairScore } from './score.ts';

const toFiveDigits = (value: number): number => Math.round(value * 1e5) / 1e5 + 0;

/** The shares of a decision's log-odds, the largest first; what is not there has none. */
export function termsOf(features: Features, profile: CalibrationProfile): DecisionTerm[] {
  return Object.entries(profile.weights)
    .flatMap(([feature, weight]): DecisionTerm[] => {
      const value = features[feature] ?? 0;
      if (value === 0 || weight === 0) return [];
      return [{ feature, value: toFiveDigits(value), weight, log_odds: toFiveDigits(value * weight) }];
    })
    .sort((a, b) => Math.abs(b.log_odds) - Math.abs(a.log_odds) || (a.feature < b.feature ? -1 : 1));
}

export interface Explained {
  file: FileReading;
  fit: AlbumFit;
  pair: PairScore;
  decision: Pick<Decision, 'features' | 'raw' | 'vetoes'>;
  /** The file's tracks as they are offered, best first; the assigned one among them. */
  ranked: readonly RankedTrack[];
}

/** Why this pair was decided as it was. */
export function explain({ file, fit, pair, decision, ranked }: Explained, profile: CalibrationProfile): Explanation {
  return {
    profile: profile.version,
    pair: pairEvidence(pair),
    speed: toFiveDigits(fit.speed),
    terms: termsOf(decision.features, profile),
    raw: decision.raw,
    vetoes: decision.vetoes.map(({ kind, label }) => ({ kind, label })),
    limit: null,
    runner_up: runnerUpOf(file, { fit, pair }, ranked),
  };
}
