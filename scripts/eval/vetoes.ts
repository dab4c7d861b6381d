/** What each veto is worth on a set: the wrong approvals that it alone prevents, and the right ones that it alone costs. */
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import type { FileMatch } from '#lanes/music/core/match/match.types.ts';
import type { LabelledCase } from './case.types.ts';
import { COMMITTED, isRight } from './score.ts';

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
export function countVetoes(counts: VetoCounts, batch: LabelledCase, matches: readonly FileMatch[]): void {
  const truths = new Map(batch.truth.map((truth) => [truth.file_id, truth]));
  for (const match of matches) {
    const truth = truths.get(match.file_id);
    const kinds = [...new Set(match.why?.vetoes.map(({ kind }) => kind))];
    for (const kind of kinds) {
      const count = counts.get(kind) ?? { struck: 0, prevents: 0, costs: 0 };
      counts.set(kind, count);
      count.struck += 1;
      const inDoubt = match.why?.limit === 'album_in_doubt';
      if (!truth || kinds.length > 1 || inDoubt || withoutVeto(match, kind) <= COMMITTED) continue;
      if (isRight(truth, match.track_id)) count.costs += Number(truth.expect === 'commit');
      else count.prevents += 1;
    }
  }
}

/** 0..1: the calibrated probability without what the veto's own coefficient takes off. */
function withoutVeto(match: FileMatch, kind: string): number {
  const raw = Math.min(1 - 1e-9, Math.max(1e-9, match.why?.raw ?? 0));
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
