/**
 * From what the matcher made of a batch to what happens to its jobs and which questions stay open.
 * Pure: the caller applies the plan in one transaction.
 *
 *   REVIEW-1 above the person's threshold a match is approved, everything else is asked
 *   REVIEW-2 one question for an album, one for a doubtful file, one for what the catalog already has
 *   REVIEW-3 a question that a later answer made needless is withdrawn
 *   REVIEW-4 two files of one track: the better format is taken, the other is its duplicate
 *   REVIEW-21 one question for files of one album that are in the same doubt
 *   REVIEW-46 what was sent for a request and is something else is asked about
 *   REVIEW-20 a veto is asked about whatever the threshold is
 */
import type { Doubt } from '../agent/doubt.ts';
import type { Track } from '../catalog.ts';
import type { BatchMatch, FileMatch, GroupMatch } from '../match/match.types.ts';
import { isTrackChosen } from '../match/reasons.ts';
import type { Ids } from '#core/ports.ts';
import { turnOf, type AgentRules } from '../questions/ask-agent.ts';
import { isUndecided, type Batch, type StepDraft } from '#core/job/job.ts';
import type { BatchPlan } from '#core/run/lane-run.ts';
import { makeReview, sameOptions, sameQuestion } from '../questions/make-review.ts';
import { betterFormat, type AudioFormat } from '../publish/format-order.ts';
import { questionsOf, type Question, type QuestionItem } from '../questions/questions.ts';
import { isUnrequested, requestQuestion, type Wanted } from '../questions/request-question.ts';
import { replaceQuestion } from '../questions/replace-question.ts';
import { askTogether, type PersonsTurn } from '../questions/track-questions.ts';
import type { Target } from '#core/job/target.ts';
import type { MusicEvent, MusicJob, MusicReview, MusicTypes } from '../types.ts';

export interface PlanInput {
  batch: Batch;
  /** Every job of the batch. */
  jobs: readonly MusicJob[];
  match: BatchMatch;
  /** What the request asks for that the files were sent for, where there is one. */
  wanted?: Wanted | null;
  /** A match is approved above it. */
  threshold: number;
  track(id: string): Track | undefined;
  albumTitle(id: string): string | undefined;
  /** By job: the available track that was made from the very same content. */
  published: ReadonlyMap<string, Track>;
  /** Unfinished or published jobs of other batches by the track that they hold. */
  claimedByOthers: ReadonlyMap<string, string>;
  openReviews: readonly MusicReview[];
  /** What the audio of available or claimed tracks was made from, by track, where it is known here. */
  present?: ReadonlyMap<string, AudioFormat>;
  /** Jobs that a person wants to be asked about one by one (`askedApart`). */
  apart?: ReadonlySet<string>;
  /** Jobs that are asked about however sure the matcher is (`askedRows`). */
  asked?: ReadonlySet<string>;
  /** A model is set: doubts go to it before they go to a person. */
  agent: 'off' | 'on';
  /** What people said about the batch, a line each (`saidAbout`); given to the agent. */
  said?: readonly string[];
  now: number;
  ids: Ids;
}

export type MusicPlan = BatchPlan<MusicTypes> & { doubts: Doubt[] };

/** What was searched, the same for every file of a group; `before` is for each file's own steps. */
type Searched = Pick<MusicPlan['events'][number], 'before' | 'together'>;

interface Approvable extends QuestionItem {
  track: Track;
}

