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
import type { MatchContext, BatchMatch, FileMatch, TrackOption } from '../match/match.types.ts';
import { contentOf, isUndecided, type StepDraft } from '#core/job/job.ts';
import { isAnswered, splitOption } from '#core/job/review.ts';
import type { MusicJob, MusicReview, MusicEvent, MusicTypes } from '../types.ts';
import type { Remembered, TrackFacts } from './rows.ts';
import { settle } from '../match/match.ts';
import { vetoReason } from '../match/reasons.ts';
import type { BatchPlan } from '#core/run/lane-run.ts';

/** The catalog as it is when something is decided or recalled. */
export interface CatalogNow {
  catalog_id: string | null;
  /** undefined when it, or its album, is gone. */
  track(id: string): Track | undefined;
}

/** More than these are not listed: what a person can have reviewed. */
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
const trackKey = (id: string): string => `track:${id}`;

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

/**
 * REVIEW-30, REVIEW-31: what follows for a batch from the decisions that were recalled for it.
 *
 *   the matcher, all by itself --> files whose neighbours speak against the memory: asked (`doubted`)
 *                              --> the others: settled as they were decided (`recalled`)
 */
type PlannedEvent = BatchPlan<MusicTypes>['events'][number];

export interface RecalledMatch {
  match: BatchMatch;
  /** Decisions that were used. */
  recalled: Recalled;
  /** Decisions that this batch speaks against; their files are asked about. */
  doubted: Recalled;
}

/** The match with what is remembered: remembered tracks are a person's word (MATCH-1), where nothing newer contradicts. */
export function withRemembered(
  match: BatchMatch,
  all: Recalled,
  about: { now: number; threshold: number; track(id: string): Track | undefined; albumTitle(id: string): string },
): RecalledMatch {
  const contested = contestedFiles(match, all, about.threshold);
  const recalled = new Map([...all].filter(([job]) => !contested.has(job)));
  const doubted = new Map([...all].filter(([job]) => contested.has(job)));
  const files = match.files.map((file): FileMatch => {
    const when = (row: Remembered): string => dayOf(row.at, about.now);
    const doubt = doubted.get(file.file_id);
    const track = doubt?.track_id ? about.track(doubt.track_id) : undefined;
    if (doubt && track)
      return inDoubt(file, optionOf(track, about.albumTitle(track.album_id), when(doubt)), when(doubt));
    const row = recalled.get(file.file_id);
    if (row?.kind !== 'track' || row.track_id === null) return file;
    const settled = settle(file, { [file.file_id]: row.track_id });
    const others = settled.reasons.filter((reason) => reason.kind !== 'chosen');
    const label = `you decided this on ${when(row)}`;
    return { ...settled, reasons: [{ kind: 'chosen', label, tone: 'good' }, ...others] };
  });
  return { match: { ...match, files }, recalled, doubted };
}

/**
 * Files that the matcher would approve by itself as another track of the album that it is as sure of for a file beside
 * them: one recording may be on two albums, so the day's company counts. Files that are all remembered otherwise are no
 * such company.
 */
function contestedFiles(match: BatchMatch, all: Recalled, threshold: number): Set<string> {
  const contested = new Set<string>();
  for (const group of match.groups) {
    if (group.verdict !== 'matched' || group.album_id === null) continue;
    const sure = match.files.filter(
      (file) =>
        file.group_id === group.group_id &&
        file.confidence > threshold &&
        !file.reasons.some((reason) => reason.kind === 'veto') &&
        file.options.find((option) => option.track_id === file.track_id)?.album_id === group.album_id,
    );
    const against = sure.filter((file) => {
      const row = all.get(file.file_id);
      return row !== undefined && row.track_id !== null && row.track_id !== file.track_id;
    });
    if (against.length < sure.length) for (const file of against) contested.add(file.file_id);
  }
  return contested;
}

/** What a doubt leaves of certainty at most; as the vetoes of the matcher do. */
const MOST_IN_DOUBT = 0.85;

