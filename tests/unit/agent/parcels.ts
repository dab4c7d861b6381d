/**
 * A workflow that has nothing to do with music: to which depot does a parcel with a smudged label go? The same executor
 * runs it. Towns are looked up, a depot may be inspected, and a decision goes through `send_parcel` or `ask_clerk`.
 */
import * as v from 'valibot';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import type { AgentTool, ToolLimits } from '#core/agent/tools/tool.ts';
import type { Choice, ToolResult, WorkflowDefinition } from '#core/agent/workflow/definition.ts';

export interface Depot {
  id: string;
  town: string;
  free: number;
}
export interface Sorting {
  depots: Depot[];
  /** Every execution, in order: the tests count them. */
  log: string[];
}
export interface ParcelInput {
  parcels: { id: string; label: string }[];
}
export type ParcelAction = { type: 'Send'; parcel_id: string; depot_id: string } | { type: 'Keep'; reason: string };

const USUAL: ToolLimits = { cooldownMs: 0, retries: 1, calls: 6, perMinute: 1000 };
const DepotShape = v.object({ id: v.string(), town: v.string(), free: v.number() });

export const findDepots: AgentTool<Sorting, { town: string }, Depot[]> = {
  name: 'find_depots',
  version: 1,
  description: 'Depots in towns of that name.',
  input: v.strictObject({ town: v.pipe(v.string(), v.minLength(1), v.maxLength(80)) }),
  output: v.array(DepotShape),
  risk: 'read',
  side_effects: false,
  limits: USUAL,
  network: [],
  references: {},
  shows: (depots) => depots.map(({ id }) => ({ kind: 'depot', id })),
  render: (depots, handle) => depots.map(({ id, town, free }) => ({ depot: handle('depot', id), town, free })),
  execute: ({ town }, { context, idempotencyKey }) => {
    context.log.push(`find_depots ${town} ${idempotencyKey}`);
    const output = context.depots.filter((depot) => depot.town.toLowerCase().startsWith(town.toLowerCase()));
    return Promise.resolve({ ok: true, output, provenance: [{ source: 'depots', ref: town }] });
  },
};

export const inspectDepot: AgentTool<Sorting, { depot_id: string }, { id: string; free: number }> = {
  name: 'inspect_depot',
  version: 1,
  description: 'How much room a depot has.',
  input: v.strictObject({ depot_id: v.string() }),
  output: v.object({ id: v.string(), free: v.number() }),
  risk: 'read',
  side_effects: false,
  limits: USUAL,
  network: [],
  references: { depot_id: 'depot' },
  shows: () => [],
  render: ({ id, free }, handle) => ({ depot: handle('depot', id), free }),
  execute: ({ depot_id }, { context, idempotencyKey }) => {
    context.log.push(`inspect_depot ${depot_id} ${idempotencyKey}`);
    const free = context.depots.find((depot) => depot.id === depot_id)?.free ?? 0;
    return Promise.resolve({ ok: true, output: { id: depot_id, free }, provenance: [] });
  },
};

export const sendParcel: AgentTool<Sorting, { parcel_id: string; depot_id: string; why?: string }, { sent: boolean }> =
  {
    name: 'send_parcel',
    version: 1,
    description: 'Sends the parcel to the depot. Ends the work.',
    input: v.strictObject({ parcel_id: v.string(), depot_id: v.string(), why: v.exactOptional(v.string()) }),
    output: v.object({ sent: v.boolean() }),
    risk: 'decide',
    side_effects: true,
    limits: { ...USUAL, calls: 2 },
    network: [],
    references: { parcel_id: 'parcel', depot_id: 'depot' },
    shows: () => [],
    render: (output) => output,
    execute: ({ parcel_id, depot_id }, { context, idempotencyKey }) => {
      context.log.push(`send_parcel ${parcel_id} ${depot_id} ${idempotencyKey}`);
      return Promise.resolve({ ok: true, output: { sent: true }, provenance: [] });
    },
  };

export function sorting(): Sorting {
  return {
    depots: [
      { id: 'dep-aaaa', town: 'Springfield', free: 3 },
      { id: 'dep-bbbb', town: 'Springhill', free: 90 },
      { id: 'dep-cccc', town: 'Spring Valley', free: 0 },
    ],
    log: [],
  };
}

export const PARCELS: ParcelInput = { parcels: [{ id: 'par-1111', label: 'Spring....ld 12' }] };

const Action = v.variant('type', [
  v.object({ type: v.literal('Send'), parcel_id: v.string(), depot_id: v.string() }),
  v.object({ type: v.literal('Keep'), reason: v.string() }),
]);

export const parcelWorkflow: WorkflowDefinition<ParcelInput, ParcelAction, Sorting> = {
  name: 'sort-parcels',
  version: 1,
  input: v.object({ parcels: v.array(v.object({ id: v.string(), label: v.string() })) }),
  action: Action,
  tools: [findDepots, inspectDepot, sendParcel],
  instructions: {
    choice: 'You sort parcels. Choose the depot.',
    tools: 'You sort parcels. Send the parcel to its depot.',
  },
  shows: (input) => input.parcels.map(({ id }) => ({ kind: 'parcel', id })),
  gather: () => [{ tool: 'find_depots', input: { town: 'Spring' } }],
  brief: (input, results) => ({
    question: 'To which depot does the parcel go?',
    sections: [{ heading: 'Parcels', rows: input.parcels.map(({ label }) => ({ label })) }],
    choices: depotsOf(results).map(({ id, town, free }): Choice => ({
      option_id: `depot:${id}`,
      label: town,
      confidence: 0.5,
      facts: { free },
    })),
  }),
  allowed: () => ['find_depots', 'inspect_depot', 'send_parcel'],
  ballots: 2,
  decide: (input, results, outcome) => {
    const parcel_id = input.parcels[0]?.id ?? '';
    const options = depotsOf(results).map(({ id, town }) => ({ id: `depot:${id}`, label: town, confidence: 0.5 }));
    const ask = (why: string) => ({ kind: 'ask' as const, question: 'Which depot?', why, options });
    if (outcome.kind === 'stopped') return ask(outcome.sentence);
    if (outcome.kind === 'tool') {
      const depot_id = v.parse(v.object({ depot_id: v.string() }), outcome.result.input).depot_id;
      return { kind: 'act', action: { type: 'Send', parcel_id, depot_id }, why: outcome.why };
    }
    const { verdict } = outcome;
    if (verdict.kind !== 'option' || verdict.agreement < 1) return ask(verdict.why || 'The model is not sure.');
    const depot_id = verdict.option_id.slice('depot:'.length);
    return { kind: 'act', action: { type: 'Send', parcel_id, depot_id }, why: verdict.why };
  },
  answered: (input, optionId) =>
    optionId.startsWith('depot:')
      ? { type: 'Send', parcel_id: input.parcels[0]?.id ?? '', depot_id: optionId.slice('depot:'.length) }
      : null,
};

export function parcelRegistry(): AgentToolRegistry<Sorting> {
  return new AgentToolRegistry(parcelWorkflow.tools);
}

function depotsOf(results: readonly ToolResult[]): Depot[] {
  const found = results
    .filter(({ tool }) => tool === 'find_depots')
    .flatMap(({ output }) => v.parse(v.array(DepotShape), output));
  return found.filter((depot, index) => found.findIndex(({ id }) => id === depot.id) === index);
}
