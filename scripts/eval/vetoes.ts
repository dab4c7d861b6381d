/** What each veto is worth on a set: the wrong approvals that it alone prevents, and the right ones that it alone costs. */
import type { LabelledCase } from './case.types.ts';
import { soleVeto, type Decided } from './decided.ts';
import { isRight } from './score.ts';

export interface VetoCount {
  /** Files that it struck, alone or with others. */
  struck: number;
  /** Of them, those that would be approved without it: the wrong and the right ones. */
  prevents: number;
  costs: number;
}

/** By kind. */
export type VetoCounts = Map<string, VetoCount>;

/** Counts one case's matches in. */
export function countVetoes(counts: VetoCounts, batch: LabelledCase, matches: readonly Decided[]): void {
  const truths = new Map(batch.truth.map((truth) => [truth.file_id, truth]));
  for (const match of matches) {
    const truth = truths.get(match.file_id);
    for (const kind of match.vetoes) countOf(counts, kind).struck += 1;
    const kind = soleVeto(match);
    if (!truth || kind === null) continue;
    const count = countOf(counts, kind);
    if (isRight(truth, match.track_id)) count.costs += Number(truth.expect === 'commit');
    else count.prevents += 1;
  }
}

export function countOf(counts: VetoCounts, kind: string): VetoCount {
  const count = counts.get(kind) ?? { struck: 0, prevents: 0, costs: 0 };
  counts.set(kind, count);
  return count;
}

/** The dearest first. */
export function vetoTable(counts: VetoCounts): string {
  const head = ['veto', 'struck', 'prevents', 'costs'].map((text, n) =>
    n === 0 ? text.padEnd(16) : text.padStart(10),
  );
  const rows = [...counts]
    .sort((a, b) => b[1].costs - a[1].costs || (a[0] < b[0] ? -1 : 1))
    .map(([kind, { struck, prevents, costs }]) =>
      [kind.padEnd(16), ...[struck, prevents, costs].map((cell) => String(cell).padStart(10))].join(''),
    );
  return [head.join(''), ...rows].join('\n');
}
