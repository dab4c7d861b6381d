/** What a run took: `metrics.json`. */
import { entriesOf } from '#core/agent/workflow/journal.ts';
import { stateOf } from './fold.ts';
import type { AskRun } from './transcript.ts';

export interface RoundMetrics {
  iter: number;
  tokens_in: number;
  tokens_out: number;
  /** Milliseconds in tools. */
  tool_latency_ms: number;
  docs_added: number;
  confidence: number | null;
}

export interface AskMetrics {
  iterations: RoundMetrics[];
  totals: {
    iterations: number;
    tokens_in: number;
    tokens_out: number;
    tokens: number;
    /** US dollars. */
    cost: number;
    tool_calls: number;
    /** Calls by tool. */
    tools: Record<string, number>;
    model_calls: number;
    /** Milliseconds in models and tools. */
    milliseconds: number;
    status: string | null;
    stopped_by: string | null;
  };
}

export function metricsOf(run: AskRun): AskMetrics {
  const { journal, spent } = run;
  const rounds = new Map<number, RoundMetrics>();
  const roundAt = (index: number): RoundMetrics => {
    const { iteration, phase } = stateOf(journal.slice(0, index));
    const iter = Math.max(1, iteration + (phase === 'plan_or_refine' ? 1 : 0));
    const usual = { iter, tokens_in: 0, tokens_out: 0, tool_latency_ms: 0, docs_added: 0, confidence: null };
    const round = rounds.get(iter) ?? usual;
    rounds.set(iter, round);
    return round;
  };
  for (const [index, entry] of journal.entries()) {
    if (entry.kind === 'model_ended') {
      const round = roundAt(index);
      round.tokens_in += entry.usage.tokens_in ?? 0;
      round.tokens_out += entry.usage.tokens_out ?? 0;
    } else if (entry.kind === 'tool_ended' || entry.kind === 'tool_failed')
      roundAt(index).tool_latency_ms += entry.milliseconds;
  }
  const state = stateOf(journal);
  for (const { iter, added, confidence } of state.rounds) {
    const usual = { iter, tokens_in: 0, tokens_out: 0, tool_latency_ms: 0 };
    rounds.set(iter, { ...(rounds.get(iter) ?? usual), docs_added: added, confidence });
  }
  const tools: Record<string, number> = {};
  for (const { tool } of entriesOf(journal, 'tool_started')) tools[tool] = (tools[tool] ?? 0) + 1;
  return {
    iterations: [...rounds.values()].sort((a, b) => a.iter - b.iter),
    totals: {
      iterations: state.rounds.length,
      tokens_in: spent.tokens_in,
      tokens_out: spent.tokens_out,
      tokens: spent.tokens_in + spent.tokens_out,
      cost: spent.cost,
      tool_calls: entriesOf(journal, 'tool_started').length,
      tools,
      model_calls: entriesOf(journal, 'model_started').length,
      milliseconds: spent.milliseconds,
      status: state.answer?.status ?? null,
      stopped_by: state.stop?.bound ?? null,
    },
  };
}
