/** Who answers in agent-eval, from what was said on the command line. */
import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import type { Cassette } from '#adapters/llm/cassette.ts';
import type { OllamaOptions } from '#adapters/llm/ollama.ts';
import type { OpenAiOptions } from '#adapters/llm/openai.ts';
import type { Capabilities, LlmProvider } from '#core/agent/llm/provider.ts';
import { AccessionError, failure, toFailure } from '#core/errors.ts';
import type { OpenedModel } from './agent-eval.ts';
import type { ProviderName } from './eval/choices.ts';
import { readText } from './eval/json-lines.ts';
import { createScripted } from './eval/scripted.ts';

export interface ModelFlags {
  provider: ProviderName;
  baseUrl?: string;
  model?: string;
  /** Tokens. */
  context: number;
  cassette?: string;
  record?: string;
}

/** Built by main.ts, the one place of the command line that knows adapters. */
export interface ModelAdapters {
  ollama(options: OllamaOptions): Promise<LlmProvider>;
  openai(options: OpenAiOptions): Promise<LlmProvider>;
  recorded(cassette: Cassette, capabilities: Partial<Capabilities>): Promise<LlmProvider>;
  record(provider: LlmProvider, cassette: Cassette): Promise<LlmProvider>;
  cassette(): Promise<v.GenericSchema<unknown, Cassette>>;
  wllama(options: { gguf: string; contextLength: number }): Promise<OpenedModel>;
}

/**
 * Throws AccessionError: `invalid` for flags that are missing, the adapters' own where a file, a server or a model is
 * not there.
 */
export async function openModel(flags: ModelFlags, adapters: ModelAdapters): Promise<OpenedModel> {
  const opened = await openPlain(flags, adapters);
  const { record } = flags;
  if (record === undefined) return opened;
  const cassette: Cassette = { version: 1, model: opened.provider.model, answers: {} };
  return {
    provider: await adapters.record(opened.provider, cassette),
    async close() {
      await opened.close();
      const { capabilities } = opened.provider;
      await writeFile(record, `${JSON.stringify({ ...cassette, capabilities })}\n`);
    },
  };
}

async function openPlain(flags: ModelFlags, adapters: ModelAdapters): Promise<OpenedModel> {
  switch (flags.provider) {
    case 'scripted':
      return kept(createScripted({ obedient: false }));
    case 'scripted-obedient':
      return kept(createScripted({ obedient: true }));
    case 'recorded':
      return kept(await openRecorded(wanted(flags.cassette, '--cassette'), adapters));
    case 'wllama':
      return adapters.wllama({ gguf: wanted(flags.model, '--model'), contextLength: flags.context });
    case 'ollama':
      return reached(await adapters.ollama(wireOptions(flags)));
    case 'openai':
      return reached(await adapters.openai(wireOptions(flags)));
  }
}

function wireOptions(flags: ModelFlags): OllamaOptions & OpenAiOptions {
  const key = process.env['ACCESSION_MODEL_KEY'];
  return {
    baseUrl: flags.baseUrl ?? '',
    model: wanted(flags.model, '--model'),
    clock: { now: () => Date.now() },
    contextLength: flags.context,
    ...(key ? { key } : {}),
  };
}

/** A server that is not there would fail every question alike: that is said once, at the start. */
async function reached(provider: LlmProvider): Promise<OpenedModel> {
  const report = await provider.healthCheck();
  const missing = report.stages.find(
    ({ stage, ok }) => !ok && (stage === 'reachable' || stage === 'permitted' || stage === 'model'),
  );
  if (missing !== undefined) throw new AccessionError(missing.failure ?? failure('model_error', missing.said));
  return kept(provider);
}

function kept(provider: LlmProvider): OpenedModel {
  return { provider, close: () => Promise.resolve() };
}

/** What the recorded model could do goes with the answers: the questions are put the same way only then. */
const RecordedSchema = v.object({
  capabilities: v.optional(
    v.object({
      contextLength: v.exactOptional(v.number()),
      nativeTools: v.exactOptional(v.boolean()),
      jsonSchema: v.exactOptional(v.boolean()),
      grammar: v.exactOptional(v.boolean()),
    }),
    {},
  ),
});

async function openRecorded(path: string, adapters: ModelAdapters): Promise<LlmProvider> {
  try {
    const json: unknown = JSON.parse(await readText(path));
    const cassette = v.parse(await adapters.cassette(), json);
    const { capabilities } = v.parse(RecordedSchema, json);
    return await adapters.recorded(cassette, capabilities);
  } catch (error) {
    if (error instanceof AccessionError) throw error;
    throw new AccessionError(failure('invalid', `"${path}" is no cassette: ${toFailure(error).message}.`));
  }
}

function wanted(value: string | undefined, flag: string): string {
  if (value !== undefined && value !== '') return value;
  throw new AccessionError(failure('invalid', `This provider needs ${flag}.`, { remedy: 'Say it and run it again.' }));
}