/** The matcher's proposal as a question: the remembered track is offered right behind it. */
function inDoubt(file: FileMatch, then: TrackOption, when: string): FileMatch {
  const label = `you said "${then.title}" on "${then.album}" on ${when}`;
  const confidence = Math.min(file.confidence, MOST_IN_DOUBT);
  const [mine, others] = [
    file.options.filter((option) => option.track_id === file.track_id),
    file.options.filter((option) => option.track_id !== file.track_id),
  ];
  const known = others.find((option) => option.track_id === then.track_id);
  const rest = others.filter((option) => option !== known);
  const offered = { ...(known ?? then), confidence: Math.max(known?.confidence ?? 0, 1 - confidence) };
  return {
    ...file,
    confidence,
    reasons: [...file.reasons, vetoReason({ label })],
    options: [
      ...mine.map((option) => ({ ...option, confidence })),
      { ...offered, reasons: [...then.reasons, ...(known?.reasons ?? [])] },
      ...rest,
    ].slice(0, Math.max(2, file.options.length)),
    ...(file.why ? { why: { ...file.why, vetoes: [...file.why.vetoes, { kind: 'remembered', label }] } } : {}),
  };
}

function optionOf(track: Track, album: string, when: string): TrackOption {
  const { id: track_id, album_id, title, artist, disc, position, duration_ms } = track;
  const reasons = [{ kind: 'remembered', label: `you chose this on ${when}`, tone: 'good' as const }];
  return { track_id, album_id, title, artist, album, disc, position, duration_ms, confidence: 0, reasons };
}

/** A new candidate must be at least this likely to be asked about after a "none of these". */
const LIKELY = 0.6;

/** Events that end jobs here, without a question. `holder` names the unfinished job of this very content on that track. */
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
): PlannedEvent[] {
  const files = new Map(match.files.map((file) => [file.file_id, file]));
  return [...recalled].flatMap(([job_id, row]): PlannedEvent[] => {
    if (about.published.has(job_id)) return [];
    const file = files.get(job_id) ?? null;
    const when = dayOf(row.at, about.now);
    const end = (event: MusicEvent): PlannedEvent[] => [
      { job_id, event, before: [rememberedStep(row, when, about.title)] },
    ];
    if (row.kind === 'none') {
      if (file !== null && isNew(file, row)) return [];
      const why = `you said on ${when} that it is none of the candidates, and there is no likely one beside them.`;
      return end({ type: 'rejected', why, match: file });
    }
    if (row.track_id === null) return [];
    const title = about.title(row.track_id);
    if (row.kind === 'keep') {
      const reason = `"${title}" has audio in the catalog, and you decided on ${when} to keep that`;
      return end({ type: 'duplicate', of: row.track_id, reason, match: file });
    }
    const holder = about.holder(row.track_id, row.sha256);
    if (holder === undefined || holder === job_id) return [];
    const reason = `the same content is on its way as "${title}" already`;
    return end({ type: 'duplicate', of: holder, reason, match: file });
  });
}

/** The step of the trace that tells of it. */
function rememberedStep(row: Remembered, when: string, title: (track: string) => string, doubted = false): StepDraft {
  const what =
    row.kind === 'none'
      ? 'it is none of the candidates'
      : row.kind === 'keep'
        ? `the audio of "${title(row.track_id ?? '')}" in the catalog is kept`
        : `it is "${title(row.track_id ?? '')}"`;
  return {
    step_type: 'Context',
    content: `Remembered: the same content was decided on ${when}: ${what}.${doubted ? AGAINST : ''}`,
    metadata: { remembered: row.kind, track_id: row.track_id, decided_at: row.at },
  };
}

/** The trace of a file that is approved, or asked about for another reason, says what was remembered. */
export function tellRemembered(
  plan: Pick<BatchPlan<MusicTypes>, 'events'>,
  { recalled, doubted }: Pick<RecalledMatch, 'recalled' | 'doubted'>,
  title: (track: string) => string,
  now: number,
): void {
  for (const planned of plan.events) {
    const doubt = doubted.get(planned.job_id);
    const row = doubt ?? recalled.get(planned.job_id);
    if (row) planned.before = [...planned.before, rememberedStep(row, dayOf(row.at, now), title, doubt !== undefined)];
  }
}

const AGAINST = ' Beside the files that it came with now it fits another track, so it is asked about.';

function isNew(file: FileMatch, row: Remembered): boolean {
  if (file.track_id === null || file.confidence < LIKELY) return false;
  const album = file.options.find((option) => option.track_id === file.track_id)?.album_id;
  return !row.refused.includes(trackKey(file.track_id)) && !row.refused.includes(`album:${album ?? ''}`);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov`, with the year when it is another one; local time. */
function dayOf(at: number, now: number): string {
  const day = new Date(at);
  const short = `${day.getDate()} ${MONTHS[day.getMonth()] ?? ''}`;
  return day.getFullYear() === new Date(now).getFullYear() ? short : `${short} ${day.getFullYear()}`;
}
