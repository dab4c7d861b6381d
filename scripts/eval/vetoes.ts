/** What each veto is worth on a set: the wrong approvals that it alone prevents, and the right ones that it alone costs. */
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import type { LabelledCase } from './case.types.ts';
import { COMMITTED, isRight } from './score.ts';
import type { Decided } from './threads/music.types.ts';

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
    for (const kind of match.vetoes) {
      const count = counts.get(kind) ?? { struck: 0, prevents: 0, costs: 0 };
      counts.set(kind, count);
      count.struck += 1;
      if (!truth || match.vetoes.length > 1 || match.albumInDoubt || withoutVeto(match, kind) <= COMMITTED) continue;
      if (isRight(truth, match.track_id)) count.costs += Number(truth.expect === 'commit');
      else count.prevents += 1;
    }
  }
}

/** 0..1: the calibrated probability without what the veto's own coefficient takes off. */
function withoutVeto(match: Decided, kind: string): number {
  const raw = Math.min(1 - 1e-9, Math.max(1e-9, match.raw));
  const logOdds = Math.log(raw / (1 - raw)) - (SHIPPED_PROFILE.weights[`veto_${kind}`] ?? 0);
  return 1 / (1 + Math.exp(-logOdds));
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