export function planBatch(input: PlanInput): MusicPlan {
  const plan: MusicPlan = { events: [], reviews: [], withdrawn: [], groups: [], doubts: [] };
  const jobs = new Map(input.jobs.map((job) => [job.id, job]));
  const files = new Map(input.match.files.map((file) => [file.file_id, file]));
  const wanted: MusicReview[] = [];
  const turns: (PersonsTurn & { searched: Searched })[] = [];
  const holders = holdersOfTracks(input);
  const apart = input.apart ?? new Set<string>();
  const rules: AgentRules = {
    agent: input.agent,
    batch: input.batch,
    threshold: input.threshold,
    said: input.said ?? [],
    isOpen: (question) => {
      if (question.items.some(({ job, file }) => apart.has(job.id) || isProposed(job, file, input.openReviews)))
        return true;
      const review = makeReview(question, null, { ...input, ids: { next: () => '' } });
      return input.openReviews.some(
        (one) => sameQuestion(one, review) && sameOptions({ ...one, advice: null }, review),
      );
    },
  };

  for (const group of input.match.groups) {
    const members = group.file_ids.flatMap((id) => jobs.get(id) ?? []);
    for (const job of members)
      if (job.group_id !== group.group_id) plan.groups.push({ job_id: job.id, group_id: group.group_id });
    const open = members.filter(isUndecided);
    if (open.length === 0) continue;
    const searched: Searched = { before: [], together: searchSteps(group) };
    const approvable: Approvable[] = [];
    const doubtful: QuestionItem[] = [];
    for (const job of open) {
      const file = files.get(job.id);
      if (!file) continue;
      const made = input.published.get(job.id);
      if (made && !job.hold) {
        const reason = `"${made.title}" in the catalog was made from the same content`;
        plan.events.push({ job_id: job.id, event: { type: 'duplicate', of: made.id, reason }, ...searched });
        continue;
      }
      const track = file.track_id === null ? undefined : input.track(file.track_id);
      const mayBeSure = input.asked?.has(job.id) !== true || isTrackChosen(file);
      if (track && mayBeSure && isSure(file, group, job, input.threshold)) approvable.push({ job, file, track });
      else doubtful.push({ job, file });
    }
    const { fitting, others } = byRequest(approvable, input.wanted ?? null);
    const present = approveAll(fitting, holders, searched, input, plan);
    const questions: Question[] = present.length > 0 ? [replaceQuestion(group, present, input.present)] : [];
    if (input.wanted) questions.push(...requestQuestions(group, others, input.wanted, apart));
    if (doubtful.length > 0) questions.push(...questionsOf(group, doubtful));
    for (const question of questions) {
      const turn = turnOf(question, rules);
      if (turn.who === 'agent') think(turn.doubt, question, searched, plan);
      else turns.push({ question: turn.question, advice: turn.advice, searched });
    }
  }
  for (const turn of askTogether(turns, { apart, openReviews: input.openReviews })) ask(turn, input, plan, wanted);

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

/** Those that the request wants, or that were sent for none, and the others. */
function byRequest(items: readonly Approvable[], wanted: Wanted | null): Record<'fitting' | 'others', Approvable[]> {
  const isOther = ({ track, file }: Approvable): boolean => wanted !== null && isUnrequested(track, file, wanted);
  return { fitting: items.filter((item) => !isOther(item)), others: items.filter(isOther) };
}

/** One question for all, but for those that a person wants to be asked about one by one. */
function requestQuestions(
  group: GroupMatch,
  items: readonly Approvable[],
  wanted: Wanted,
  apart: ReadonlySet<string>,
): Question[] {
  const together = items.filter(({ job }) => !apart.has(job.id));
  const sets = [together, ...items.filter(({ job }) => apart.has(job.id)).map((item) => [item])];
  return sets.filter((set) => set.length > 0).map((set) => requestQuestion(group, set, wanted));
}

/**
 * REVIEW-1, REVIEW-20: what a veto struck, and what lies in an album that is in doubt, is asked about however low the
 * threshold is. A person's word about the file itself needs no threshold.
 */
function isSure(file: FileMatch, group: GroupMatch, job: MusicJob, threshold: number): boolean {
  if (isTrackChosen(file)) return !isVetoed(file);
  if (file.confidence <= threshold) return false;
  const chosen = file.reasons.some((reason) => reason.kind === 'chosen');
  if (chosen) return !isVetoed(file);
  return !job.hold && !isVetoed(file) && (group.verdict === 'matched' || group.verdict === 'loose');
}

function isVetoed(file: FileMatch): boolean {
  // Rows from before 0.3 say it in their reasons alone.
  return file.why ? file.why.vetoes.length > 0 : file.reasons.some((reason) => reason.kind === 'veto');
}

/** REVIEW-4: approves the best file of each track; answers those whose track has audio already. */
function approveAll(
  approvable: Approvable[],
  holders: Map<string, string>,
  searched: Searched,
  input: PlanInput,
  plan: MusicPlan,
): Approvable[] {
  const present: Approvable[] = [];
  for (const item of [...approvable].sort((a, b) => betterFormat(a.job, b.job))) {
    const { job, track } = item;
    const holder = holders.get(track.id);
    if (holder !== undefined && holder !== job.id) {
      const reason = `another file of "${track.title}" was taken: its format is better or it was first`;
      plan.events.push({ job_id: job.id, event: { type: 'duplicate', of: holder, reason }, ...searched });
    } else if ((track.availability === 'available' || input.claimedByOthers.has(track.id)) && !job.replace) {
      present.push(item);
    } else {
      holders.set(track.id, job.id);
      plan.events.push({ job_id: job.id, event: approve(item, input), ...searched });
    }
  }
  return present;
}

/** Puts one question to the agent. */
function think(doubt: Doubt, question: Question, searched: Searched, plan: MusicPlan): void {
  plan.doubts.push(doubt);
  for (const { job, file } of question.items) {
    if (job.phase === 'thinking') continue;
    plan.events.push({ job_id: job.id, event: { type: 'thinking', match: file }, ...searched });
  }
}

/** The file lies before a person already, with this track, in a question about several. */
function isProposed(job: MusicJob, file: FileMatch, open: readonly MusicReview[]): boolean {
  return open.some((review) =>
    review.files.some((one) => one.job_id === job.id && one.proposed && one.proposed.track_id === file.track_id),
  );
}

/** Puts one question to a person. */
function ask(
  { question, advice, searched }: PersonsTurn & { searched: Searched },
  input: PlanInput,
  plan: MusicPlan,
  wanted: MusicReview[],
): void {
  const review = makeReview(question, advice, input);
  wanted.push(review);
  const options = review.options.map(({ label, confidence }) => ({ label, confidence }));
  const known = input.openReviews.find((one) => sameQuestion(one, review));
  const unchanged = known !== undefined && sameOptions(known, review);
  for (const { job, file } of question.items) {
    if (unchanged && job.phase === 'review') continue;
    plan.events.push({
      job_id: job.id,
      event: { type: 'asked', match: file, question: review.question, options },
      ...searched,
    });
  }
}

function approve({ job, file, track }: Approvable, input: PlanInput): MusicEvent {
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

/** What was searched, and behind the last search what came of all: each file's pairs are in its own explanation. */
function searchSteps(group: GroupMatch): StepDraft[] {
  const options = group.options.map(({ pairs: _pairs, ...option }) => option);
  const outcome = { options, verdict: group.verdict, detected: group.detected };
  return group.searches.flatMap(({ query, found }, at): StepDraft[] => [
    {
      step_type: 'ToolCall',
      content: `search_catalog(${JSON.stringify({ query })})`,
      metadata: { tool: 'search_catalog', query },
    },
    {
      step_type: 'ToolResult',
      content: `${found} candidate${found === 1 ? '' : 's'}`,
      metadata: at === group.searches.length - 1 ? { found, ...outcome } : { found },
    },
  ]);
}
