/**
 * Doubts and their workflows, as they are kept on jobs in phase `thinking`. Everything here runs inside the caller's
 * change; a workflow is on the job that leads its doubt.
 */
import type { AgentModel } from '../agent/workflow/ports.ts';
import { applyEvent, touchBatch, type ApplyContext } from '../job/apply.ts';
import { isUndecided, type AgentFinding, type Job, type StepDraft } from '../job/job.ts';
import { GroupSteps } from '../job/shared-steps.ts';
import {
  endedWithout,
  isEnded,
  noteWorkflow,
  unansweredFinding,
  workflowJson,
  workflowOf,
  type Agent,
  type AgentEngine,
  type Doubt,
  type DoubtWorkflow,
} from './agent.ts';
import type { JobReader, JobRows } from './job-store.ts';
import { laneOf, type RunDeps } from './ports.ts';

/** One doubt that waits for the model, or is put to it. */
export interface OpenDoubt {
  lead: Job;
  workflow: DoubtWorkflow;
}

/** The open doubt that this job leads; null where it leads none. */
export function openDoubtOf(lead: Job | undefined): OpenDoubt | null {
  if (lead?.phase !== 'thinking') return null;
  const workflow = workflowOf(lead);
  if (workflow === null || workflow.input.file_ids[0] !== lead.id || isEnded(workflow)) return null;
  return { lead, workflow };
}

/** Every open doubt, albums before tracks, then the oldest first. And the thinking jobs that no doubt speaks of. */
export async function openDoubts(
  rows: Pick<JobReader, 'jobsIn'>,
  deps: Pick<RunDeps, 'lane'>,
): Promise<{ doubts: OpenDoubt[]; orphans: Job[] }> {
  const thinking = (await rows.jobsIn('PROCESSING')).filter((job) => job.phase === 'thinking');
  const doubts = thinking.flatMap((job) => openDoubtOf(job) ?? []);
  const spokenFor = new Set(doubts.flatMap(({ workflow }) => workflow.input.file_ids));
  const rank = ({ lead, workflow }: OpenDoubt): number => laneOf(deps, lead).rankOf?.(workflow.input) ?? 0;
  doubts.sort(
    (a, b) => rank(a) - rank(b) || a.lead.created_at - b.lead.created_at || (a.lead.path < b.lead.path ? -1 : 1),
  );
  return { doubts, orphans: thinking.filter((job) => !spokenFor.has(job.id)) };
}

/**
 * Each doubt of a plan gets a workflow on its leading job, one that is about the same doubt already goes on, and what was
 * asked before and is no doubt any more ends here. `asked`: who they are put to; null where there is nobody.
 */
export async function keepDoubts(
  rows: JobRows,
  context: ApplyContext & { agent: Pick<Agent, 'seed'> },
  batchId: string,
  doubts: readonly Doubt[],
  asked: { engine: AgentEngine; model: AgentModel } | null,
): Promise<void> {
  const led = new Map(doubts.map((doubt) => [doubt.file_ids[0], doubt]));
  for (const job of await rows.jobsOfBatch(batchId)) {
    const stored = workflowOf(job);
    const open = stored !== null && !isEnded(stored) ? stored : null;
    const doubt = led.get(job.id);
    if (doubt && open?.input.key === doubt.key) continue;
    const asks = stored?.state.type === 'AwaitingReview' && !isUndecided(job);
    const put = (workflow: DoubtWorkflow) => putWorkflow(rows, context, job.id, workflow);
    if (doubt && asked) await put(begin(context, doubt, asked));
    else if (open) await put(endedWithout(open, 'The doubt was settled before the agent had answered.'));
    else if (asks) await put(endedWithout(stored, 'Evidence decided; nobody had to be asked.'));
  }
}

/** What this job was thinking about is of no interest any more. */
export async function dropDoubt(rows: JobRows, context: ApplyContext, job: Job): Promise<void> {
  const stored = workflowOf(job);
  if (stored !== null && (!isEnded(stored) || stored.state.type === 'AwaitingReview'))
    await putWorkflow(rows, context, job.id, endedWithout(stored, 'The file was cancelled.'));
}

/** Not run yet: with which model and in which strategy is decided again when its turn comes. */
function begin(
  { clock, ids, agent }: ApplyContext & { agent: Pick<Agent, 'seed'> },
  doubt: Doubt,
  { engine, model }: { engine: AgentEngine; model: AgentModel },
): DoubtWorkflow {
  return engine.begin(doubt, {
    id: ids.next(),
    now: clock.now(),
    strategy: 'choice',
    model: `${model.provider}/${model.model}`,
    recorded: model.recorded,
    seed: model.seed ?? agent.seed(),
  });
}

export async function putWorkflow(
  rows: JobRows,
  context: ApplyContext,
  jobId: string,
  workflow: DoubtWorkflow,
  steps: readonly StepDraft[] = [],
): Promise<void> {
  const job = await applyEvent(rows, context, jobId, { type: 'workflow', workflow: workflowJson(workflow), steps });
  if (job) noteWorkflow(job, workflow);
}

/**
 * The finding goes to the doubt's jobs that still think, the others than the leading one get the agent's steps as steps of
 * their group, and the batch is matched again. Answers how many jobs that were.
 */
export async function putFinding(
  rows: JobRows,
  context: ApplyContext,
  { id, input }: DoubtWorkflow,
  finding: AgentFinding,
): Promise<number> {
  const [lead = ''] = input.file_ids;
  const together = input.file_ids.length > 1 ? await agentSteps(rows, lead) : null;
  const where = together ? '' : '; its steps are in the log of the first of them';
  const points = {
    step_type: 'Decision' as const,
    content:
      finding.failed === null
        ? `The agent answered for these files together${where}`
        : `The agent did not answer: ${finding.failed}`,
    metadata: { lead_job_id: lead, workflow_id: id, answer: finding.answer, why: finding.why },
  };
  const found: Job[] = [];
  for (const job of input.file_ids) {
    const [steps, group] = job === lead ? [[], null] : [[points], together];
    const after = await applyEvent(rows, context, job, { type: 'agent', finding, steps }, [], group);
    if (after) found.push(after);
  }
  const [first] = found;
  if (first) await touchBatch(rows, first.batch_id, { rematch: true });
  return found.length;
}

/** Where the steps of the workflow that just ended are in the log of its leading job; null where they are not in one row. */
async function agentSteps(rows: JobRows, lead: string): Promise<GroupSteps | null> {
  const log = await rows.steps(lead);
  const begun = log.findLastIndex(({ metadata }) => metadata['agent'] === true && metadata['entry'] === 1);
  const own = begun < 0 ? [] : log.slice(begun);
  const [first] = own;
  if (first === undefined || own.length < 2 || own.some(({ metadata }) => metadata['agent'] !== true)) return null;
  return new GroupSteps([], { job_id: lead, step_number: first.step_number, count: own.length });
}

/** Ends a workflow without an answer. Answers how many jobs it was about. */
export async function endUnanswered(
  rows: JobRows,
  context: ApplyContext,
  workflow: DoubtWorkflow,
  why: string,
  step_type: 'Error' | 'ReviewAnswer',
): Promise<number> {
  const open = openDoubtOf(await rows.job(workflow.input.file_ids[0] ?? ''));
  if (open?.workflow.id !== workflow.id) return 0;
  const ended = { ...endedWithout(open.workflow, why), updated_at: context.clock.now() };
  await putWorkflow(rows, context, open.lead.id, ended, [
    { step_type, content: why, metadata: { workflow_id: workflow.id } },
  ]);
  return putFinding(rows, context, workflow, unansweredFinding(workflow, why));
}
