/** The worker's model: what accession.toml names, else the server's broker. */
import { providerOf } from '#adapters/llm/providers/providers.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { Settings } from '#core/config.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { FileConfig } from '#server/config-file.ts';
import { createKeySource } from '#server/llm/key-source.ts';
import { askKey, withRenewedKey } from '#server/llm/renewed-key.ts';

/** Its key comes from the file or the command that the file names; it is in memory alone. */
export async function openWorkModel(
  settings: Settings,
  { llm }: FileConfig,
  http: HttpOptions,
): Promise<Result<LlmProvider>> {
  const { openInNode } = providerOf(settings.llm_provider);
  if (openInNode === undefined) return fail(failure('model_missing', 'accession.toml names no model for this worker.'));
  const keys = createKeySource(llm?.key ?? { kind: 'none' });
  const clock = { now: () => Date.now() };
  const opened = await openInNode(settings, { clock, server: http, key: askKey(keys) });
  return opened.ok ? ok(withRenewedKey(keys, opened.value.provider)) : opened;
}
