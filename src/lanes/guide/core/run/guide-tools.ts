/**
 * The five tools. What each does is a function of its context's four methods and nothing else: no schema, setting, route,
 * sound or restart is within reach.
 */
import * as v from 'valibot';
import { lowTool } from '#core/agent/tools/make-tool.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { runTool } from '#core/agent/tools/run-tool.ts';
import type { AgentTool, ToolOutcome } from '#core/agent/tools/tool.ts';
import type { JournalEntry } from '#core/agent/workflow/workflow.ts';
import { AccessionError, toFailure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { COOLDOWN_MS } from './order.ts';
import type { ToolUse } from './ports.ts';
import type { Run } from './run-machine.ts';
import { ReportSchema } from './stored-run.ts';
import { GUIDE_TOOLS, type GuideToolName, type Mend, type ToolReport } from './run.types.ts';

/** What a tool may do. */
export interface GuideToolContext<Fault = unknown, Sources = unknown, Filled extends Mend = Mend> {
  /** Open faults of the run's channels; what a person undid is not among them. */
  faults(): Promise<readonly Fault[]>;
  /** What may speak for a value: names, catalog, media server, the rest of the guide. */
  sources(): Promise<Sources>;
  /** Writes mends and their journal in one transaction; answers what was written and what was not. */
  fill(mends: readonly Filled[]): Promise<ToolReport>;
  /** A line for whoever looks into failures; not the log of runs. */
  log(line: string): Promise<void>;
}

/** What each tool does. What it throws as AccessionError may be worth another attempt; anything else is not. */
export type GuideToolWork<Fault, Sources, Filled extends Mend = Mend> = Readonly<
  Record<GuideToolName, (context: GuideToolContext<Fault, Sources, Filled>) => Promise<ToolReport>>
>;

const DESCRIPTIONS: Readonly<Record<GuideToolName, string>> = {
  rebuild_xmltv: 'Derives schedules anew and mends the form of the guide: order, times, ids.',
  refresh_plex_metadata: 'Brings up to date the copies that look-ups read.',
  reparse_filename_metadata: 'Reads names again: of files, in titles and in descriptions.',
  re_enrich_metadata: 'Looks up shows, items and the same programme elsewhere.',
  fetch_metadata_logs: 'Reads the last failures, and changes nothing.',
};

const NOTHING: ToolReport = { changed: 0, diff: [], skipped: [] };

/** The registry for one process: it counts calls a minute. */
export function guideTools<Fault, Sources, Filled extends Mend = Mend>(
  work: GuideToolWork<Fault, Sources, Filled>,
): AgentToolRegistry<GuideToolContext<Fault, Sources, Filled>> {
  return new AgentToolRegistry(
    GUIDE_TOOLS.map((name): AgentTool<GuideToolContext<Fault, Sources, Filled>> =>
      lowTool({
        name,
        description: DESCRIPTIONS[name],
        input: v.strictObject({}),
        output: ReportSchema,
        limits: { cooldownMs: COOLDOWN_MS[name] },
        execute: (_input, { context }) => attempted(() => work[name](context), name),
      }),
    ),
  );
}

async function attempted(work: () => Promise<ToolReport>, name: string): Promise<ToolOutcome<ToolReport>> {
  try {
    return { ok: true, output: await work(), provenance: [{ source: 'guide', ref: name }] };
  } catch (thrown) {
    const failure = toFailure(thrown, name);
    return { ok: false, failure: thrown instanceof AccessionError ? failure : { ...failure, retryable: false } };
  }
}

export interface ToolRoom<Fault, Sources, Filled extends Mend = Mend> {
  registry: AgentToolRegistry<GuideToolContext<Fault, Sources, Filled>>;
  context: GuideToolContext<Fault, Sources, Filled>;
  clock: Clock;
  wait(milliseconds: number): Promise<void>;
}

/** One step of a run through the engine's checks: no tool twice, none that cools, none but the one that was chosen. */
export async function useTool<Fault, Sources, Filled extends Mend = Mend>(
  { registry, context, clock, wait }: ToolRoom<Fault, Sources, Filled>,
  tool: GuideToolName,
  run: Run,
): Promise<ToolUse> {
  const journal = run.steps.map((step, index): JournalEntry => ({
    ...{ n: index + 1, at: step.began_at, kind: 'tool_started', call: `s${index + 1}` },
    ...{ tool: step.tool, input: {}, by: 'code' },
  }));
  const ran = await runTool(
    {
      ...{
        registry,
        allowed: [tool],
        codeWrites: [tool],
        entities: {},
        journal,
        workflowId: run.id,
        context,
        clock,
        wait,
      },
      lastUse: () => run.ended[tool] ?? null,
    },
    { call: `s${run.steps.length + 1}`, tool, input: {}, by: 'code' },
  );
  if (ran.kind === 'done') return { report: v.parse(ReportSchema, ran.output), failure: null };
  return { report: NOTHING, failure: ran.kind === 'failed' ? ran.failure.message : 'It was cut.' };
}
