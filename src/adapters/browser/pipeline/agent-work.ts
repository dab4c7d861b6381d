/** The workflows of jobs in phase `thinking`, as they lie in the database. */
import type { Job } from '#core/job/job.ts';
import type { Doubt } from '#core/music/agent/doubt.ts';
import { readDoubtWorkflow, type DoubtWorkflow } from './agent-engine.ts';
import type { PipelineContext } from './apply.ts';

/** One doubt that waits for the model, or is put to it. */
export interface AgentWork {
  lead: Job;
  workflow: DoubtWorkflow;
}

/** The workflow that this job leads; null where there is none, or one that cannot be read. */
export function workflowOf(job: Pick<Job, 'workflow_state'> | undefined): DoubtWorkflow | null {
  return job?.workflow_state ? readDoubtWorkflow(job.workflow_state) : null;
}

export function isEnded(workflow: DoubtWorkflow): boolean {
  const { type } = workflow.state;
  return type === 'Completed' || type === 'Failed' || type === 'AwaitingReview';
}

/** The open doubt that this job leads; null where it leads none. */
export function asWork(lead: Job | undefined): AgentWork | null {
  if (lead?.phase !== 'thinking') return null;
  const workflow = workflowOf(lead);
  if (workflow === null || workflow.input.file_ids[0] !== lead.id || isEnded(workflow)) return null;
  return { lead, workflow };
}

/** Every open doubt, albums before tracks, then the oldest first. And the thinking jobs that no doubt speaks of. */
export async function openWork(context: PipelineContext): Promise<{ work: AgentWork[]; orphans: Job[] }> {
  const thinking = await context.db.jobs
    .where('status')
    .equals('PROCESSING')
    .filter((job) => job.phase === 'thinking')
    .toArray();
  const work = thinking.flatMap((job) => asWork(job) ?? []);
  const spokenFor = new Set(work.flatMap(({ workflow }) => workflow.input.file_ids));
  work.sort(
    (a, b) =>
      rank(a.workflow.input) - rank(b.workflow.input) ||
      a.lead.created_at - b.lead.created_at ||
      (a.lead.path < b.lead.path ? -1 : 1),
  );
  return { work, orphans: thinking.filter((job) => !spokenFor.has(job.id)) };
}

/** What the top bar calls a doubt. */
export function nameOf(doubt: Doubt): string {
  const [first] = doubt.files;
  const count = doubt.file_ids.length;
  if (count === 1 && first) return first.path.split('/').at(-1) ?? first.path;
  return doubt.detected.album ?? `${count} files`;
}

function rank(doubt: Doubt): number {
  return doubt.kind === 'track' ? 1 : 0;
}
