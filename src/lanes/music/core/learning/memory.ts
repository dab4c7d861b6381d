/**
 * REVIEW-30: what a person decided about a content (by the SHA-256 of the original), and what follows when the same
 * content comes again. Pure; `learn.ts` reads and writes the rows.
 *
 *   track   they chose this track, or accepted it: it is chosen again, with a chip that says when
 *   none    it is none of these: it ends without a question, unless the catalog has something likely that they did not see
 *   keep    the catalog's audio of its track was kept: a duplicate, while there is audio
 *
 * What follows for a batch: `recalled.ts`.
 */
import type { Track } from '../catalog.ts';
import type { MatchContext } from '../match/match.types.ts';
import { contentOf, isUndecided } from '#core/job/job.ts';
import { isAnswered, splitOption } from '#core/job/review.ts';
import type { MusicJob, MusicReview } from '../types.ts';
import type { Remembered, TrackFacts } from './rows.ts';

/** The catalog as it is when something is decided or recalled. */
export interface CatalogNow {
  catalog_id: string | null;
  /** undefined when it, or its album, is gone. */
  track(id: string): Track | undefined;
}

/** More than these are not listed: what a person can have looked at. */
const MOST_REFUSED = 40;

/** What an answer, once applied, decided about a job's content for good; null when it decided nothing yet. */
export function decisionOf(
  job: MusicJob,
  now: number,
  catalog: CatalogNow,
  answer?: { review: MusicReview; option: string; earlier: readonly MusicReview[] },
): Remembered | null {
  const sha256 = contentOf(job);
  if (sha256 === null) return null;
  const row = { sha256, at: now, refused: [], catalog_id: catalog.catalog_id };
  const about = (kind: 'track' | 'keep', id: string | null): Remembered | null => {
    const track = id === null ? undefined : catalog.track(id);
    return track ? { ...row, kind, track_id: track.id, track: factsOf(track) } : null;
  };
  if (job.phase === 'approved' && job.match_source === 'HUMAN_REVIEW') return about('track', job.matched_track_id);
  if (!answer) return null;
  const { review, option, earlier } = answer;
  if (job.phase === 'duplicate' && option === 'keep') return about('keep', job.duplicate_of);
  // To cancel is to put it off, whatever was asked.
  if (job.phase !== 'failed' || option !== 'none') return null;
  // Only what was shown can have been turned down.
  const shown = [review, ...earlier.filter((one) => one.selected_option === 'none')].flatMap((one) => [
    ...one.options.map((candidate) => candidate.id),
    ...one.files.flatMap((file) => (file.job_id === job.id && file.proposed ? [trackKey(file.proposed.track_id)] : [])),
  ]);
  const refused = [...new Set(shown.filter((id) => splitOption(id)[1] !== null))].slice(0, MOST_REFUSED);
  return refused.length === 0 ? null : { ...row, kind: 'none', track_id: null, track: null, refused };
}

/** A refused track, as it is named in `refused`. */
export const trackKey = (id: string): string => `track:${id}`;

const factsOf = ({ album_id, title, duration_ms }: TrackFacts): TrackFacts => ({ album_id, title, duration_ms });

function isSameTrack(then: TrackFacts | null | undefined, now: TrackFacts): boolean {
  if (!then) return false;
  return then.album_id === now.album_id && then.title === now.title && then.duration_ms === now.duration_ms;
}

/** The same decision again keeps the day on which it was made. */
export function sameDecision(a: Remembered, b: Remembered): boolean {
  const facts = ({ track }: Remembered): string => JSON.stringify([track?.album_id, track?.title, track?.duration_ms]);
  return (
    a.kind === b.kind &&
    a.track_id === b.track_id &&
    a.refused.join() === b.refused.join() &&
    a.catalog_id === b.catalog_id &&
    facts(a) === facts(b)
  );
}

export interface RecallInput {
  jobs: readonly MusicJob[];
  /** By SHA-256. */
  rows: ReadonlyMap<string, Remembered>;
  /** Of the batch: what was said here comes before what was said then. */
  reviews: readonly MusicReview[];
  wanted: MatchContext['request'];
  catalog: CatalogNow;
}

/** The decisions that count for a batch, by job. */
export type Recalled = ReadonlyMap<string, Remembered>;

/** REVIEW-31: which remembered decisions may be used now. */
export function recall(input: RecallInput): Recalled {
  const spoken = new Set(input.reviews.flatMap((one) => (isAnswered(one) ? one.job_ids : [])));
  const recalled = new Map<string, Remembered>();
  for (const job of input.jobs) {
    const row = input.rows.get(contentOf(job) ?? '');
    if (!row || !isUndecided(job) || job.hold === true || spoken.has(job.id)) continue;
    // Absent is not null: a row that does not say where it was decided counts nowhere.
    if (row.catalog_id !== input.catalog.catalog_id) continue;
    if (row.track_id !== null) {
      const track = input.catalog.track(row.track_id);
      if (!track || !isSameTrack(row.track, track) || wantsAnother(input.wanted, track)) continue;
      if (row.kind === 'keep' && track.availability !== 'available') continue;
    }
    recalled.set(job.id, row);
  }
  return recalled;
}

/** A pending request for another album or track is a new question: one recording may be on both. */
function wantsAnother(wanted: MatchContext['request'], track: Track): boolean {
  if (!wanted) return false;
  if (wanted.track_id !== null) return wanted.track_id !== track.id;
  return wanted.album_id !== null && wanted.album_id !== track.album_id;
}
