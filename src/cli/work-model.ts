/** The worker's model: what accession.toml names, else the server's broker. */
import type { HttpOptions } from '#adapters/http/request.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { Settings } from '#core/config.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { FileConfig } from '#server/config-file.ts';
import { KeySource } from '#server/llm/key-source.ts';
import type { ModelAdapters } from './open-model.ts';

export interface WorkModelAdapters extends Pick<ModelAdapters, 'ollama' | 'openai'> {
  /** The server's own model. */
  broker(options: HttpOptions): Promise<Result<LlmProvider>>;
}

/** Its key comes from the file or the command that the file names; it is in memory alone. */
export async function openWorkModel(
  settings: Settings,
  { llm }: FileConfig,
  http: HttpOptions,
  adapters: WorkModelAdapters,
): Promise<Result<LlmProvider>> {
  if (settings.llm_provider === 'broker') return adapters.broker(http);
  if (llm === null) return fail(failure('model_missing', 'accession.toml names no model for this worker.'));
  const key = await new KeySource(llm.key).get();
  if (!key.ok) return key;
  const options = {
    baseUrl: llm.base_url,
    model: llm.model,
    contextLength: llm.context_length,
    clock: { now: () => Date.now() },
    ...(key.value === null ? {} : { key: key.value }),
  };
  return ok(llm.provider === 'ollama' ? await adapters.ollama(options) : await adapters.openai(options));
}
