/**
 * One batch as the app's pipeline works on it, without its database: match, put the doubts to whoever answers, match
 * again with what was found (AGENT-5), until nobody is asked any more.
 */
import { matchContext, planBatch } from '#core/job/batch-plan.ts';
import type { Batch, Job } from '#core/job/job.ts';
import { newJob } from '#core/job/new-job.ts';
import { transition } from '#core/job/transitions.ts';
import type { AgentFinding, Doubt } from '#core/music/agent/doubt.ts';
import type { BatchMatch } from '#core/music/match.types.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import type { Matcher } from './cached-match.ts';
import type { EvalCase } from './cases.ts';
import type { FileOutcome, RunOutcome, Spending } from './metrics.ts';

export interface Answered {
  finding: AgentFinding;
  spent: Spending;
}

/** A model behind its workflow, or a baseline. */
export interface Asker {
  ask(doubt: Doubt): Promise<Answered>;
}

export interface CaseRun {
  index: CatalogIndex;
  match: Matcher;
  threshold: number;
  /** null: nobody is asked, everything unclear goes to a person. */
  asker: Asker | null;
}

/** Rounds of asking and matching again; the plan itself asks about a file a few times at most. */
const MOST_ROUNDS = 8;

export async function runCase(one: Pick<EvalCase, 'case_id' | 'files' | 'context'>, run: CaseRun): Promise<RunOutcome> {
  const batch = batchOf(one);
  const spent: Spending = { calls: 0, tokens: 0 };
  const duplicates = new Map<string, string>();
  let jobs = one.files.map((evidence): Job => ({
    ...jobOf(evidence, batch),
    evidence,
    phase: 'searching',
    status: 'PROCESSING',
  }));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const context = matchContext(batch, jobs, [], one.context.request);
    const match = run.match({ files: one.files, context });
    const plan = plannedFor(batch, jobs, match, run);
    jobs = jobs.map((job) => applyTo(job, plan.events));
    for (const file of match.files) {
      const isNew = jobs.some((job) => job.id === file.file_id && job.phase === 'duplicate');
      if (isNew && file.track_id !== null && !duplicates.has(file.file_id)) duplicates.set(file.file_id, file.track_id);
    }
    if (run.asker === null || plan.doubts.length === 0) break;
    for (const doubt of plan.doubts) {
      const answered = await run.asker.ask(doubt);
      spent.calls += answered.spent.calls;
      spent.tokens += answered.spent.tokens;
      const ids = new Set(doubt.file_ids);
      jobs = jobs.map((job) => (ids.has(job.id) ? step(job, { type: 'agent', finding: answered.finding }) : job));
    }
  }
  return { files: jobs.map((job) => outcomeOf(job, duplicates.get(job.id) ?? null)), spent };
}

function plannedFor(batch: Batch, jobs: Job[], match: BatchMatch, { index, threshold, asker }: CaseRun) {
  let ids = 0;
  return planBatch({
    batch,
    jobs,
    match,
    threshold,
    track: (id) => index.track(id) ?? undefined,
    albumTitle: (id) => index.album(id)?.title,
    published: new Map(),
    claimedElsewhere: new Map(),
    openReviews: [],
    now: 0,
    ids: { next: () => `review-${++ids}` },
    agent: asker === null ? 'off' : 'on',
  });
}

type PlannedEvent = ReturnType<typeof planBatch>['events'][number];

function applyTo(job: Job, events: readonly PlannedEvent[]): Job {
  return events.filter(({ job_id }) => job_id === job.id).reduce((now, { event }) => step(now, event), job);
}

/** An event that does not fit the job's phase changes nothing, as in the app. */
function step(job: Job, event: PlannedEvent['event']): Job {
  return transition(job, event, 0)?.job ?? job;
}

/** A duplicate was matched to its track as surely as the file that was taken instead of it. */
function outcomeOf(job: Job, duplicateOf: string | null): FileOutcome {
  const approved = job.status === 'CONVERTING' ? job.matched_track_id : duplicateOf;
  return {
    file_id: job.id,
    decision: approved === null ? 'review' : `track:${approved}`,
    answer: job.agent?.answer ?? null,
  };
}

function jobOf(evidence: { file_id: string; path: string; size_bytes?: number }, batch: Batch): Job {
  return newJob({
    id: evidence.file_id,
    now: 0,
    batch,
    original_filename: evidence.path.split('/').at(-1) ?? evidence.path,
    path: evidence.path,
    file_size_bytes: evidence.size_bytes ?? 0,
    sha256: null,
  });
}

function batchOf(one: Pick<EvalCase, 'case_id' | 'files' | 'context'>): Batch {
  const requested = one.context.type === 'download_request';
  return {
    schema_version: 1,
    id: one.case_id,
    label: one.case_id,
    context_type: requested ? 'DOWNLOAD_REQUEST' : 'SPONTANEOUS',
    context_id: requested ? `request of ${one.case_id}` : null,
    created_at: 0,
    state: 'staged',
    total: one.files.length,
    taken: one.files.length,
    archives: [],
    companions: [],
    notice: null,
    demo: false,
  };
}
