/**
 * The form of a tool of the toolbox: an agent's tool (core/agent/tools), and what is new for all: where it computes, what it
 * may take, an example to run. One tool one file, and its name in `tools.ts`; schema, documentation, command line and tests of bad
 * input come from it.
 */
import * as v from 'valibot';
import { readTool } from '../agent/tools/make-tool.ts';
import { isRecord, type AgentTool, type Provenance, type ToolLimits, type ToolRun } from '../agent/tools/tool.ts';
import { failure, toFailure, type Failure } from '../errors.ts';
import type { Result } from '../result.ts';
import type { Commands } from './commands/commands.ts';
import type { Net } from './connectors/net.ts';
import {
  boundsOf,
  USUAL_BOUNDS,
  type BoundsWish,
  type Cage,
  type CageAnswer,
  type CageJob,
  type Runtime,
  type ToolBounds,
} from './cage.ts';

/** What a call of a tool stands in. */
export interface ToolboxContext extends BoundsWish {
  cage: Cage;
  /** How connectors reach their sources; absent: not at all. */
  net?: Net;
  /** Programs of the machine that its operator listed; absent: none. */
  commands?: Commands;
  /** Patterns of hosts that the step or the question lets through; null: a person asks. */
  domains?: readonly string[] | null;
}

export type Output = Record<string, unknown>;

export interface ToolboxTool<Input = unknown> extends AgentTool<ToolboxContext, Input, Output> {
  runtime: Runtime;
  bounds: ToolBounds;
  /** An input to try, which every test of the toolbox runs. */
  example: Input;
  /** Free code within an input: it runs only where its hash was agreed to. */
  code?(input: Input): string;
}

/** What is wrong with the values of an input, beyond its schema. */
export interface Fault {
  field: string;
  message: string;
  /** `tool_input` where nothing is said. */
  code?: 'tool_input' | 'tool_refused' | 'tool_limit';
}

export interface ToolboxSpec<Input> {
  name: string;
  version?: number;
  description: string;
  runtime: Runtime;
  input: v.GenericSchema<unknown, Input>;
  /** The fields that are promised; there may be more. */
  output: v.LooseObjectSchema<v.ObjectEntries, undefined>;
  example: Input;
  bounds?: Partial<ToolBounds>;
  limits?: Partial<ToolLimits>;
  /** The first fault; null: none. */
  check?(input: Input): Fault | null;
  /** What the engine is to do. Absent for `none`. */
  job?(input: Input): Omit<CageJob, 'runtime'>;
  /** For `none`: the result by itself. Throws AccessionError. */
  compute?(input: Input, run: ToolRun<ToolboxContext>): Output | Promise<Output>;
  /** The engine's value as the tool's output. */
  finish?(value: Output, input: Input): Output;
  /** Free code within an input. */
  code?(input: Input): string;
  /** Where the output comes from, beside tool and engine. */
  from?(output: Output): Provenance[];
  /** Fields that a model does not need: it reads the output without them. */
  unread?: readonly string[];
}

export function toolboxTool<Input>(spec: ToolboxSpec<Input>): ToolboxTool<Input> {
  const own: ToolBounds = { ...USUAL_BOUNDS, ...spec.bounds };
  const tool = readTool<ToolboxContext, Input, Output>({
    name: spec.name,
    version: spec.version ?? 1,
    description: spec.description,
    input: spec.input,
    output: spec.output as v.GenericSchema<unknown, Output>,
    limits: { retries: 0, ...spec.limits },
    render: (output) => withoutFields(output, spec.unread ?? []),
    async execute(input, run) {
      const fault = spec.check?.(input) ?? null;
      if (fault !== null) return { ok: false, failure: failureOf(spec.name, fault) };
      const computed = await compute(spec, own, input, run);
      if (!computed.ok) return { ok: false, failure: computed.failure };
      const { value, versions } = computed.value;
      if (!isRecord(value)) return { ok: false, failure: failure('internal', `${spec.name} answered no object.`) };
      try {
        const output = spec.finish?.(value, input) ?? value;
        return { ok: true, output, provenance: [...provenanceOf(spec, versions), ...(spec.from?.(output) ?? [])] };
      } catch (thrown) {
        return { ok: false, failure: toFailure(thrown, spec.name) };
      }
    },
  });
  const free = spec.code === undefined ? {} : { code: spec.code };
  return { ...tool, ...free, runtime: spec.runtime, bounds: own, example: spec.example };
}

async function compute<Input>(
  spec: ToolboxSpec<Input>,
  own: ToolBounds,
  input: Input,
  run: ToolRun<ToolboxContext>,
): Promise<Result<CageAnswer>> {
  const { runtime } = spec;
  try {
    if (runtime === 'none') return { ok: true, value: { value: await spec.compute?.(input, run), versions: [] } };
    const job = spec.job?.(input) ?? { program: spec.name, data: input };
    return await run.context.cage.run({ ...job, runtime }, boundsOf(own, run.context), run.signal);
  } catch (thrown) {
    return { ok: false, failure: toFailure(thrown, spec.name) };
  }
}

function provenanceOf(
  { name, version = 1 }: { name: string; version?: number },
  versions: readonly string[],
): Provenance[] {
  return [{ source: 'tool', ref: `${name}@${version}` }, ...versions.map((ref) => ({ source: 'engine', ref }))];
}

export function failureOf(name: string, { field, message, code = 'tool_input' }: Fault): Failure {
  return failure(code, `${name}: ${field}: ${message}`, { subject: field });
}

function withoutFields(output: Output, unread: readonly string[]): Output {
  return Object.fromEntries(Object.entries(output).filter(([name]) => !unread.includes(name)));
}
