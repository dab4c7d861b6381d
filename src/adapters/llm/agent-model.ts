import { type AgentModel, DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import type { CancelSignal } from '#core/cancel.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { asProven } from '#core/agent/llm/tool-probe.ts';
import { proofOf } from '#core/agent/llm/tool-proof.ts';
import { isModelSet } from '#core/agent/llm/providers.ts';
import type { Settings } from '#core/config.ts';
import { ok, type Result } from '#core/result.ts';
import { isHosted } from './providers/providers.ts';

/** What an answer could depend on: another value of one of these, and the question is put again. */
const DEPENDS_ON = [
  'llm_provider',
  'llm_base_url',
  'llm_model',
  'llm_strategy',
  'llm_context_length',
  'llm_temperature',
] as const satisfies readonly (keyof Settings)[];

/**
 * The model of the settings; null where none is set, which a provider without a model's name is too (the broker's server
 * names its own): AGENT-50. `open` is asked when its turn comes. */
export function modelOfSettings(
  settings: Settings,
  open: (fingerprint: string, signal?: CancelSignal) => Promise<Result<LlmProvider>>,
): AgentModel | null {
  const { llm_provider: provider, llm_model: model } = settings;
  if (!isModelSet(settings)) return null;
  const proof = proofOf(settings);
  const fingerprint = JSON.stringify([...DEPENDS_ON.map((key) => settings[key]), proof?.calls ?? null]);
  const timeoutMs = settings.llm_timeout_secs * 1000;
  return {
    provider,
    model,
    recorded: false,
    hosted: isHosted(settings),
    strategy: settings.llm_strategy,
    fingerprint,
    options: {
      temperature: settings.llm_temperature,
      timeoutMs,
      limits: {
        ...DEFAULT_LIMITS,
        iterations: settings.llm_max_iterations,
        tokens: settings.llm_max_tokens,
        cost: settings.llm_max_cost === 0 ? null : settings.llm_max_cost,
        // One slow answer that was allowed for must not be the bound by itself.
        wallMs: Math.max(DEFAULT_LIMITS.wallMs ?? 0, 3 * timeoutMs),
      },
      price: { in: settings.llm_price_in, out: settings.llm_price_out },
    },
    seed: null,
    async open(signal) {
      const opened = await open(fingerprint, signal);
      if (!opened.ok) return opened;
      // The catalog server may lend another model by now.
      return ok(asProven(opened.value, proof?.model === opened.value.model ? proof.calls : null));
    },
  };
}
