/** MATCH-20: why a file was decided as it was, as data: what was compared, what it weighs, what came second. */
import type { AlbumFit } from './album-fit.ts';
import type { Decision, Features } from './decide.ts';
import type { Reason } from '#core/job/reason.ts';
import type { DecisionTerm, Explanation, RunnerUp } from './match.types.ts';
import type { CalibrationProfile } from '../calibration/profile.ts';
import type { RankedTrack } from './options.ts';
import { pairEvidence, signedSeconds, toHundredths } from './reasons.ts';
import type { FileReading } from '../names/reading.ts';
import type { PairScore } from './score.ts';

/** Reasons of less weight than this separate nothing. */
const LEAST_WEIGHT = 0.1;
const MOST_REASONS = 4;

/** MATCH-21: the next best track of a file, and what speaks for the assigned one against it; null when there is none. */
function runnerUpOf(
  file: FileReading,
  chosen: { fit: AlbumFit; pair: PairScore },
  ranked: readonly RankedTrack[],
): RunnerUp | null {
  const next = ranked.find((entry) => !entry.mine);
  if (!next) return null;
  return {
    track_id: next.track.track.id,
    album_id: next.fit.album.album.id,
    title: next.track.track.title,
    album: next.fit.album.album.title,
    behind: toHundredths(chosen.pair.total - next.pair.total),
    separates: separates(file, chosen, next),
  };
}

function separates(file: FileReading, chosen: { fit: AlbumFit; pair: PairScore }, next: RankedTrack): Reason[] {
  const { pair: mine } = chosen;
  const { pair: other } = next;
  const found: Reason[] = [];
  const add = (kind: string, label: string, weight: number): void => {
    if (Math.abs(weight) < LEAST_WEIGHT) return;
    found.push({ kind, label, tone: weight > 0 ? 'good' : 'bad', weight: toHundredths(weight) });
  };
  if (mine.similarity !== null && other.similarity !== null)
    add('title', `title ${mine.similarity.toFixed(2)}, there ${other.similarity.toFixed(2)}`, mine.title - other.title);
  const [here, there] = [seconds(mine.off), seconds(other.off)];
  add('duration', `duration ${here}, there ${there}`, mine.duration - other.duration);
  const number = file.positions[0]?.position;
  if (number !== undefined) {
    const place = next.track.track;
    const label = mine.positionAgrees
      ? `track ${number}, there ${place.disc > 1 ? `${place.disc}-` : ''}${place.position}`
      : `track ${number} is the other's number`;
    add('position', label, mine.position - other.position);
  }
  if (mine.artistSimilarity !== null && other.artistSimilarity !== null) {
    const label = `artist ${mine.artistSimilarity.toFixed(2)}, there ${other.artistSimilarity.toFixed(2)}`;
    add('artist', label, mine.artist - other.artist);
  }
  add('version', versionLabel(mine, other), mine.version - other.version);
  const files = chosen.fit.given.length;
  const together = next.fit.given.length === files;
  if (next.fit !== chosen.fit && together) {
    // What the two albums make of the whole group, without these two pairs.
    const whole = chosen.fit.total - next.fit.total - (mine.total - other.total);
    const counts = files > 1 ? `: ${chosen.fit.matched} of ${files} files, there ${next.fit.matched}` : '';
    add('album', `album as a whole${counts}`, whole);
  }
  found.sort((a, b) => Math.abs(b.weight ?? 0) - Math.abs(a.weight ?? 0));
  if (!together) found.unshift({ kind: 'album', label: 'the other files are on this album', tone: 'good' });
  if (next.taken) found.unshift({ kind: 'taken', label: 'another file is that track', tone: 'good' });
  if (found.length === 0) return [{ kind: 'twin', label: 'nothing separates them', tone: 'bad', weight: 0 }];
  return found.slice(0, MOST_REASONS);
}

const seconds = (off: number | null): string => (off === null ? 'unknown' : signedSeconds(off));

function versionLabel(mine: PairScore, other: PairScore): string {
  const words = (pair: PairScore): string => [...pair.versionExtra, ...pair.versionMissing].join(', ');
  const [here, there] = [words(mine), words(other)];
  if (there === '') return here === '' ? 'version words' : `${here} is not explained`;
  return here === '' ? `there ${there} is not explained` : `${here} is not explained, there ${there}`;
}

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
