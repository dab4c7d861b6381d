/** The model that a command asks, from what was said on the command line. */
import { providers } from '#adapters/llm/providers/providers.ts';
import { recordToFile } from '#adapters/llm/providers/recorded.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { AccessionError, failed, failure } from '#core/errors.ts';

/** Providers that every command may open, those that need no catalog server; recorded answers first in the help. */
export const MODEL_PROVIDERS: readonly string[] = providers
  .filter((one) => one.openInNode && one.place !== 'catalog')
  .sort((a, b) => Number(b.place === 'recording') - Number(a.place === 'recording'))
  .map(({ id }) => id);

/** The opened model. `close` writes what was recorded and ends what was started for it. */
export interface OpenedModel {
  provider: LlmProvider;
  close(): Promise<void>;
}

export interface ModelFlags {
  /** One of `MODEL_PROVIDERS`, or a lane's own. */
  provider: string;
  baseUrl?: string;
  model?: string;
  /** Tokens. */
  context: number;
  cassette?: string;
  record?: string;
}

/**
 * @param own models that a command brings itself, by name
 * Throws AccessionError: `invalid` for flags that are missing, the provider's own where a file, a server or a model is
 * not there.
 */
export async function openModel(
  flags: ModelFlags,
  own: Readonly<Record<string, () => LlmProvider>> = {},
): Promise<OpenedModel> {
  const made = own[flags.provider]?.();
  const opened = made === undefined ? await openPlain(flags) : { provider: made, close: () => Promise.resolve() };
  return flags.record === undefined ? opened : recordToFile(opened, flags.record);
}

async function openPlain(flags: ModelFlags): Promise<OpenedModel> {
  const provider = providers.find(({ id }) => id === flags.provider);
  if (provider?.openInNode === undefined) throw failed('invalid', `There is no provider "${flags.provider}".`);
  const opened = await provider.openInNode(
    {
      llm_base_url: flags.baseUrl ?? '',
      llm_model: provider.place === 'recording' ? wanted(flags.cassette, '--cassette') : wanted(flags.model, '--model'),
      llm_context_length: flags.context,
    },
    {
      clock: { now: () => Date.now() },
      server: null,
      key: () => Promise.resolve(process.env['ACCESSION_MODEL_KEY'] || null),
      forCheck: true,
    },
  );
  if (!opened.ok) throw new AccessionError(opened.failure);
  if (provider.place === 'server') await reach(opened.value.provider);
  return opened.value;
}

/** A server that is not there would fail every question alike: that is said once, at the start. */
async function reach(provider: LlmProvider): Promise<void> {
  const report = await provider.healthCheck();
  const missing = report.stages.find(
    ({ stage, ok }) => !ok && (stage === 'reachable' || stage === 'permitted' || stage === 'model'),
  );
  if (missing !== undefined) throw new AccessionError(missing.failure ?? failure('model_error', missing.said));
}

function wanted(value: string | undefined, flag: string): string {
  if (value !== undefined && value !== '') return value;
  throw failed('invalid', `This provider needs ${flag}.`, { remedy: 'Say it and run it again.' });
}
