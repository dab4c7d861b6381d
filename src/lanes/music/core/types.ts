/** The types that music fills in of a job, a question and what is kept beside them. */
import type { JobEvent } from '#core/job/events.ts';
import type { Job, LaneTypes } from '#core/job/job.ts';
import type { Review, ReviewFile, ReviewOption, ReviewTypes } from '#core/job/review.ts';
import type { FileEvidence, Segment } from './evidence/evidence.ts';
import type { MusicRows } from './learning/rows.ts';
import type { AlbumOption, FileMatch, TrackOption } from './match/match.types.ts';

/**
 *   track     which of these tracks is this file?
 *   tracks    one question about files of one album that are in the same doubt: are they these tracks?
 *   album     which album are these files?
 *   no_match  nothing found: cancel, search with other words, or create the entry
 *   replace   the catalog has audio for these tracks already: keep it or replace it
 */
export type MusicQuestionKind = 'track' | 'tracks' | 'album' | 'no_match' | 'replace';

/**
 *   edition        album: the options are editions of one album
 *   partial        album: the files are part of the album only
 *   better_format  replace: the file is better than what the catalog has
 *   worse_format   replace: it is not
 *   unrequested    tracks: they were sent for a request that asks for something else
 */
export type MusicQuestionVariant = 'edition' | 'partial' | 'better_format' | 'worse_format' | 'unrequested';

export interface MusicOption extends ReviewOption {
  album?: AlbumOption;
  track?: TrackOption;
}

export interface MusicReviewFile extends ReviewFile {
  title: string | null;
  disc: number | null;
  position: number | null;
  /** `tracks`: the track that `accept` takes for this file. */
  proposed?: TrackOption | null;
  /** `replace`: the track whose audio the file would take the place of; absent in rows from before 0.3. */
  replaces?: string | null;
}

export interface MusicReviewTypes extends ReviewTypes {
  kind: MusicQuestionKind;
  variant: MusicQuestionVariant;
  option: MusicOption;
  file: MusicReviewFile;
  detected: { album: string | null; artist: string | null; year: number | null; title: string | null };
}

export interface MusicTypes extends LaneTypes {
  evidence: FileEvidence;
  match: FileMatch;
  segment: Segment;
  review: MusicReviewTypes;
  rows: { music: MusicRows };
}

export type MusicJob = Job<MusicTypes>;
export type MusicReview = Review<MusicReviewTypes>;
export type MusicEvent = JobEvent<MusicTypes>;

/** Whether a row is music's. Those from before 0.2 name no lane. */
export function isMusicJob(job: Job | undefined): job is MusicJob {
  return job !== undefined && isMusic(job);
}

/** Whether a question is music's. */
export function isMusicReview(review: Review | undefined): review is MusicReview {
  return review !== undefined && isMusic(review);
}

const isMusic = ({ lane = 'music' }: { lane?: string }): boolean => lane === 'music';
