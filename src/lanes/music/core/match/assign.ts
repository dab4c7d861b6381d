/**
 * The assignment problem with the right not to assign: pairs files with tracks so that the sum of scores is the
 * greatest; a pair below `floor` is never made.
 */
import type { FileReading } from '../names/reading.ts';
import type { PairScore } from './score.ts';
import { textSimilarity } from '#core/text/similarity.ts';

/** For each row the column it was given, or -1. `scores[row][column]`. O(rows^2 * columns). */
export function assign(scores: readonly (readonly number[])[], floor: number): number[] {
  const rows = scores.length;
  const columns = scores[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return scores.map(() => -1);
  // Each row has a column of its own, worth `floor`, that means "no track". Costs are minimised.
  const width = columns + rows;
  const cost = (row: number, column: number): number => {
    if (column >= columns) return column - columns === row ? -floor : 1e6;
    return -Math.max(scores[row]?.[column] ?? 0, -1e5);
  };
  // Shortest augmenting paths with potentials (Jonker and Volgenant), 1-based.
  const u = new Float64Array(rows + 1);
  const v = new Float64Array(width + 1);
  const rowOf = new Int32Array(width + 1);
  const way = new Int32Array(width + 1);
  for (let row = 1; row <= rows; row++) {
    rowOf[0] = row;
    let column = 0;
    const least = new Float64Array(width + 1).fill(Infinity);
    const used = new Uint8Array(width + 1);
    do {
      used[column] = 1;
      const current = rowOf[column] ?? 0;
      let delta = Infinity;
      let next = 0;
      for (let j = 1; j <= width; j++) {
        if (used[j] === 1) continue;
        const reduced = cost(current - 1, j - 1) - (u[current] ?? 0) - (v[j] ?? 0);
        if (reduced < (least[j] ?? 0)) {
          least[j] = reduced;
          way[j] = column;
        }
        if ((least[j] ?? 0) < delta) {
          delta = least[j] ?? 0;
          next = j;
        }
      }
      for (let j = 0; j <= width; j++) {
        if (used[j] === 1) {
          const r = rowOf[j] ?? 0;
          u[r] = (u[r] ?? 0) + delta;
          v[j] = (v[j] ?? 0) - delta;
        } else least[j] = (least[j] ?? 0) - delta;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const previous = way[column] ?? 0;
      rowOf[column] = rowOf[previous] ?? 0;
      column = previous;
    }
  }
  const given = new Array<number>(rows).fill(-1);
  for (let j = 1; j <= columns; j++) {
    const row = rowOf[j] ?? 0;
    if (row > 0) given[row - 1] = j - 1;
  }
  return given;
}

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
