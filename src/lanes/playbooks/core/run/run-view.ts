/** A run as a page shows it: steps as rows, units as cells. From its journal alone. */
import type { Fault } from '../faults.ts';
import { readPlaybook } from '../read/playbook.ts';
import { metricsOf, type RunMetrics } from './metrics.ts';
import { pastOf, type Past } from './past.ts';

/** `r` was begun and has no end yet. */
export type Cell = 'done' | 'failed' | 'begun' | 'waiting';

export interface StepView {
  name: string;
  /** null: it was not reached, so that nobody knows. */
  units: number | null;
  done: number;
  /** Of the first `MOST_CELLS` units. */
  cells: Cell[];
  failures: { unit: number; fault: Fault }[];
  closed: boolean;
}

export interface RunView {
  id: string;
  /** null: it has no end: it runs, or was cut off. */
  state: string | null;
  error: Fault | null;
  metrics: RunMetrics;
  limits: Record<string, number>;
  steps: StepView[];
  playbook: string;
  /** Paths of the files that its closed steps wrote. */
  files: string[];
}

/** Cells that are drawn one by one; of more units only the counts are told. */
export const MOST_CELLS = 400;

/** Throws AccessionError `invalid` where the lines are no journal of a run. */
export function runView(lines: readonly unknown[]): RunView {
  const past = pastOf(lines);
  const { head, end } = past;
  const { playbook } = readPlaybook(head.playbook);
  return {
    ...{ id: head.id, state: end?.state ?? null, error: end?.error ?? null, metrics: metricsOf(past) },
    ...{ limits: past.limits, playbook: head.playbook },
    steps: (playbook?.steps ?? []).map(({ name }, at) => stepView(past, name, at)),
    files: [...past.steps.values()].flatMap(({ closed }) => closed?.files.map(({ path }) => path) ?? []),
  };
}

function stepView(past: Past, name: string, at: number): StepView {
  const step = past.steps.get(at);
  if (step === undefined) return { name, units: null, done: 0, cells: [], failures: [], closed: false };
  const cells = Array.from({ length: Math.min(step.units, MOST_CELLS) }, (_, unit): Cell => {
    if (step.answers.has(unit)) return 'done';
    if (step.failures.has(unit)) return 'failed';
    return step.flows.has(unit) ? 'begun' : 'waiting';
  });
  return {
    ...{ name, units: step.units, done: step.answers.size, cells, closed: step.closed !== null },
    failures: [...step.failures].map(([unit, fault]) => ({ unit, fault })).sort((a, b) => a.unit - b.unit),
  };
}
