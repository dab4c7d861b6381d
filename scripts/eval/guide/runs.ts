/** Answers to `runs.jsonl`: the shipped runs in a scripted world on a fake clock. */
import * as v from 'valibot';
import { channelLabel } from '#lanes/guide/core/run/guide-runs.ts';
import { FAULT_TYPES } from '#lanes/guide/core/faults/fault.ts';
import { GUIDE_TOOLS, ratioOf, type How, type RunRecord } from '#lanes/guide/core/run/run.types.ts';
import { CADENCE_MS } from '#lanes/guide/core/run/triggers.ts';
import type { Part } from './part.types.ts';
import { RunWorld } from './run-world.ts';
import { settled } from './timeline.ts';

const Count = v.pipe(v.number(), v.minValue(0));
const Tool = v.picklist(GUIDE_TOOLS);
const CountsOf = <Key extends string>(keys: readonly Key[]) => v.record(v.picklist(keys), Count);
const Faults = CountsOf(FAULT_TYPES);
const Channel = v.optional(v.nullable(v.string()), null);
const at = { at: Count };
const model = { model: v.optional(v.array(v.string()), []), origin: v.optional(v.string()) };

const EventSchema = v.variant('do', [
  v.object({ ...at, ...model, do: v.literal('demand'), channel: Channel }),
  v.object({ ...at, ...model, do: v.literal('ask'), channel: Channel, text: v.string() }),
  v.object({
    ...{ ...at, ...model, do: v.literal('import'), channel: v.string() },
    ...{ programmes: v.optional(Count), faults: v.optional(Faults, {}) },
    lookups: v.optional(v.tuple([Count, Count]), [0, 0]),
  }),
  v.object({
    ...{ ...at, do: v.literal('set'), containment: v.optional(v.boolean()), probe: v.optional(v.string()) },
    pool: v.optional(v.nullable(v.tuple([Count, Count]))),
    circuit: v.optional(v.string()),
    for: v.optional(Count),
  }),
  v.object({ ...at, do: v.literal('restart'), n: v.optional(Count, 1) }),
  v.object({ ...at, do: v.literal('undo'), run: Count }),
  v.object({ ...at, do: v.literal('crash') }),
  v.object({ ...at, do: v.literal('lift'), channel: Channel }),
]);
export type WorldEvent = v.InferOutput<typeof EventSchema>;

export const RunCaseSchema = v.object({
  id: v.string(),
  config: v.object({
    metadata_self_resolution_enabled: v.exactOptional(v.boolean()),
    bounded_agent_enabled: v.exactOptional(v.boolean()),
    metadata_self_resolution_cooldown_sec: v.exactOptional(Count),
  }),
  world: v.object({
    channels: v.record(v.string(), v.object({ programmes: Count, faults: Faults })),
    repairs: v.record(Tool, Faults),
    takes: v.optional(v.record(Tool, Count)),
    fails: v.optional(v.record(Tool, Count)),
    throws: v.optional(v.array(Tool)),
    broken: v.optional(v.boolean()),
  }),
  events: v.array(EventSchema),
  cadence: v.optional(v.boolean(), false),
  until: v.optional(Count, 0),
});
export type RunCase = v.InferOutput<typeof RunCaseSchema>;

const ms = (seconds: number): number => Math.round(seconds * 1000);
const rounded = (ratio: number): number => Math.round(ratio * 10_000) / 10_000;

/** Plays a case to its end. At one instant: events, what is running, cadence. */
export async function play(world: RunWorld, { events, cadence, until }: RunCase): Promise<void> {
  const ticks = cadence
    ? Array.from({ length: Math.floor(ms(until) / CADENCE_MS) }, (_, n) => (n + 1) * CADENCE_MS)
    : [];
  const instants = [...new Set([...events.map((event) => ms(event.at)), ...ticks])].sort((a, b) => a - b);
  for (const instant of instants) {
    await world.time.runUntil(instant, false);
    for (const event of events.filter((one) => ms(one.at) === instant)) {
      // Where its process dies, who triggered it never hears of it.
      void happens(world, event);
      await settled();
    }
    await world.time.runUntil(instant, true);
    if (!ticks.includes(instant)) continue;
    void world.runs.cadence();
    await settled();
    await world.time.runUntil(instant, true);
  }
  await world.time.runUntil(Number.POSITIVE_INFINITY, true);
}

/** One event of a world. */
export async function happens(world: RunWorld, event: WorldEvent): Promise<void> {
  const now = world.time.now();
  switch (event.do) {
    case 'demand':
    case 'ask':
    case 'import': {
      if (event.do === 'import') world.comes(event.channel, event.programmes, event.faults);
      const triggered = await trigger(world, event);
      if (triggered?.begun) world.replies.set(triggered.run, [...event.model]);
      return;
    }
    case 'set': {
      const { containment, pool, circuit, probe } = event;
      if (containment !== undefined) world.signs = { ...world.signs, containment };
      if (pool !== undefined) world.signs = { ...world.signs, pool };
      if (circuit !== undefined) await world.setCircuit(circuit, event.for);
      if (probe !== undefined) world.probeWorks = probe !== 'fails';
      return;
    }
    case 'restart':
      world.signs = { ...world.signs, restarts: [...world.signs.restarts, ...Array<number>(event.n).fill(now)] };
      return;
    case 'undo':
      return world.undo(`r${event.run + 1}`);
    case 'crash':
      return await world.crash();
    case 'lift':
      return await world.runs.lift(event.channel);
  }
}

function trigger({ runs }: RunWorld, event: Extract<WorldEvent, { do: 'demand' | 'ask' | 'import' }>) {
  const by_run = event.origin === 'run';
  if (event.do === 'demand') return runs.trigger({ how: 'demand', channel: event.channel, by_run });
  if (event.do === 'ask') return runs.asked(event.text, event.channel, by_run);
  const [failed, all] = event.lookups;
  return runs.imported({ failed, all }, by_run);
}

/** In the order of their triggers. */
function inOrder({ store }: RunWorld): RunRecord[] {
  return store.records.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
}

interface Row extends Record<string, unknown> {
  how: How;
  steps: string[];
  escalated: boolean;
}

/** What became of each trigger. */
export function runRows(world: RunWorld): Row[] {
  return inOrder(world).map(row);
}

function row(record: RunRecord): Row {
  const { how, outcome, reason } = record;
  const about = { at: record.at / 1000, how, channel: channelLabel(record.channel), outcome, reason };
  if (record.outcome === 'skipped') return { ...about, steps: [], escalated: false };
  return {
    ...about,
    steps: record.steps.map(({ tool }) => tool),
    escalated: record.escalated,
    ratio_before: rounded(record.ratio_before),
    ratio_after: rounded(record.ratio_after),
  };
}

/** One row of `runs.jsonl`. */
export async function answerRun(one: RunCase): Promise<Record<string, unknown>> {
  const world = new RunWorld(one.world, one.config);
  await play(world, one);
  return {
    id: one.id,
    runs: runRows(world),
    logs: world.store.log.map(({ at: instant, text }) => ({ at: instant / 1000, text })),
    counters: world.store.memory.counters,
    ratio: rounded(ratioOf(world.view(null))),
  };
}

/** Guarded runs. */
export const runs: Part = {
  cases: 'runs.jsonl',
  answers: 'runs.jsonl',
  answer: async (cases) => {
    const rows: unknown[] = [];
    for (const one of v.parse(v.array(RunCaseSchema), cases)) rows.push(await answerRun(one));
    return rows;
  },
};
