/**
 * From what the matcher made of a batch to what happens to its jobs and which questions stay open.
 * Pure: the caller applies the plan in one transaction.
 *
 *   REVIEW-1 above the person's threshold a match is approved, everything else is asked
 *   REVIEW-2 one question for an album, one for a doubtful file, one for what the catalog already has
 *   REVIEW-3 a question that a later answer made needless is withdrawn
 *   REVIEW-4 two files of one track: the better format is taken, the other is its duplicate
 */
import type { FileMatch, GroupMatch, MatchContext, Reason } from '../music/match.types.ts';
import type { BatchMatch } from '../music/match.types.ts';
import { questionForFile, questionForGroup } from '../music/phrase.ts';
import type { Track } from '../music/catalog.ts';
import type { Ids } from '../ports.ts';
import type { Batch, Job } from './job.ts';
import type { Review, ReviewOption } from './review.ts';
import type { JobEvent, StepDraft, Target } from './transitions.ts';

export interface PlanInput {
  batch: Batch;
  /** Every job of the batch. */
  jobs: readonly Job[];
  match: BatchMatch;
  /** A match is approved above it. */
  threshold: number;
  track(id: string): Track | undefined;
  albumTitle(id: string): string | undefined;
  /** By job: the available track that was made from the very same content. */
  published: ReadonlyMap<string, Track>;
  /** Unfinished or published jobs of other batches by the track that they hold. */
  claimedElsewhere: ReadonlyMap<string, string>;
  openReviews: readonly Review[];
  now: number;
  ids: Ids;
}

export interface BatchPlan {
  events: { job_id: string; event: JobEvent; before: StepDraft[] }[];
  /** New reviews and kept ones whose options changed. */
  reviews: Review[];
  /** Ids of open reviews that are needless now. */
  withdrawn: string[];
  groups: { job_id: string; group_id: string }[];
}

/** More candidates than these are noise; the search box finds the rest. */
const MOST_TRACK_OPTIONS = 3;

const UNDECIDED_PHASES: readonly Job['phase'][] = ['grouping', 'searching', 'review'];

export function isUndecided(job: Job): boolean {
  return UNDECIDED_PHASES.includes(job.phase);
}

/** What a person has said so far about the batch, as the matcher takes it. */
export function matchContext(
  batch: Batch,
  jobs: readonly Job[],
  reviews: readonly Review[],
  request: MatchContext['request'],
): MatchContext {
  const context: Required<Omit<MatchContext, 'request' | 'type' | 'lookAt'>> = {
    chosenAlbums: [],
    chosenTracks: {},
    rejectedAlbums: [],
  };
  for (const review of [...reviews].sort((a, b) => (a.resolved_at ?? 0) - (b.resolved_at ?? 0))) {
    const answer = review.selected_option;
    if (review.resolved_at === null || answer === null) continue;
    const [kind, id] = splitOption(answer);
    if ((kind === 'album' || kind === 'created') && id)
      context.chosenAlbums.push({ file_ids: review.job_ids, album_id: id });
    if (kind === 'track' && id) for (const job of review.job_ids) context.chosenTracks[job] = id;
    if (answer === 'none' && review.kind === 'album') {
      const albums = review.options.flatMap((option) => (option.album ? [option.album.album_id] : []));
      context.rejectedAlbums.push({ file_ids: review.job_ids, album_ids: albums });
    }
  }
  for (const job of jobs) {
    if (!isUndecided(job) && job.matched_track_id !== null) context.chosenTracks[job.id] = job.matched_track_id;
  }
  const type = batch.context_type === 'DOWNLOAD_REQUEST' ? 'download_request' : 'spontaneous';
  return request ? { type, request, ...context } : { type, ...context };
}

/** `album:al_1` -> ['album', 'al_1']. */
export function splitOption(option: string): [string, string | null] {
  const at = option.indexOf(':');
  return at < 0 ? [option, null] : [option.slice(0, at), option.slice(at + 1)];
}

