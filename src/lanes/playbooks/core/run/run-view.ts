/** A run as a page shows it: steps as rows, units as cells. From its journal alone. */
import type { Fault } from '../faults.ts';
import { readPlaybook } from '../read/playbook.ts';
import type { Step } from '../read/playbook.types.ts';
import { metricsOf, type RunMetrics } from './metrics.ts';
import type { Past, PastStep } from './past.ts';

/** A unit, as one sign of `StepView.cells`. `skipped`: it failed and was left out; `begun`: it is under way, which it is
 * only while the run has no end. */
export const CELL_SIGNS = { done: 'd', failed: 'f', skipped: 's', begun: 'b', waiting: 'w' } as const;

export interface StepView {
  name: string;
  /** null: it was not reached, so that nobody knows. */
  units: number | null;
  done: number;
  /** A sign a unit, in their order. */
  cells: string;
  failed: number;
  /** Those that failed are left out, and the run goes on. */
  skips: boolean;
  /** The first `MOST_FAILURES` of them. */
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
  /** Milliseconds that are left of the step in hand, by what its units took so far; null: not known. */
  leftMs: number | null;
  playbook: string;
  /** Paths of the files that its closed steps wrote. */
  files: string[];
}

/** Failures that are told one by one. */
export const MOST_FAILURES = 20;
/** Units that must be over before the time that is left is told. */
const ENOUGH = 2;

export function runView(past: Past): RunView {
  const { head, end } = past;
  const { playbook } = readPlaybook(head.playbook);
  return {
    ...{ id: head.id, state: end?.state ?? null, error: end?.error ?? null, metrics: metricsOf(past) },
    ...{ limits: past.limits, playbook: head.playbook, leftMs: leftOf(past) },
    steps: (playbook?.steps ?? []).map((step, at) => stepView(step, past.steps.get(at), end !== null)),
    files: [...past.steps.values()].flatMap(({ closed }) => closed?.files.map(({ path }) => path) ?? []),
  };
}

function stepView({ name, raw }: Pick<Step, 'name' | 'raw'>, step: PastStep | undefined, isOver: boolean): StepView {
  const skips = raw['on_error'] === 'skip';
  if (step === undefined)
    return { name, units: null, done: 0, cells: '', failed: 0, skips, failures: [], closed: false };
  const { units, answers, failures, flows, closed } = step;
  const ofFailed = skips ? CELL_SIGNS.skipped : CELL_SIGNS.failed;
  let cells = '';
  for (let unit = 0; unit < units; unit++) {
    if (answers.has(unit)) cells += CELL_SIGNS.done;
    else if (failures.has(unit)) cells += ofFailed;
    else cells += flows.has(unit) && !isOver ? CELL_SIGNS.begun : CELL_SIGNS.waiting;
  }
  return {
    ...{ name, units, done: answers.size, cells, failed: failures.size, skips, closed: closed !== null },
    failures: [...failures]
      .map(([unit, fault]) => ({ unit, fault }))
      .sort((a, b) => a.unit - b.unit)
      .slice(0, MOST_FAILURES),
  };
}

function leftOf({ end, steps, elapsed }: Past): number | null {
  const step = [...steps.values()].find(({ closed }) => closed === null);
  if (end !== null || step === undefined || step.over < ENOUGH) return null;
  return ((elapsed - step.begun) / step.over) * (step.units - step.answers.size - step.failures.size);
}
