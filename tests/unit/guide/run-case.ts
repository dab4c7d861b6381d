import * as v from 'valibot';
import { RunWorld } from '../../../scripts/eval/guide/run-world.ts';
import { play, RunCaseSchema, runRows, type WorldEvent } from '../../../scripts/eval/guide/runs.ts';

type Spec = v.InferInput<typeof RunCaseSchema>['world'];
type Events = v.InferInput<typeof RunCaseSchema>['events'];

/** One channel of 100 programmes, so that a fault of the first four types is a hundredth. */
export const one = (faults: Spec['channels'][string]['faults'], repairs: Spec['repairs'] = {}): Spec => ({
  channels: { c1: { programmes: 100, faults } },
  repairs,
});

export interface Played {
  world: RunWorld;
  /** `how channel outcome reason: steps before>after !`, a row a trigger. */
  runs: string[];
  /** `at text`. */
  logs: string[];
}

/** Plays events in a world that is switched on. */
export async function played(
  world: Spec,
  events: Events,
  more: { config?: Record<string, unknown>; cadence?: boolean; until?: number } = {},
): Promise<Played> {
  const { config, ...rest } = more;
  const made = v.parse(RunCaseSchema, {
    ...{ id: 'x', world, events, ...rest },
    config: { metadata_self_resolution_enabled: true, ...config },
  });
  const run = new RunWorld(made.world, made.config);
  await play(run, made);
  const runs = runRows(run).map((row) => {
    const { how, channel, outcome, reason, steps, escalated, ratio_before, ratio_after } = row;
    const ratios = ratio_before === undefined ? '' : ` ${String(ratio_before)}>${String(ratio_after)}`;
    const said = reason === null ? '' : ` ${String(reason)}`;
    return `${how} ${String(channel)} ${String(outcome)}${said}: ${steps.map(short).join(' ')}${ratios}${escalated ? ' !' : ''}`;
  });
  return { world: run, runs, logs: run.store.log.map(({ at, text }) => `${at / 1000} ${text}`) };
}

/** `rebuild`, `refresh`, `reparse`, `enrich`, `logs`. */
const short = (tool: string): string => /rebuild|refresh|reparse|enrich|logs/.exec(tool)?.[0] ?? tool;

export const demand = (at: number, channel: string | null = null, model: string[] = []): WorldEvent => ({
  ...{ do: 'demand', at, channel, model },
});

export const reply = (action: string, confidence = 0.9): string =>
  JSON.stringify({ action, reason: 'because', confidence });
