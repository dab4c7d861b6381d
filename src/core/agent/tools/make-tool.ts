/** Makers of tools: what an author says of a tool, completed by what all tools of its risk class have in common. */
import type { GenericSchema } from 'valibot';
import type { AgentTool, RiskClass, ToolLimits } from './tool.ts';

/** What is left out: version 1, the limits of its class, no network, no references, nothing shown, the output as it is. */
export type ToolSpec<Context, Input, Output> = Pick<
  AgentTool<Context, Input, Output>,
  'name' | 'description' | 'input' | 'output' | 'execute'
> &
  Partial<
    Pick<AgentTool<Context, Input, Output>, 'version' | 'schema' | 'network' | 'references' | 'shows' | 'render'>
  > & {
    limits?: Partial<ToolLimits>;
  };

/** A look costs little; how many are of use is the workflow's to bound. */
const READ_LIMITS: ToolLimits = { cooldownMs: 0, retries: 1, calls: 60, perMinute: 1200 };
/** A write is not repeated automatically: the same call would answer that it was made already. */
const WRITE_LIMITS: ToolLimits = { cooldownMs: 0, retries: 0, calls: 5000, perMinute: 12_000 };
const DECIDE_LIMITS: ToolLimits = { cooldownMs: 0, retries: 1, calls: 2, perMinute: 1200 };
/** What can be taken back is done once a workflow, and not again at once by the next one. */
const LOW_LIMITS: ToolLimits = { cooldownMs: 30_000, retries: 1, calls: 1, perMinute: 600 };

function makerOf(risk: RiskClass, usual: ToolLimits, render: (output: unknown) => unknown = (output) => output) {
  return <Context, Input, Output>({
    limits,
    ...spec
  }: ToolSpec<Context, Input, Output>): AgentTool<Context, Input, Output> => ({
    version: 1,
    network: [],
    references: {},
    shows: () => [],
    render,
    ...spec,
    risk,
    side_effects: risk === 'write' || risk === 'low',
    limits: { ...usual, ...limits },
  });
}

/** A tool that only looks. */
export const readTool = makerOf('read', READ_LIMITS);
/** A tool that changes something outside of the workflow. */
export const writeTool = makerOf('write', WRITE_LIMITS);
/** A tool that writes what can be taken back, and nothing else. */
export const lowTool = makerOf('low', LOW_LIMITS);
/** A tool that ends or turns the workflow; the model reads only that it was noted. */
export const decideTool = makerOf('decide', DECIDE_LIMITS, () => ({ noted: true }));

/** A tool that ends the workflow with the model's own words: it looks at nothing and answers its input. */
export function wordTool<Words>(
  name: string,
  description: string,
  input: GenericSchema<unknown, Words>,
  /** Fields that name an entity (tool.ts). */
  references: Readonly<Record<string, string>> = {},
): AgentTool<unknown, Words, Words> {
  return decideTool({
    name,
    description,
    input,
    output: input,
    references,
    execute: (words) =>
      Promise.resolve({ ok: true, output: words, provenance: [{ source: 'model', ref: 'its own words' }] }),
  });
}

/** The tool for callers whose context is less than it needs: `complete` makes the one of the other. */
export function inContext<Given, Needed, Input, Output>(
  tool: AgentTool<Needed, Input, Output>,
  complete: (given: Given) => Needed,
): AgentTool<Given, Input, Output> {
  return { ...tool, execute: (input, run) => tool.execute(input, { ...run, context: complete(run.context) }) };
}
