import type { AlbumFit } from './album-fit.ts';
import type { GroupFacts } from './group-facts.ts';
import { vetoesOf, type Veto } from './vetoes.ts';
import type { FileReading } from '../names/reading.ts';
import { predict, type CalibrationProfile } from '../calibration/profile.ts';
import { type PairScore, SAME_TITLE } from './score.ts';

/** The numbers a decision about one file rests on; names are those of the profile's coefficients. */
export type Features = Record<string, number>;

export interface Decision {
  /** Calibrated 0..1, after vetoes. */
  confidence: number;
  /** Calibrated, before vetoes. */
  raw: number;
  features: Features;
  /** Any of them sends the file to review. */
  vetoes: Veto[];
}

const clip = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** What a veto leaves at most: under any sensible threshold of approval. */
const CAP = 0.85;

/** How much nearer than the one assigned a title of another album has to be. */
const NEARER = 0.07;

/**
 * MATCH-45: of the same artist, with the same length, another album has the file's very title: albums whose titles are
 * alike have tracks whose titles are alike, and in a large drop not every album is compared with every file.
 */
function isTitledOnOtherAlbum(pair: PairScore, others: readonly (readonly PairScore[])[]): boolean {
  const least = Math.max(SAME_TITLE, (pair.similarity ?? 0) + NEARER);
  return others.some((row) =>
    row.some(
      (other) =>
        (other.similarity ?? 0) >= least &&
        (other.artistSimilarity ?? 0) >= 0.85 &&
        other.off !== null &&
        Math.abs(other.off) <= 3,
    ),
  );
}

/** Decides one assigned pair. `others`: what the file is on other albums, a row each. */
export function decidePair(
  file: FileReading,
  fit: AlbumFit,
  row: number,
  column: number,
  facts: GroupFacts,
  profile: CalibrationProfile,
  others: readonly (readonly PairScore[])[] = [],
): Decision {
  const pair = fit.pairs[row]?.[column] as PairScore;
  const vetoes = vetoesOf(file, fit, row, column, facts);
  if (isTitledOnOtherAlbum(pair, others)) vetoes.push({ kind: 'rival', label: 'its very title is on another album' });
  const features = featuresOf(fit, row, column, pair, facts);
  for (const veto of vetoes) features[`veto_${veto.kind}`] = 1;
  const raw = predict(profile, features);
  return { confidence: vetoes.length > 0 ? Math.min(raw, CAP) : raw, raw, features, vetoes };
}

function featuresOf(fit: AlbumFit, row: number, column: number, pair: PairScore, facts: GroupFacts): Features {
  let runnerUp = 0;
  fit.pairs[row]?.forEach((other, at) => {
    if (at !== column) runnerUp = Math.max(runnerUp, other.total);
  });
  return {
    title: clip(pair.title, -3, 9) / 5,
    untitled: pair.similarity === null ? 1 : 0,
    duration: clip(pair.duration, -4.5, 6) / 3,
    untimed: pair.off === null ? 1 : 0,
    position: pair.position / 2,
    artist: pair.artist / 3.5,
    version: pair.version / 2,
    trackMargin: clip(pair.total - runnerUp, -4, 12) / 5,
    albumMargin: clip(facts.albumMargin, 0, 12) / 4,
    meanTotal: clip(facts.meanTotal, 0, 18) / 6,
    matchedShare: facts.matched / Math.max(1, facts.files),
    nearShare: facts.timed === 0 ? 0.5 : facts.near / facts.timed,
    size: Math.log(Math.max(1, facts.matched)),
    coverage: fit.coverage,
    album: clip(fit.albumEvidence, -3, 9) / 4,
    shared: fit.shared[row] === true ? 1 : 0,
    alone: facts.matched <= 1 ? 1 : 0,
    bias: 1,
    titlesAgree: facts.titlesAgree,
    unitShare: facts.unitShare,
  };
}
