import type { CancelSignal } from '../cancel.ts';
import type { Result } from '../result.ts';
import type { LlmProvider } from './llm/provider.ts';
import type { ExecutorOptions } from './workflow/ports.ts';
import type { Strategy } from './workflow/workflow.ts';

/** The model that a batch's doubts are put to, as the settings are now. */
export interface AgentModel {
  /** `ollama`, ... */
  provider: string;
  model: string;
  recorded: boolean;
  /** It runs on a machine of somebody else's: two questions at a time may be put. */
  hosted: boolean;
  strategy: Strategy | 'auto';
  /** Differs when anything differs that an answer could depend on. */
  fingerprint: string;
  options: ExecutorOptions;
  /** The same doubt is put in the same words each time. */
  seed: number | null;
  /** The provider, ready to be asked: a model of this browser is loaded. */
  open(signal?: CancelSignal): Promise<Result<LlmProvider>>;
}
