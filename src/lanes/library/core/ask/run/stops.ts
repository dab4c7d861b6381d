/**
 * When a run looks no further. The first that holds says why.
 *
 *   ASK-53 iterations, tokens, cost, confidence, a round that brought nothing new; no budget is passed by more than the
 *          call in hand
 */
import type { Spent } from '#core/agent/workflow/workflow.ts';
import type { StopIf } from '../question/question.types.ts';
import type { AskOptions } from './options.ts';
import type { AskStop, Round } from './states.ts';

/** `wished`: by the plan; it can only end a run earlier. */
export function stopAfter(round: Round, spent: Spent, options: AskOptions, wished: StopIf): AskStop | null {
  const { confidence, budgets } = options;
  const iterations = Math.min(options.iterations, Math.max(1, wished.iter ?? Infinity));
  const tokens = Math.min(budgets.tokens ?? Infinity, wished.tokens ?? Infinity);
  const used = spent.tokens_in + spent.tokens_out;
  const sure = Math.max(confidence ?? 0, wished.confidence ?? 0);
  if (confidence !== null && round.confidence >= sure)
    return {
      bound: 'confidence',
      sentence: `It is sure enough: ${round.confidence.toFixed(2)} of ${sure.toFixed(2)}.`,
    };
  if (confidence === null && round.sufficient)
    return { bound: 'sufficient', sentence: 'Every part of the question is answered.' };
  if (used >= tokens) return { bound: 'tokens', sentence: `The budget of ${tokens} tokens is used up.` };
  if (budgets.cost !== null && spent.cost >= budgets.cost)
    return { bound: 'cost', sentence: `The budget of $${budgets.cost} is used up.` };
  if (round.iter >= iterations)
    return {
      bound: 'iterations',
      sentence: `It looked ${iterations === 1 ? 'once' : `${iterations} times`}, as often as it may.`,
    };
  if (round.iter > 1 && round.added === 0)
    return { bound: 'nothing new', sentence: 'Looking once more brought nothing new.' };
  return null;
}
