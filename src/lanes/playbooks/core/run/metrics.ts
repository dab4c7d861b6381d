/** What a run took, from its journal. */
import type { Past } from './past.ts';

export interface RunMetrics {
  state: string;
  units: number;
  failed: number;
  model_calls: number;
  tool_calls: number;
  tokens: number;
  cost_usd: number;
  seconds: number;
  /** In answers: those that were looked up, and what of them was found where. */
  numbers: number;
  traced: number;
  untraced: number;
  steps: {
    step: number;
    units: number;
    done: number;
    failed: number;
    model_calls: number;
    tokens: number;
    records: number | null;
  }[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export function metricsOf(past: Past): RunMetrics {
  const steps = [...past.steps]
    .sort(([a], [b]) => a - b)
    .map(([step, { units, answers, failures, closed }]) => {
      const used = past.used.filter((one) => one.step === step);
      return {
        ...{ step, units, done: answers.size, failed: failures.size, records: closed?.records ?? null },
        model_calls: sum(used.map(({ model }) => model)),
        tokens: sum(used.map(({ tokens }) => tokens)),
      };
    });
  const traced = sum(past.numbers.map((one) => one.traced));
  const untraced = sum(past.numbers.map((one) => one.untraced));
  return {
    state: past.end?.state ?? 'open',
    units: sum(steps.map(({ done }) => done)),
    failed: sum(steps.map(({ failed }) => failed)),
    model_calls: sum(past.used.map(({ model }) => model)),
    tool_calls: sum(past.used.map(({ tool }) => tool)),
    tokens: sum(past.used.map(({ tokens }) => tokens)),
    cost_usd: sum(past.used.map(({ cost }) => cost)),
    seconds: past.elapsed / 1000,
    ...{ numbers: traced + untraced, traced, untraced },
    steps,
  };
}
