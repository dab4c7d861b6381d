/** Calibration: how features become a probability. Versioned, because stored decisions name the profile they rest on. */
export interface CalibrationProfile {
  version: string;
  /** Logistic coefficients by feature name; a feature without one does not count. */
  weights: Readonly<Record<string, number>>;
}

/** The shipped profile. Written by scripts/fit-profile.ts. */
export const SHIPPED_PROFILE: CalibrationProfile = {
  version: '2026-11-25.1',
  weights: {
    album: 0.766,
    albumMargin: 0.386,
    alone: -0.392,
    artist: 0.205,
    bias: -5.322,
    coverage: 0.967,
    duration: 1.06,
    meanTotal: 1.7,
    nearShare: 0.699,
    position: 0.2,
    shared: 0.09,
    title: 0.3,
    trackMargin: 0.321,
    unitShare: -0.204,
    untimed: 0.884,
    untitled: 1.291,
    version: 3.071,
    veto_alone: -1.141,
    veto_artist: -4.957,
    veto_edition: -6.233,
    veto_length: -2.311,
    veto_lengths_alone: -3.622,
    veto_other_album: -1.149,
    veto_recording: -3.529,
    veto_rival: -0.704,
    veto_title: -1.866,
    veto_untimed: -0.628,
    veto_version: -2.387,
  },
};

/** Engines differ in the last bits of `exp` and `log`: what is decided and shown must not. */
const DIGITS = 1e9;

/** Probability 0..1 by the profile, to nine decimals. */
export function predict(profile: CalibrationProfile, features: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(profile.weights)) sum += weight * (features[name] ?? 0);
  return Math.round(DIGITS / (1 + Math.exp(-sum))) / DIGITS;
}
