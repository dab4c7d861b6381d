/** An album's files beside the tracks that they were or would be matched to, after the decision too. Pure. */
import type { MusicJob } from '#lanes/music/core/types.ts';
import type { TrackOption } from '#lanes/music/core/match/match.types.ts';

export interface DecidedRow {
  job: MusicJob;
  /** null: no track stands out, or none was looked for yet. */
  track: { title: string; album: string | null; option: TrackOption | null } | null;
  /** Likeness 0..1 of the titles; null when nothing is known of it. */
  likeness: number | null;
  /** Seconds, file minus track. */
  off: number | null;
  position_agrees: boolean | null;
  /** 0..1; a person's word is 1. */
  confidence: number | null;
  /** `you`, `rules`, or null while it is undecided. */
  by: 'you' | 'rules' | null;
}

/** UI-45: a row a file, in the order of the tracks; what has none comes last. */
export function decidedRows(jobs: readonly MusicJob[]): DecidedRow[] {
  return jobs.map(rowOf).toSorted((a, b) => {
    const [left, right] = [a.track?.option ?? null, b.track?.option ?? null];
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null) || a.job.path.localeCompare(b.job.path);
    }
    return left.disc - right.disc || left.position - right.position || a.job.path.localeCompare(b.job.path);
  });
}

function rowOf(job: MusicJob): DecidedRow {
  const id = job.matched_track_id ?? job.match?.track_id ?? null;
  const option = job.match?.options.find((one) => one.track_id === id) ?? null;
  const decided = job.matched_track_id !== null;
  const title = decided ? job.matched_title : (option?.title ?? null);
  const pair = option?.pair ?? null;
  return {
    job,
    track: title === null ? null : { title, album: job.matched_album ?? option?.album ?? null, option },
    likeness: pair?.title_similarity ?? null,
    off: pair === null ? plainOff(job, option) : pair.off,
    position_agrees: pair?.position_agrees ?? null,
    confidence: decided ? job.match_confidence : (job.match?.confidence ?? null),
    by: !decided ? null : job.match_source === 'HUMAN_REVIEW' ? 'you' : 'rules',
  };
}

/** Rows of before 0.3 carry no comparison. */
function plainOff(job: MusicJob, option: TrackOption | null): number | null {
  if (option === null || option.duration_ms === null || job.duration_ms === null) return null;
  return (job.duration_ms - option.duration_ms) / 1000;
}
