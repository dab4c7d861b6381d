/** The agent as the run needs it: begin a doubt's workflow, run it, and say what came of it. A lane brings the workflow. */
import * as v from 'valibot';
import type { AgentModel, ExecutorOptions } from '../agent/workflow/ports.ts';
import type { CancelSignal } from '../cancel.ts';
import type { LlmProvider } from '../agent/llm/provider.ts';
import type { ProviderId } from '../agent/llm/providers.ts';
import type { StartOptions } from '../agent/workflow/start.ts';
import type { JournalEntry, Workflow } from '../agent/workflow/workflow.ts';
import type { AgentFinding, Batch, JobFields, StepDraft } from '../job/job.ts';

/** What the matcher would ask a person, put to the agent first. A lane adds what its workflow needs; all of it is JSON. */
export interface Doubt {
  /** The same for the same files, kind and options: a doubt that was answered is not asked again. */
  key: string;
  kind: string;
  batch_id: string;
  /** The first leads: it keeps the workflow. */
  file_ids: string[];
}

export type DoubtWorkflow<D extends Doubt = Doubt, Action = unknown> = Workflow<D, Action>;

export interface AskPorts {
  provider: LlmProvider;
  options: ExecutorOptions;
  signal: CancelSignal;
  save(workflow: DoubtWorkflow): Promise<void>;
}

export interface AgentEngine {
  /** A workflow that has not been run. */
  begin(doubt: Doubt, options: StartOptions): DoubtWorkflow;
  /** The whole record, parsed; null where it is not of this release. */
  read(json: string): DoubtWorkflow | null;
  /** Runs until it is completed, failed, waits for a person, or was cancelled: then it is not ended. */
  run(workflow: DoubtWorkflow, ports: AskPorts): Promise<DoubtWorkflow>;
  /** A person's answer to a workflow that waits for one. The same workflow where the answer does not concern it. */
  answer(workflow: DoubtWorkflow, optionId: string, by: string, now: number): DoubtWorkflow;
  finding(workflow: DoubtWorkflow): AgentFinding;
  /** The lines of the job's log for journal entries from `from` on (counted from 0). */
  steps(journal: readonly JournalEntry[], from: number): StepDraft[];
}

export interface Agent {
  /** null: no model is set for this batch. */
  model(batch: Pick<Batch, 'demo'>): Promise<AgentModel | null>;
  /** Another than the one that is set; absent where there is no other. */
  modelNamed?(named: { provider: ProviderId; model: string }): Promise<AgentModel | null>;
  /** Of a new workflow: nonce, option orders, sampling. */
  seed(): number;
}

/** Enough to see what a job thinks about; before a workflow is run it is parsed whole (`AgentEngine.read`). */
const Stored = v.custom<DoubtWorkflow>((value) =>
  v.is(
    v.looseObject({
      schema_version: v.literal(1),
      id: v.string(),
      definition: v.string(),
      input: v.looseObject({ key: v.string(), file_ids: v.array(v.string()), files: v.array(v.unknown()) }),
      state: v.looseObject({ type: v.string() }),
      journal: v.array(v.looseObject({ n: v.number(), kind: v.string() })),
    }),
    value,
  ),
);

/** By row. Rows and workflows are never changed in place, and the run asks a row for its workflow at every look. */
const workflows = new WeakMap<Pick<JobFields, 'workflow_state'>, DoubtWorkflow | null>();
/** JSON by doubt, which stays the same from the first save of a workflow to its last, and is the most of it. */
const doubts = new WeakMap<Doubt, string>();

/** The workflow that this job leads; null where there is none, or one of a form that this release does not know. */
export function workflowOf(job: Pick<JobFields, 'workflow_state'> | undefined): DoubtWorkflow | null {
  if (!job?.workflow_state) return null;
  const known = workflows.get(job);
  return known === undefined ? noteWorkflow(job, parse(job.workflow_state)) : known;
}

/** What a row's `workflow_state` says, so that it need not be parsed. */
export function noteWorkflow(
  job: Pick<JobFields, 'workflow_state'>,
  workflow: DoubtWorkflow | null,
): DoubtWorkflow | null {
  workflows.set(job, workflow);
  return workflow;
}

/** The form in which a job keeps it. */
export function workflowJson({ input, ...rest }: DoubtWorkflow): string {
  const doubt = doubts.get(input) ?? JSON.stringify(input);
  doubts.set(input, doubt);
  return `${JSON.stringify(rest).slice(0, -1)},"input":${doubt}}`;
}

function parse(json: string): DoubtWorkflow | null {
  try {
    const outcome = v.safeParse(Stored, JSON.parse(json));
    return outcome.success ? outcome.output : null;
  } catch {
    return null;
  }
}

export function isEnded(workflow: DoubtWorkflow): boolean {
  const { type } = workflow.state;
  return type === 'Completed' || type === 'Failed' || type === 'AwaitingReview';
}

/** It ends without a decision; `why`: one sentence. */
export function endedWithout(workflow: DoubtWorkflow, why: string): DoubtWorkflow {
  return { ...workflow, state: { type: 'Completed', result: { action: null, decided_by: 'nobody', why } } };
}

/** What a doubt ends with when no model answered it. `why` is one sentence. */
export function unansweredFinding({ id, input, model, recorded }: DoubtWorkflow, why: string): AgentFinding {
  const nothing = { answer: 'failed', why: '', agreement: 0, confidence: 0, looked_up: [] };
  return { key: input.key, workflow_id: id, model, recorded, failed: why, ...nothing };
}
