/** The model that makes vectors, as commands of the library take it. */
import type { Command } from 'commander';
import { Option } from 'commander';
import { modelServer } from '#adapters/llm/providers/providers.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import { failed } from '#core/errors.ts';

export interface EmbedderFlags {
  embeddingProvider?: 'ollama' | 'openai';
  embeddingModel?: string;
  embeddingUrl?: string;
}

export const withEmbedderFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--embedding-provider <name>', 'who makes vectors of passages, for search by meaning').choices([
        'ollama',
        'openai',
      ]),
    )
    .option('--embedding-model <model>', 'its name there')
    .option('--embedding-url <url>', 'the address of its server; its key is ACCESSION_MODEL_KEY');

/** Null where none is named. Throws AccessionError `invalid` where its model is not said. */
export async function openEmbedder(flags: EmbedderFlags): Promise<Embedder | null> {
  const { embeddingProvider: provider, embeddingModel: model, embeddingUrl: baseUrl = '' } = flags;
  if (provider === undefined) return null;
  if (model === undefined)
    throw failed('invalid', 'Vectors need --embedding-model.', { remedy: 'Say it and run it again.' });
  const create = await modelServer(provider)?.loadEmbedder();
  const key = (): Promise<string | null> => Promise.resolve(process.env['ACCESSION_MODEL_KEY'] || null);
  return create?.({ baseUrl, model, clock: { now: () => Date.now() }, key }) ?? null;
}
