/** OpenAI, and what speaks like it: OpenRouter, vLLM, llama.cpp, LM Studio, Together, ... */
import type { CancelSignal } from '#core/cancel.ts';
import type { Capabilities, LlmProvider } from '#core/agent/llm/provider.ts';
import type { Failure } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import { openAiBase } from './address.ts';
import { fetchAnswer, toCompletion } from './answer.ts';
import { getJson, type Wire, type WireOptions } from './call.ts';
import { runHealthCheck } from './health.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import { objectIn, textIn } from './json.ts';
import { createOpenAiReader, openAiRequest, type OpenAiSettings, SCHEMA_MODES } from './openai-wire.ts';

export interface OpenAiOptions extends WireOptions {
  /** Tokens of prompt and answer, for whoever measures a prompt; this wire has no field for it. */
  contextLength: number;
  /** Answers in one piece; streamed unless false. */
  stream?: boolean;
  /** Whether a check may ask a question, and spend its tokens, to find a model that no list names; true unless said. */
  asksToFind?: boolean;
  /** What an earlier check found out. */
  capabilities?: Partial<Capabilities>;
}

type Complete = LlmProvider['complete'];

const LIST_MS = 15_000;
/** What a server refuses is left out, one field after another. */
const CONCESSIONS = 6;

export function createOpenAi(options: OpenAiOptions): LlmProvider {
  const wire: Wire = { base: openAiBase(options.baseUrl), model: options.model, server: 'The model server', options };
  let settings: OpenAiSettings = {
    stream: options.stream ?? true,
    logprobs: options.capabilities?.logprobs ?? true,
    schemaMode: options.capabilities?.jsonSchema === false ? 'none' : 'json_schema',
    completionTokens: false,
    without: new Set(),
  };
  const capabilities = (): Capabilities => ({
    contextLength: options.contextLength,
    nativeTools: true,
    grammar: false,
    ...options.capabilities,
    jsonSchema: settings.schemaMode === 'json_schema' || settings.schemaMode === 'lean',
    logprobs: settings.logprobs && !settings.without.has('logprobs'),
    streaming: settings.stream,
  });

  const once: Complete = async (messages, tools, asked) => {
    const body = openAiRequest(options.model, messages, tools, asked, settings);
    const answer = await fetchAnswer(wire, { path: '/chat/completions', body }, asked, createOpenAiReader);
    if (!answer.ok) return answer;
    const { raw, ...turn } = answer.value;
    // Ended for lack of room long before the answer's own bound: it was the context that was full.
    const crowded = raw.reason === 'length' && raw.tokensOut !== null && raw.tokensOut < asked.maxTokens;
    const contextLength = crowded ? options.contextLength : null;
    return toCompletion(raw, { ...turn, messages, options: asked, contextLength });
  };

  const complete: Complete = async (messages, tools, asked) => {
    const started = options.clock.now();
    for (let conceded = 0; ; conceded += 1) {
      const left = asked.timeoutMs - (options.clock.now() - started);
      const result = await once(messages, tools, { ...asked, timeoutMs: Math.max(1, left) });
      if (result.ok || conceded === CONCESSIONS) return result;
      const body = openAiRequest(options.model, messages, tools, asked, settings);
      const next = concede(settings, body, result.failure);
      if (next === null) return result;
      settings = next;
    }
  };

  return {
    name: 'openai',
    model: options.model,
    get capabilities() {
      return capabilities();
    },
    complete,
    healthCheck: (signal, onStage) =>
      runHealthCheck(
        {
          clock: options.clock,
          where: `The model server at ${wire.base ?? options.baseUrl}`,
          model: options.model,
          list: (cancel) => listOpenAi(wire, cancel),
          async look(models, cancel) {
            if (models.includes(options.model) || options.asksToFind === false) return ok(capabilities());
            // Lists leave models out, and some servers take any name: only a question shows whether it is there.
            const asked = await complete([{ role: 'user', content: 'Say yes.' }], undefined, {
              maxTokens: 16,
              temperature: 0,
              timeoutMs: 120_000,
              signal: cancel,
            });
            return asked.ok || asked.failure.code === 'model_empty' ? ok(capabilities()) : asked;
          },
          complete,
          capabilities,
        },
        signal,
        onStage,
      ),
  };
}

/** Empty where the server keeps no list. */
async function listOpenAi(wire: Wire, signal: CancelSignal | undefined): Promise<Result<string[]>> {
  const list = await getJson(wire, { method: 'GET', path: '/models', timeoutMs: LIST_MS, signal }, (value) => {
    const entries = isRecord(value) ? (value['data'] ?? value['models']) : value;
    if (!Array.isArray(entries)) return null;
    return entries.map((entry) => textIn(objectIn(entry)['id'])).filter((id) => id !== '');
  });
  if (list.ok || !['model_error', 'model_missing'].includes(list.failure.code)) return list;
  return / \((?:404|405|501)\)/.test(list.failure.message) ? ok([]) : list;
}

/** Servers of one protocol differ in what they take. What one refuses by name is left out from then on. */

/** In the order in which they are given up. */
const OPTIONAL = ['stream_options', 'top_logprobs', 'logprobs', 'seed', 'temperature'] as const;

/**
 * The settings to try again with, or null where the failure is about something else. `body`: what was sent. Only a
 * refusal (400, 422, 501) counts: nothing was answered, so nothing is asked twice.
 */
export function concede(
  settings: OpenAiSettings,
  body: Readonly<Record<string, unknown>>,
  wrong: Failure,
): OpenAiSettings | null {
  if (wrong.code !== 'model_error' || !/ \((?:400|422|501)\)/.test(wrong.message)) return null;
  const said = wrong.message;
  if ('max_tokens' in body && /max_completion_tokens/.test(said)) return { ...settings, completionTokens: true };
  for (const name of OPTIONAL) {
    if (!(name in body) || !said.includes(name)) continue;
    const fields = name.includes('logprobs') ? ['logprobs', 'top_logprobs'] : [name];
    return { ...settings, without: new Set([...settings.without, ...fields]) };
  }
  if ('response_format' in body && /response_?format|json_?schema|json_?object|structured|schema|grammar/i.test(said)) {
    const next = SCHEMA_MODES[SCHEMA_MODES.indexOf(settings.schemaMode) + 1];
    return next === undefined ? null : { ...settings, schemaMode: next };
  }
  return null;
}
