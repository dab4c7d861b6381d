/** What a run will cost, as far as that is known before it starts. */
import { estimateTokens } from '#core/agent/prompt/fit.ts';
import { PlaybookFault } from '../faults.ts';
import type { PlaybookModels } from '../run/ports.ts';
import type { OpenedStep } from './open-step.ts';
import type { Prepared } from './prepare.types.ts';
import { unitOf } from './unit.ts';

export interface Estimate {
  units: number;
  /** Of the model, if none is asked again. */
  calls: number;
  /** Of the prompts, estimated. */
  tokens: number;
  /** US dollars of those tokens; answers are not counted. */
  cost_usd: number;
  /** Steps whose units are known when they are reached. */
  unknown: string[];
}

/** Units of which the prompts are looked at; of more, the mean is taken. */
const SAMPLE = 200;

export function estimateOf(
  prepared: Prepared,
  opened: ReadonlyMap<number, OpenedStep>,
  models: PlaybookModels,
): Estimate {
  const total: Estimate = { units: 0, calls: 0, tokens: 0, cost_usd: 0, unknown: [] };
  for (const step of prepared.steps) {
    const inputs = opened.get(step.step.at);
    if (inputs === undefined) {
      total.unknown.push(step.step.name);
      continue;
    }
    const sample = inputs.frames.slice(0, SAMPLE).map((frame) => {
      try {
        const unit = unitOf(prepared, step, frame, () => undefined);
        return unit.tool === null ? estimateTokens(unit.user) + estimateTokens(unit.system ?? '') : 0;
      } catch (error) {
        if (error instanceof PlaybookFault) return 0;
        throw error;
      }
    });
    const { length } = inputs.frames;
    const mean = sample.reduce((sum, one) => sum + one, 0) / Math.max(1, sample.length);
    total.units += length;
    if (step.step.raw['tool'] === undefined) total.calls += length;
    total.tokens += Math.round(mean * length);
  }
  total.cost_usd = (total.tokens * models.price.in) / 1_000_000;
  return total;
}
