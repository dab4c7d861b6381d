/**
 * What a lane does at each station of a file's way; the run (run.ts) calls it, and writes what it answers. Nothing here
 * writes a job: answers are events, which `apply.ts` applies.
 */
import type { Failure } from '../errors.ts';
import type { JobEvent } from '../job/events.ts';
import type { ApplyContext } from '../job/apply.ts';
import type { Batch, Companion, Job, JobIn, LaneTypes, StepDraft } from '../job/job.ts';
import type { Review } from '../job/review.ts';
import type { CancelSignal } from '../cancel.ts';
import type { Result } from '../result.ts';
import type { CommitRequest } from '../sync/protocol.ts';
import type { AgentEngine, Doubt } from './agent.ts';
import type { JobReader, JobRows } from './job-store.ts';

/** A job whose file is in the blob store. */
export type StoredFile<L extends LaneTypes = LaneTypes> = Job<L> & { sha256: string };

export interface LaneRun<L extends LaneTypes = LaneTypes> {
  readonly id: string;

  /** Reads a stored file: the event that follows. A failure `offline` means that what reads it is not here yet. */
  probe(job: StoredFile<L>, signal: CancelSignal): Promise<Result<JobEvent<L>>>;

  /** What lies beside or inside a file may divide it or say more of it. null: nobody has to look at this file. */
  unfold?(job: JobIn<'grouping', L>, batch: Batch, jobs: readonly Job<L>[]): Promise<Unfolding<L> | null>;
  /** Whether `unfold` has anything to do for this job. */
  mayUnfold?(job: Job<L>): boolean;

  /** Called between two batches. */
  tend?(): Promise<void>;
  /**
   * Reads all that a decision about these jobs depends on; they are marked as searching by then. null: the catalog is not
   * there yet; it was asked for, and the batch waits.
   */
  readFacts(rows: JobReader<L>, batch: Batch, jobs: readonly Job<L>[]): Promise<unknown>;
  /** Whether the batch can be matched by what the catalog is now; where not, what is missing was asked for. */
  isReady(rows: JobReader<L>, batch: Batch): Promise<boolean>;
  /** Pure. `agent`: whether doubts may go to a model before they go to a person. */
  decide(facts: unknown, agent: 'on' | 'off'): BatchPlan<L>;
  /** Inside the change that applies a plan, after each event. */
  onPlanned?(rows: JobRows<L>, context: ApplyContext, after: Job<L>, facts: unknown): Promise<void>;

  /** The workflow that a doubt is put to the agent with; its code is loaded at the first call. Absent: a person is asked at once. */
  engine?(): Promise<AgentEngine>;
  /** Albums before tracks, as an order: smaller comes first. */
  rankOf?(doubt: Doubt): number;
  /** What the top bar calls it. */
  nameOf?(doubt: Doubt): string;

  /** Reads what an answer may speak of. */
  readAnswer(rows: JobReader<L>, review: Review<L['review']>, option: string): Promise<unknown>;
  /** Pure. What the answer means for each job; fails with `not_found` or `invalid`. */
  answerEvents(review: Review<L['review']>, option: string, facts: unknown): Result<(jobId: string) => JobEvent<L>>;
  /** What an answer about several files says of one of them, as its own question would have had it; null: nothing. */
  ownOption(review: Review<L['review']>, jobId: string, option: string): string | null;
  /** Inside the change that takes an answer, after each event. */
  onAnswered?(rows: JobRows<L>, context: ApplyContext, answer: Answered<L>): Promise<void>;
  /** Inside the change that takes a decision back, or tries a file again from its start. */
  onTakenBack?(rows: JobRows<L>, context: ApplyContext, job: Job<L>, how: 'undone' | 'retried'): Promise<void>;
  /** Inside the change that puts right what the last holder of the work left. */
  onRecovered?(rows: JobRows<L>): Promise<void>;
  /** Inside the change that clears finished jobs. */
  onCleared?(rows: JobRows<L>, jobIds: readonly string[]): Promise<void>;

  /** The question about a file that was approved without one. */
  questionAbout(job: Job<L>): QuestionDraft<L>;
  /** What is left of a question that was taken back about only these of its jobs. */
  questionLeft(review: Review<L['review']>, jobs: readonly Job<L>[]): QuestionDraft<L>;
  /** The server has something for this track already: a question instead of an overwrite. `open`: the one about others. */
  conflictQuestion(job: Job<L>, open: Review<L['review']> | null, why: Failure | null): QuestionDraft<L>;

  /** What happens to an approved file: it is converted and published, or the lane ends it itself. */
  readonly finish:
    Conversion<L> | { (job: JobIn<'converting', L>, signal: CancelSignal): Promise<Result<JobEvent<L>>> };
}

/** The lane's own types end here: the run hands it only its own jobs and questions. */
export function laneRun<L extends LaneTypes>(run: LaneRun<L>): LaneRun {
  return run as unknown as LaneRun;
}

export interface Conversion<L extends LaneTypes = LaneTypes> {
  /** The line of the log. */
  words(job: JobIn<'approved', L>): string;
  /** `report`: the share 0..1 that is done. A failure `offline` means that what converts is not here yet. */
  convert(
    job: JobIn<'converting', L>,
    batch: Batch | undefined,
    options: { signal: CancelSignal; report(share: number): void },
  ): Promise<Result<Converted>>;
  /** Nothing is being converted: what is kept for the next file may go. */
  rest(): void;
  commit(job: JobIn<'waiting', L>): Omit<CommitRequest, 'lease_id'>;
}

export interface Converted {
  sha256: string;
  size: number;
  duration_ms: number;
  /** Why it was (or was not) converted: `flac -> vorbis q9`. */
  conversion_reason: string;
  verified: string[];
}

/** What becomes of a file by what lies beside or inside it. */
export interface Unfolding<L extends LaneTypes = LaneTypes> {
  /** For the file's own row. */
  event: JobEvent<L>;
  /** Rows for the other parts that it has. */
  parts(ids: () => string, now: number): { job: Job<L>; steps: readonly StepDraft[] }[];
  companions: Companion[];
}

/** From what the matcher made of a batch to what happens to its jobs and which questions are open. */
export interface BatchPlan<L extends LaneTypes = LaneTypes> {
  events: {
    job_id: string;
    event: JobEvent<L>;
    before: StepDraft[];
    /** Steps of a whole group, before those: the same array for each of its jobs, stored once. */
    together?: readonly StepDraft[];
  }[];
  /** New reviews and kept ones whose options changed. */
  reviews: Review<L['review']>[];
  /** Ids of open reviews that are needless now. */
  withdrawn: string[];
  groups: { job_id: string; group_id: string }[];
  /**
   * Every doubt that is the agent's now, also one that it is at work on (same `key`): its jobs are in phase `thinking`
   * once the events are applied. A workflow whose key is not among them any more is outdated.
   */
  doubts: Doubt[];
}

export interface Answered<L extends LaneTypes = LaneTypes> {
  review: Review<L['review']>;
  option: string;
  /** The job as it was asked about, and as the answer left it. */
  before: Job<L> | undefined;
  after: Job<L> | null;
  facts: unknown;
}

/** A question without what names and dates it. */
export type QuestionDraft<L extends LaneTypes = LaneTypes> = Pick<
  Review<L['review']>,
  'kind' | 'question' | 'reasoning' | 'options' | 'detected' | 'files'
> &
  Partial<Pick<Review<L['review']>, 'variant' | 'advice'>>;
