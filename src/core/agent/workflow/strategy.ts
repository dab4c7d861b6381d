/** How a model is asked: by a choice of letters, or by tool calls of its own. */
import type { LlmProvider } from '../llm/provider.ts';
import { isLocal } from '../llm/providers.ts';
import { asProven, probeTools } from '../llm/tool-probe.ts';
import type { Strategy } from './workflow.ts';

/** Tokens: a loop with a few results does not fit into less. */
export const LEAST_CONTEXT = 16_384;

/**
 * `auto` goes by what the model can do: what a check has proven goes before what its server says of it, and that before
 * whose machine it is on. A strategy that was set is kept where the model can do it at all.
 */
export function pickStrategy(
  setting: 'auto' | Strategy,
  provider: Pick<LlmProvider, 'name' | 'behind' | 'capabilities' | 'proven'>,
): Strategy {
  if (setting === 'choice') return 'choice';
  const { nativeTools, jsonSchema, grammar, contextLength } = provider.capabilities;
  if (!nativeTools && !jsonSchema && !grammar) return 'choice';
  if (setting === 'tools') return 'tools';
  const able = provider.proven ?? (nativeTools || !isLocal(provider.behind ?? provider.name));
  return able && contextLength >= LEAST_CONTEXT ? 'tools' : 'choice';
}

/**
 * The provider with what a small request found out, where `auto` would go by it: one whose context is too short for calls
 * is not asked. As it is where that could not be told.
 */
export async function provenWhereItCounts(provider: LlmProvider, timeoutMs: number): Promise<LlmProvider> {
  // What it can do is known of some only once they were asked.
  const called =
    provider.capabilities.contextLength < LEAST_CONTEXT ? null : await probeTools(provider.complete, { timeoutMs });
  return asProven(provider, called?.ok ? called.value : null);
}