export function planBatch(input: PlanInput): BatchPlan {
  const plan: BatchPlan = { events: [], reviews: [], withdrawn: [], groups: [] };
  const jobs = new Map(input.jobs.map((job) => [job.id, job]));
  const files = new Map(input.match.files.map((file) => [file.file_id, file]));
  const wanted: Review[] = [];
  const holders = holdersOfTracks(input);

  for (const group of input.match.groups) {
    const members = group.file_ids.flatMap((id) => jobs.get(id) ?? []);
    for (const job of members)
      if (job.group_id !== group.group_id) plan.groups.push({ job_id: job.id, group_id: group.group_id });
    const open = members.filter(isUndecided);
    if (open.length === 0) continue;
    const searched = searchSteps(group);
    const approvable: { job: Job; file: FileMatch; track: Track }[] = [];
    const doubtful: { job: Job; file: FileMatch }[] = [];
    for (const job of open) {
      const file = files.get(job.id);
      if (!file) continue;
      const made = input.published.get(job.id);
      if (made && !job.hold) {
        const reason = `"${made.title}" in the catalog was made from the same content`;
        plan.events.push({ job_id: job.id, event: { type: 'duplicate', of: made.id, reason }, before: searched });
        continue;
      }
      const track = file.track_id === null ? undefined : input.track(file.track_id);
      const chosen = file.reasons.some((reason) => reason.kind === 'chosen');
      if (track && file.confidence > input.threshold && (chosen || !job.hold)) approvable.push({ job, file, track });
      else doubtful.push({ job, file });
    }
    const present: { job: Job; file: FileMatch; track: Track }[] = [];
    approvable.sort((a, b) => betterFormat(a.job, b.job));
    for (const item of approvable) {
      const holder = holders.get(item.track.id);
      if (holder !== undefined && holder !== item.job.id) {
        const event: JobEvent = {
          type: 'duplicate',
          of: holder,
          reason: `another file of "${item.track.title}" was taken: its format is better or it was first`,
        };
        plan.events.push({ job_id: item.job.id, event, before: searched });
      } else if (
        (item.track.availability === 'available' || input.claimedElsewhere.has(item.track.id)) &&
        !item.job.replace
      ) {
        present.push(item);
      } else {
        holders.set(item.track.id, item.job.id);
        plan.events.push({
          job_id: item.job.id,
          event: approve(item.job, item.file, item.track, input),
          before: searched,
        });
      }
    }
    const ask = (
      kind: Review['kind'],
      items: { job: Job; file: FileMatch }[],
      text: { question: string; reasoning: string },
      options: ReviewOption[],
    ) => {
      const review = makeReview(input, kind, group, items, text, options);
      wanted.push(review);
      const briefly = options.map(({ label, confidence }) => ({ label, confidence }));
      const known = input.openReviews.find((one) => sameQuestion(one, review));
      const unchanged = known !== undefined && sameOptions(known, review);
      for (const { job, file } of items) {
        if (unchanged && job.phase === 'review') continue;
        plan.events.push({
          job_id: job.id,
          event: { type: 'asked', match: file, question: text.question, options: briefly },
          before: searched,
        });
      }
    };
    if (present.length > 0) ask('replace', present, replaceText(present), replaceOptions());
    if (doubtful.length > 0) askDoubtful(group, doubtful, ask);
  }

  for (const review of wanted) {
    const known = input.openReviews.find((one) => sameQuestion(one, review));
    if (!known) plan.reviews.push(review);
    else if (!sameOptions(known, review)) plan.reviews.push({ ...review, id: known.id, created_at: known.created_at });
  }
  plan.withdrawn = input.openReviews
    .filter((one) => !wanted.some((review) => sameQuestion(one, review)))
    .map((one) => one.id);
  return plan;
}

type Ask = (
  kind: Review['kind'],
  items: { job: Job; file: FileMatch }[],
  text: { question: string; reasoning: string },
  options: ReviewOption[],
) => void;

function askDoubtful(group: GroupMatch, doubtful: { job: Job; file: FileMatch }[], ask: Ask): void {
  const evidence = doubtful.flatMap(({ job }) => job.evidence ?? []);
  if (group.verdict === 'ask_album' && group.options.length > 0) {
    ask('album', doubtful, questionForGroup(group, evidence), group.options.map(albumOption));
    return;
  }
  const without = group.verdict === 'no_match' ? doubtful : doubtful.filter(({ file }) => file.options.length === 0);
  if (without.length > 0) {
    const ids = new Set(without.map(({ job }) => job.id));
    const rest: GroupMatch = { ...group, verdict: 'no_match', detected: { ...group.detected, tracks: without.length } };
    ask(
      'no_match',
      without,
      questionForGroup(
        rest,
        evidence.filter((file) => ids.has(file.file_id)),
      ),
      [],
    );
  }
  for (const item of doubtful) {
    if (without.includes(item) || item.job.evidence === null) continue;
    ask(
      'track',
      [item],
      questionForFile(item.file, item.job.evidence),
      item.file.options.slice(0, MOST_TRACK_OPTIONS).map(trackOption),
    );
  }
}

