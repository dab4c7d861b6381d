import type { LlmProvider } from '../llm/provider.ts';
import { isLocal } from '../llm/providers.ts';
import type { Strategy } from './workflow.ts';

/** Tokens: a loop with a few results does not fit into less. */
const LEAST_CONTEXT = 16_384;

/** `auto` goes by what the model can do; a strategy that was set is kept where the model can do it at all. */
export function pickStrategy(
  setting: 'auto' | Strategy,
  provider: Pick<LlmProvider, 'name' | 'behind' | 'capabilities'>,
): Strategy {
  if (setting === 'choice') return 'choice';
  const { nativeTools, jsonSchema, grammar, contextLength } = provider.capabilities;
  if (!nativeTools && !jsonSchema && !grammar) return 'choice';
  if (setting === 'tools') return 'tools';
  return !isLocal(provider.behind ?? provider.name) && contextLength >= LEAST_CONTEXT ? 'tools' : 'choice';
}
