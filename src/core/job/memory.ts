/**
 * REVIEW-30: what a person decided about a content (by the SHA-256 of the original), and what follows when the same
 * content comes again. Pure; the adapter loads rows and writes what comes out.
 *
 *   track   they chose this track, or accepted it: it is chosen again, with a chip that says when
 *   none    it is none of these: it ends without a question, unless the catalog has something likely that they did not see
 *   keep    the catalog's audio of its track was kept: a duplicate, while there is audio
 */
import type { Track } from '../music/catalog.ts';
import type { BatchMatch, FileMatch, MatchContext } from '../music/match.types.ts';
import type { Batch, Job } from './job.ts';
import { isUndecided, splitOption } from './match-context.ts';
import type { Review } from './review.ts';
import { contentOf } from './segment.ts';
import type { JobEvent, StepDraft } from './transitions.ts';

export interface Remembered {
  sha256: string;
  /** Milliseconds, when it was decided first. */
  at: number;
  kind: 'track' | 'none' | 'keep';
  /** `none`: null. */
  track_id: string | null;
  /** `none`: the options that were turned down (`track:<id>`, `album:<id>`). */
  refused: string[];
}

/** More than these are not listed: what a person can have looked at. */
const MOST_REFUSED = 40;

/** What an answer, once applied, decided about a job's content for good; null when it decided nothing yet. */
export function decisionOf(
  job: Job,
  now: number,
  answer?: { review: Review; option: string; before: FileMatch | null; earlier: readonly Review[] },
): Remembered | null {
  const sha256 = contentOf(job);
  if (sha256 === null) return null;
  const row = { sha256, at: now, refused: [] };
  if (job.phase === 'approved' && job.match_source === 'HUMAN_REVIEW' && job.matched_track_id !== null)
    return { ...row, kind: 'track', track_id: job.matched_track_id };
  if (!answer) return null;
  const { review, option, before, earlier } = answer;
  if (job.phase === 'duplicate' && option === 'keep') return { ...row, kind: 'keep', track_id: job.duplicate_of };
  const none = job.phase === 'failed' && option === 'none';
  // Where nothing was found there is no "none of these": to cancel is the only no.
  const left = job.phase === 'cancelled' && option === 'cancelled' && review.kind === 'no_match';
  if (!none && !left) return null;
  const shown = [review, ...earlier.filter((one) => one.selected_option === 'none')].flatMap((one) => [
    ...one.options.map((candidate) => candidate.id),
    ...one.files.flatMap((file) => (file.job_id === job.id && file.proposed ? [trackKey(file.proposed.track_id)] : [])),
  ]);
  const guessed = none ? [before?.track_id ?? null, ...(before?.options.map((one) => one.track_id) ?? [])] : [];
  const refused = [...shown, ...guessed.flatMap((id) => (id === null ? [] : [trackKey(id)]))];
  return {
    ...row,
    kind: 'none',
    track_id: null,
    refused: [...new Set(refused.filter((id) => splitOption(id)[1] !== null))].slice(0, MOST_REFUSED),
  };
}

const trackKey = (id: string): string => `track:${id}`;

/** The same decision again keeps the day on which it was made. */
export function sameDecision(a: Remembered, b: Remembered): boolean {
  return a.kind === b.kind && a.track_id === b.track_id && a.refused.join() === b.refused.join();
}

export interface RecallInput {
  batch: Batch;
  jobs: readonly Job[];
  /** By SHA-256. */
  rows: ReadonlyMap<string, Remembered>;
  /** Of the batch: what was said here comes before what was said then. */
  reviews: readonly Review[];
  wanted: MatchContext['request'];
  /** Of the present catalog, with its album; undefined when either is gone. */
  track(id: string): Track | undefined;
}

/** The decisions that count for a batch, by job. */
export type Recalled = ReadonlyMap<string, Remembered>;

