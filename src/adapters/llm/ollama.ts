/** Ollama by its native interface: https://github.com/ollama/ollama/blob/main/docs/api.md */
import type { CancelSignal } from '#core/cancel.ts';
import type { Capabilities, LlmProvider } from '#core/agent/llm/provider.ts';
import type { FailureCode } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { ollamaBase } from './address.ts';
import { fetchAnswer, toCompletion } from './answer.ts';
import { contextOf, getJson, type Wire, type WireOptions } from './call.ts';
import { modelMissing, type Remedies } from './failures.ts';
import { runHealthCheck } from './health.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import { countIn, listIn, objectIn, textIn } from './json.ts';
import { createOllamaReader, ollamaRequest } from './ollama-wire.ts';

export interface OllamaOptions extends WireOptions {
  /** Tokens of prompt and answer; sent as `num_ctx` with every call. */
  contextLength: number;
  /** Answers in one piece; streamed unless false. */
  stream?: boolean;
  /** What an earlier check found out. */
  capabilities?: Partial<Capabilities>;
}

const LIST_MS = 15_000;
const REMEDIES: Remedies = {
  allowOrigin: (origin) => `Set OLLAMA_ORIGINS=${origin} for Ollama and start it again.`,
  fetchModel: (model) => `Run "ollama pull ${model}" on that machine`,
};

/** Takes the model to be as `options` say, until a check has asked the server about it. */
export function createOllama(options: OllamaOptions): LlmProvider {
  return createParts(options, true).provider;
}

/**
 * Asks the server first what the model can do, once: its context may be shorter than the one that is set, and older
 * versions would drop the front of a longer question unseen. A server that does not say is taken as it is set; one that
 * could not be asked now is asked before the next question.
 */
export async function openOllama(options: OllamaOptions, signal?: CancelSignal): Promise<LlmProvider> {
  const { provider, learn } = createParts(options, false);
  await learn(LIST_MS, signal);
  return provider;
}

/** The server answered, if not what was asked. */
const SAYS_NOTHING: readonly FailureCode[] = ['model_error', 'model_missing'];

/** `learned`: nobody needs to ask what the model can do. */
function createParts(
  options: OllamaOptions,
  learned: boolean,
): { provider: LlmProvider; learn(timeoutMs: number, signal: CancelSignal | undefined): Promise<void> } {
  const base = ollamaBase(options.baseUrl);
  const wire: Wire = { base, model: options.model, server: 'Ollama', remedies: REMEDIES, options };
  const stream = options.stream ?? true;
  let known: Capabilities = {
    contextLength: options.contextLength,
    nativeTools: false,
    jsonSchema: true,
    grammar: true,
    logprobs: true,
    streaming: stream,
    ...options.capabilities,
  };

  async function look(timeoutMs: number, signal: CancelSignal | undefined): Promise<Result<Capabilities>> {
    const found = await showOllama(wire, options.contextLength, timeoutMs, signal);
    if (found.ok) known = { ...known, ...found.value };
    learned ||= found.ok || SAYS_NOTHING.includes(found.failure.code);
    return found.ok ? ok(known) : found;
  }

  async function learn(timeoutMs: number, signal: CancelSignal | undefined): Promise<void> {
    if (!learned) await look(timeoutMs, signal);
  }

  const complete: LlmProvider['complete'] = async (messages, tools, asked) => {
    await learn(Math.min(LIST_MS, asked.timeoutMs), asked.signal);
    const body = ollamaRequest(options.model, messages, tools, asked, {
      contextLength: known.contextLength,
      stream,
      logprobs: known.logprobs,
    });
    const answer = await fetchAnswer(wire, { path: '/api/chat', body }, asked, createOllamaReader);
    if (!answer.ok) return answer;
    const { raw, ...turn } = answer.value;
    return toCompletion(raw, { ...turn, messages, options: asked, contextLength: known.contextLength });
  };

  const provider: LlmProvider = {
    name: 'ollama',
    model: options.model,
    get capabilities() {
      return known;
    },
    complete,
    healthCheck: (signal, onStage) =>
      runHealthCheck(
        {
          clock: options.clock,
          where: `Ollama at ${wire.base ?? options.baseUrl}`,
          model: options.model,
          list: (cancel) => listOllama(wire, cancel),
          async look(models, cancel) {
            if (!models.some((name) => sameModel(name, options.model)))
              return fail(modelMissing(contextOf(wire), '', models));
            return look(LIST_MS, cancel);
          },
          complete,
          capabilities: () => known,
        },
        signal,
        onStage,
      ),
  };
  return { provider, learn };
}

/** `llama3.1` is `llama3.1:latest`. */
function sameModel(listed: string, wanted: string): boolean {
  return listed === wanted || listed === `${wanted}:latest`;
}

function listOllama(wire: Wire, signal: CancelSignal | undefined): Promise<Result<string[]>> {
  return getJson(wire, { method: 'GET', path: '/api/tags', timeoutMs: LIST_MS, signal }, (value) => {
    if (!isRecord(value) || !Array.isArray(value['models'])) return null;
    return value['models'].map((entry) => textIn(objectIn(entry)['name'])).filter((name) => name !== '');
  });
}

/** What this model can do. Its own context may be shorter than the one that was set. */
function showOllama(
  wire: Wire,
  wanted: number,
  timeoutMs: number,
  signal: CancelSignal | undefined,
): Promise<Result<Pick<Capabilities, 'contextLength' | 'nativeTools'>>> {
  const request = {
    method: 'POST',
    path: '/api/show',
    body: { model: wire.model },
    timeoutMs,
    signal,
  } as const;
  return getJson(wire, request, (value) => {
    if (!isRecord(value)) return null;
    const lengths = Object.entries(objectIn(value['model_info']))
      .filter(([name]) => name.endsWith('.context_length'))
      .map(([, length]) => countIn(length) ?? 0)
      .filter((length) => length > 0);
    return {
      contextLength: Math.min(wanted, ...lengths),
      nativeTools: listIn(value['capabilities']).includes('tools'),
    };
  });
}
