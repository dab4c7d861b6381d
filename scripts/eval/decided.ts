/** What is counted of a decision. */
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import type { FileMatch } from '#lanes/music/core/match/match.types.ts';
import { COMMITTED } from './score.ts';

export interface Decided extends Pick<FileMatch, 'file_id' | 'track_id' | 'confidence'> {
  options: { track_id: string }[];
  /** Kinds, each once. */
  vetoes: string[];
  raw: number;
  albumInDoubt: boolean;
}

export function decidedOf({ file_id, track_id, confidence, options, why }: FileMatch): Decided {
  return {
    ...{ file_id, track_id, confidence },
    options: options.map((option) => ({ track_id: option.track_id })),
    vetoes: [...new Set(why?.vetoes.map(({ kind }) => kind))],
    raw: why?.raw ?? 0,
    albumInDoubt: why?.limit === 'album_in_doubt',
  };
}

/** The veto that alone keeps a file from approval; null where it has none or several, or would be asked about without it. */
export function soleVeto({ vetoes, raw, albumInDoubt }: Decided): string | null {
  const [kind, more] = vetoes;
  if (kind === undefined || more !== undefined || albumInDoubt) return null;
  return withoutVeto(raw, kind) > COMMITTED ? kind : null;
}

/** 0..1: the calibrated probability without what the veto's own coefficient takes off. */
function withoutVeto(calibrated: number, kind: string): number {
  const raw = Math.min(1 - 1e-9, Math.max(1e-9, calibrated));
  const logOdds = Math.log(raw / (1 - raw)) - (SHIPPED_PROFILE.weights[`veto_${kind}`] ?? 0);
  return 1 / (1 + Math.exp(-logOdds));
}