/** REVIEW-31: which remembered decisions may be used now. */
export function recall(input: RecallInput): Recalled {
  const spoken = new Set(
    input.reviews.flatMap((one) =>
      one.resolved_at !== null && !['withdrawn', 'undone'].includes(one.selected_option ?? '') ? one.job_ids : [],
    ),
  );
  const recalled = new Map<string, Remembered>();
  for (const job of input.jobs) {
    const row = input.rows.get(contentOf(job) ?? '');
    if (!row || !isUndecided(job) || job.hold === true || spoken.has(job.id)) continue;
    if (row.track_id !== null) {
      const track = input.track(row.track_id);
      if (!track || wantsAnother(input.wanted, track)) continue;
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

/** What the matcher is told: remembered tracks are a person's word (MATCH-1). */
export function chosenAgain(recalled: Recalled): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const [job, row] of recalled) if (row.kind === 'track' && row.track_id !== null) chosen[job] = row.track_id;
  return chosen;
}

/** The chip says when: `you decided this on 21 Nov`. */
export function withRemembered(match: BatchMatch, recalled: Recalled, now: number): BatchMatch {
  const files = match.files.map((file): FileMatch => {
    const row = recalled.get(file.file_id);
    if (row?.kind !== 'track') return file;
    const label = `you decided this on ${dayOf(row.at, now)}`;
    const others = file.reasons.filter((reason) => reason.kind !== 'chosen');
    return { ...file, reasons: [{ kind: 'chosen', label, tone: 'good' }, ...others] };
  });
  return { ...match, files };
}

/** A job that ends by what is remembered. */
export interface RememberedEnd {
  job_id: string;
  event: JobEvent;
  step: StepDraft;
  match: FileMatch | null;
}

/** A new candidate must be at least this likely to be asked about after a "none of these". */
const LIKELY = 0.6;

/** Jobs that end here, without a question. `holder` names the unfinished job of this very content on that track. */
export function rememberedEnds(
  match: BatchMatch,
  recalled: Recalled,
  about: {
    now: number;
    /** Jobs that the plan ends as duplicates of what was made from them (REVIEW-9). */
    published: ReadonlyMap<string, unknown>;
    title(track: string): string;
    holder(track: string, sha256: string): string | undefined;
  },
): RememberedEnd[] {
  const files = new Map(match.files.map((file) => [file.file_id, file]));
  return [...recalled].flatMap(([job_id, row]): RememberedEnd[] => {
    if (about.published.has(job_id)) return [];
    const file = files.get(job_id) ?? null;
    const when = dayOf(row.at, about.now);
    const end = { job_id, match: file, step: rememberedStep(row, when, about.title) };
    if (row.kind === 'none') {
      if (file !== null && isNew(file, row)) return [];
      const why = `you said on ${when} that it is none of the candidates, and there is no likely one beside them.`;
      return [{ ...end, event: { type: 'rejected', why } }];
    }
    if (row.track_id === null) return [];
    const title = about.title(row.track_id);
    if (row.kind === 'keep') {
      const reason = `"${title}" has audio in the catalog, and you decided on ${when} to keep that`;
      return [{ ...end, event: { type: 'duplicate', of: row.track_id, reason } }];
    }
    const holder = about.holder(row.track_id, row.sha256);
    if (holder === undefined || holder === job_id) return [];
    const reason = `the same content is on its way as "${title}" already`;
    return [{ ...end, event: { type: 'duplicate', of: holder, reason } }];
  });
}

/** The step of the trace that tells of it. */
export function rememberedStep(row: Remembered, when: string, title: (track: string) => string): StepDraft {
  const what =
    row.kind === 'none'
      ? 'it is none of the candidates'
      : row.kind === 'keep'
        ? `the audio of "${title(row.track_id ?? '')}" in the catalog is kept`
        : `it is "${title(row.track_id ?? '')}"`;
  return {
    step_type: 'Context',
    content: `Remembered: the same content was decided on ${when}: ${what}.`,
    metadata: { remembered: row.kind, track_id: row.track_id, decided_at: row.at },
  };
}

function isNew(file: FileMatch, row: Remembered): boolean {
  if (file.track_id === null || file.confidence < LIKELY) return false;
  const album = file.options.find((option) => option.track_id === file.track_id)?.album_id;
  return !row.refused.includes(trackKey(file.track_id)) && !row.refused.includes(`album:${album ?? ''}`);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov`, with the year when it is another one; local time. */
export function dayOf(at: number, now: number): string {
  const day = new Date(at);
  const short = `${day.getDate()} ${MONTHS[day.getMonth()] ?? ''}`;
  return day.getFullYear() === new Date(now).getFullYear() ? short : `${short} ${day.getFullYear()}`;
}
