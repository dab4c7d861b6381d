/** The memory of runs and their journals as they come out of storage or a file: parsed whole, so that runs may trust them. */
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import type { RunsMemory } from './memory.ts';
import type { JournalLine } from './ports.ts';
import type { Run } from './run-machine.ts';
import { FAULT_TYPES, type FaultType } from '../faults/fault.ts';
import { GUIDE_TOOLS, type GuideToolName, type RunStep, type ToolReport } from './run.types.ts';

const Text = v.string();
const Instant = v.number();
const Count = v.pipe(v.number(), v.minValue(0));
const Tool = v.picklist(GUIDE_TOOLS);
const Channel = v.nullable(Text);

const byTool = <Value>(value: v.GenericSchema<unknown, Value>) =>
  v.custom<Partial<Record<GuideToolName, Value>>>((given) => v.is(v.record(Tool, value), given));

/** What a tool answers. */
export const ReportSchema: v.GenericSchema<unknown, ToolReport> = v.object({
  changed: Count,
  diff: v.array(
    v.object({
      ...{ where: Text, field: Text, before: v.nullable(Text), after: Text, source: Text, reasons: v.array(Text) },
    }),
  ),
  skipped: v.array(v.object({ where: Text, field: Text, why: Text })),
});

const View = v.object({
  programmes: Count,
  failing: Count,
  open: v.custom<Record<FaultType, number>>((given) =>
    v.is(v.object(Object.fromEntries(FAULT_TYPES.map((type) => [type, Count]))), given),
  ),
  plex_mismatch: v.boolean(),
  recent_errors: Text,
});
const Choice = v.object({ tool: Tool, by: v.picklist(['order', 'model']), why: Text });
const Chosen = v.nullable(Choice);

/** One use of a tool. */
export const StepSchema: v.GenericSchema<unknown, RunStep> = v.object({
  ...Choice.entries,
  ...{ began_at: Instant, ended_at: Instant, report: ReportSchema, failure: v.nullable(Text) },
});

const RunSchema: v.GenericSchema<unknown, Run> = v.object({
  id: Text,
  channel: Channel,
  how: v.picklist(['demand', 'ask', 'import', 'schedule']),
  owner: Text,
  began_at: Instant,
  ended: byTool(Instant),
  behind: v.array(Tool),
  steps: v.array(StepSchema),
  first: v.nullable(View),
  view: v.nullable(View),
  waits: v.variant('for', [
    v.object({ for: v.literal('look'), chosen: Chosen }),
    v.object({ for: v.literal('probe'), chosen: Chosen }),
    v.object({ for: v.literal('reply') }),
    v.object({ for: v.literal('tool'), since: Instant, ...Choice.entries }),
  ]),
  lines: Count,
});

const Signs = v.object({
  containment: v.boolean(),
  restarts: v.array(Instant),
  pool: v.nullable(v.tuple([Count, Count])),
});

const LineSchema: v.GenericSchema<unknown, JournalLine> = v.object({
  run: Text,
  n: Count,
  at: Instant,
  event: v.variant('kind', [
    v.object({ kind: v.literal('begun'), run: RunSchema }),
    v.object({
      ...{ kind: v.literal('looked'), view: View, signs: Signs },
      circuit: v.picklist(['closed', 'open', 'half-open']),
    }),
    v.object({ kind: v.literal('probed'), ok: v.boolean() }),
    v.object({ kind: v.literal('replied'), text: v.nullable(Text) }),
    v.object({ kind: v.literal('used'), tool: Tool, report: ReportSchema, failure: v.nullable(Text) }),
    v.object({ kind: v.literal('guide_came') }),
    v.object({ kind: v.literal('broke'), view: v.nullable(View) }),
    v.object({ kind: v.literal('died'), view: v.nullable(View) }),
  ]),
});

const MemorySchema: v.GenericSchema<unknown, RunsMemory> = v.object({
  schema_version: v.literal(1),
  keys: v.record(
    Text,
    v.object({
      ended_at: v.nullable(Instant),
      idle_runs: Count,
      suspended_until: v.nullable(Instant),
      ratio: v.nullable(Count),
      tools: byTool(v.object({ ended_at: Instant, changed: v.boolean() })),
    }),
  ),
  active: v.array(RunSchema),
  circuit: v.object({ failures: Count, retry_at: v.nullable(Instant), rest_ms: v.nullable(Count) }),
  probing: v.nullable(Text),
  counters: v.object({
    ai_metadata_resolution_attempt_total: Count,
    ai_metadata_resolution_success_total: Count,
    ai_metadata_resolution_abort_total: Count,
    ai_metadata_tool_selected: byTool(Count),
  }),
});

/** Throws AccessionError `invalid` with what is wrong. */
export function parseMemory(json: string): RunsMemory {
  return parsed(MemorySchema, json, 'The memory of runs');
}

/** One line of a journal. Throws AccessionError `invalid` with what is wrong. */
export function parseLine(json: string, what = 'The line of a journal'): JournalLine {
  return parsed(LineSchema, json, what);
}

/** Throws AccessionError `invalid` with what is wrong. */
export function parsed<Value>(schema: v.GenericSchema<unknown, Value>, json: string, what: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw failed('invalid', `${what} is not JSON.`);
  }
  const read = v.safeParse(schema, value);
  if (read.success) return read.output;
  const [issue] = read.issues;
  const where = v.getDotPath(issue);
  throw failed('invalid', `${what} cannot be read: ${where === null ? '' : `${where}: `}${issue.message}`);
}