function approve(job: Job, file: FileMatch, track: Track, input: PlanInput): JobEvent {
  const album = input.albumTitle(track.album_id) ?? '';
  const target: Target = { track_id: track.id, title: track.title, album_id: track.album_id, album };
  const chosen = file.reasons.some((reason) => reason.kind === 'chosen');
  const labels = file.reasons.map((reason) => reason.label).join(', ');
  const percent = Math.round(file.confidence * 100);
  return {
    type: 'approved',
    target,
    match: file,
    confidence: file.confidence,
    source: chosen ? 'HUMAN_REVIEW' : 'AGENT',
    why: `Matched "${job.original_filename}" to "${track.title}" on "${album}" with ${percent} %${labels ? `: ${labels}` : ''}`,
    reasons: file.reasons,
  };
}

/** Tracks that a job of this batch holds already. */
function holdersOfTracks(input: PlanInput): Map<string, string> {
  const holders = new Map<string, string>();
  for (const job of input.jobs) {
    const holds = job.status === 'CONVERTING' || (job.status === 'COMPLETED' && job.phase === 'published');
    if (holds && job.matched_track_id !== null) holders.set(job.matched_track_id, job.id);
  }
  return holders;
}

/** Sorts the better format first: lossless, then bitrate, then size, then the path so that it is stable. */
function betterFormat(a: Job, b: Job): number {
  return (
    Number(b.lossless ?? false) - Number(a.lossless ?? false) ||
    (b.bitrate ?? 0) - (a.bitrate ?? 0) ||
    b.file_size_bytes - a.file_size_bytes ||
    (a.path < b.path ? -1 : 1)
  );
}

function searchSteps(group: GroupMatch): StepDraft[] {
  return group.searches.flatMap(({ query, found }): StepDraft[] => [
    {
      step_type: 'ToolCall',
      content: `search_catalog(${JSON.stringify(query)})`,
      metadata: { tool: 'search_catalog', query },
    },
    {
      step_type: 'ToolResult',
      content: `${found} candidate${found === 1 ? '' : 's'}`,
      metadata: { found, options: group.options, verdict: group.verdict, detected: group.detected },
    },
  ]);
}

const keepReason: Reason = { kind: 'present', label: 'already available', tone: 'neutral' };
/** Keep what is there, or replace it. */
export function replaceOptions(): ReviewOption[] {
  return [
    { id: 'keep', label: 'Keep what is in the catalog', confidence: 0.5, reasons: [keepReason] },
    {
      id: 'replace',
      label: 'Replace it',
      confidence: 0.5,
      reasons: [{ kind: 'replace', label: 'the former file is kept aside', tone: 'neutral' }],
    },
  ];
}

function replaceText(items: { job: Job; track: Track }[]): { question: string; reasoning: string } {
  const [first] = items;
  const what = items.length === 1 && first ? `"${first.track.title}" has` : `${items.length} of these tracks have`;
  return {
    question: `${what} audio in the catalog already. Replace it?`,
    reasoning: `${what} been published before from another file, so nothing is overwritten without your word.`,
  };
}

export function albumOption(option: GroupMatch['options'][number]): ReviewOption {
  return {
    id: `album:${option.album_id}`,
    label: option.title,
    confidence: option.confidence,
    reasons: option.reasons,
    album: option,
  };
}

export function trackOption(option: FileMatch['options'][number]): ReviewOption {
  return {
    id: `track:${option.track_id}`,
    label: option.title,
    confidence: option.confidence,
    reasons: option.reasons,
    track: option,
  };
}

function makeReview(
  input: PlanInput,
  kind: Review['kind'],
  group: GroupMatch,
  items: { job: Job; file: FileMatch }[],
  text: { question: string; reasoning: string },
  options: ReviewOption[],
): Review {
  const ids = items.map(({ job }) => job.id);
  return {
    schema_version: 1,
    id: input.ids.next(),
    kind,
    job_id: ids[0] ?? '',
    job_ids: ids,
    batch_id: input.batch.id,
    group_id: group.group_id,
    question: text.question,
    reasoning: text.reasoning,
    options,
    detected: {
      album: group.detected.album,
      artist: group.detected.artist,
      year: group.detected.year,
      title: items.length === 1 ? (items[0]?.file.detected.title ?? null) : null,
    },
    files: items.map(({ job, file }) => ({
      job_id: job.id,
      name: job.original_filename,
      title: file.detected.title,
      disc: file.detected.disc,
      position: file.detected.position,
      duration_ms: job.duration_ms,
    })),
    created_at: input.now,
    resolved_at: null,
    resolved_by_user_id: null,
    selected_option: null,
  };
}

function sameQuestion(a: Review, b: Review): boolean {
  return a.kind === b.kind && key(a.job_ids) === key(b.job_ids);
}

function sameOptions(a: Review, b: Review): boolean {
  return key(a.options.map((one) => one.id)) === key(b.options.map((one) => one.id)) && a.question === b.question;
}

function key(ids: readonly string[]): string {
  return [...ids].sort().join('\n');
}
