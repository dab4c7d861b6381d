/** What separates two compared tracks, for doubts in which the rules chose neither. Pure. */
import type { Reason } from '#core/job/reason.ts';
import type { PairEvidence } from '#lanes/music/core/match/match.types.ts';
import { signed } from './compare.ts';

const PARTS = ['title', 'duration', 'position', 'artist', 'version'] as const;
const NAMES: Readonly<Record<(typeof PARTS)[number], string>> = {
  title: 'title',
  duration: 'length',
  position: 'track number',
  artist: 'artist',
  version: 'version words',
};
/** Less than this (log-likelihood) separates nothing. */
const LEAST = 0.1;

/** How much more each comparison speaks for `a` than for `b`; the strongest first. */
export function separating(a: PairEvidence, b: PairEvidence): Reason[] {
  return PARTS.flatMap((kind): Reason[] => {
    const weight = a.weights[kind] - b.weights[kind];
    if (Math.abs(weight) < LEAST) return [];
    return [{ kind, label: `${NAMES[kind]} ${signed(weight)}`, tone: weight > 0 ? 'good' : 'bad', weight }];
  }).sort((left, right) => Math.abs(right.weight ?? 0) - Math.abs(left.weight ?? 0));
}
