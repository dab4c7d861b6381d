/** Files that the profile itself is not sure of: no veto and no doubt about the album holds them back. */
import type { LabelledCase } from './case.types.ts';
import type { Decided } from './decided.ts';
import { COMMITTED, isRight } from './score.ts';

/** Below it a confidence is no claim that the track is the right one. */
const LIKELY = 0.5;

/** Those between one half and approval, and how many of them are right; more than nine in ten is a profile too shy. */
export function shyness(
  cases: readonly LabelledCase[],
  decided: readonly (readonly Decided[])[],
): { files: number; right: number } {
  const free = cases.flatMap(({ truth }, at) =>
    (decided[at] ?? []).flatMap((match) => {
      const isFree = match.vetoes.length === 0 && !match.albumInDoubt && match.track_id !== null;
      const row = truth.find(({ file_id }) => file_id === match.file_id);
      return isFree && row && match.confidence > LIKELY && match.confidence <= COMMITTED
        ? [isRight(row, match.track_id)]
        : [];
    }),
  );
  return { files: free.length, right: free.filter((right) => right).length };
}
