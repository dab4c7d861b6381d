import type { FileReading } from '../names/reading.ts';
import type { PairScore } from './score.ts';
import { textSimilarity } from '#core/text/similarity.ts';

/** MATCH-6: a leftover file that is another format of an assigned one shares its track. */
export function shareTracks(
  files: readonly FileReading[],
  pairs: readonly PairScore[][],
  given: number[],
  floor: number,
): boolean[] {
  const shared = files.map(() => false);
  const owner = new Map<number, number>();
  given.forEach((column, row) => {
    if (column >= 0) owner.set(column, row);
  });
  files.forEach((file, row) => {
    const current = given[row] ?? -1;
    const scores = pairs[row] ?? [];
    let best = -1;
    scores.forEach((pair, column) => {
      if (pair.total > (scores[best]?.total ?? floor)) best = column;
    });
    if (best < 0 || best === current) return;
    const other = owner.get(best);
    const holder = other === undefined ? undefined : files[other];
    if (!holder || other === row) return;
    const gain = (scores[best]?.total ?? 0) - (current >= 0 ? (scores[current]?.total ?? 0) : 0);
    if (gain < 3 || !sameRecording(file, holder)) return;
    given[row] = best;
    shared[row] = true;
  });
  return shared;
}

/** Two files that say they are the same piece: equal lengths, equal names, another format or a copy mark. */
function sameRecording(a: FileReading, b: FileReading): boolean {
  const lengths = a.evidence.duration_ms !== null && b.evidence.duration_ms !== null;
  if (lengths && Math.abs((a.evidence.duration_ms ?? 0) - (b.evidence.duration_ms ?? 0)) > 3000) return false;
  if (a.name.extension === b.name.extension && a.name.copy === b.name.copy && a.name.base !== b.name.base) return false;
  const titles =
    a.titles[0] && b.titles[0]
      ? Math.max(...a.titles.map((x) => Math.max(...b.titles.map((y) => textSimilarity(x.key, y.key)))))
      : lengths
        ? 1
        : 0;
  return titles >= 0.8;
}
