/** What the stage needs of the agent: begin a doubt, run it, and say what came of it. The real one: music-agent.ts. */
import * as v from 'valibot';
import type { CancelSignal, LlmProvider } from '#core/agent/llm/provider.ts';
import type { ExecutorOptions } from '#core/agent/workflow/ports.ts';
import type { StartOptions } from '#core/agent/workflow/start.ts';
import type { JournalEntry, Workflow } from '#core/agent/workflow/workflow.ts';
import type { StepDraft } from '#core/job/transitions.ts';
import type { AgentAction, AgentFinding, Doubt } from '#core/music/agent/doubt.ts';

export type DoubtWorkflow = Workflow<Doubt, AgentAction>;

export interface RunPorts {
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
  run(workflow: DoubtWorkflow, ports: RunPorts): Promise<DoubtWorkflow>;
  /** A person's answer to a workflow that waits for one. The same workflow where the answer does not concern it. */
  answer(workflow: DoubtWorkflow, optionId: string, by: string, now: number): DoubtWorkflow;
  finding(workflow: DoubtWorkflow): AgentFinding;
  /** The lines of the job's log for journal entries from `from` on (counted from 0). */
  steps(journal: readonly JournalEntry[], from: number): StepDraft[];
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

/** The workflow in `Job.workflow_state`; null where it is none of a form that this release knows. */
export function readDoubtWorkflow(json: string): DoubtWorkflow | null {
  try {
    const outcome = v.safeParse(Stored, JSON.parse(json));
    return outcome.success ? outcome.output : null;
  } catch {
    return null;
  }
}
