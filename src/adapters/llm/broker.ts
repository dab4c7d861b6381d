/** The catalog server's model (POST /v1/llm/chat): the key stays there. */
import * as v from 'valibot';
import { chatRequest } from '#core/agent/llm/chat-request.ts';
import type {
  CompletionResponse,
  Message,
  ToolDefinition,
  Capabilities,
  CompletionOptions,
  LlmProvider,
} from '#core/agent/llm/provider.ts';
import type { CancelSignal } from '#core/cancel.ts';
import {
  CHAT_TYPE,
  type ChatEvent,
  ChatEventSchema,
  type ModelsAnswer,
  ModelsAnswerSchema,
} from '#core/agent/llm/wire.ts';
import { failure, type Failure, FAILURES } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { createSend, type HttpOptions, type Send } from '../http/request.ts';
import { createGuard, type Guard } from './guard.ts';
import { runHealthCheck } from './health.ts';
import { parseJson } from './json.ts';
import { createLineParser, MAX_ANSWER_CHARS, textOf } from './streams.ts';

export interface BrokerOptions extends HttpOptions {
  /** What GET /v1/llm/models said, when somebody has asked already. */
  known?: Known;
}

interface Known {
  /** The provider that the server asks (`ollama`, `openai`). */
  provider?: string;
  model: string;
  capabilities: Capabilities;
}

/** Until the server has said more: what every upstream of the broker can do. */
const USUAL: Capabilities = {
  contextLength: 8192,
  nativeTools: false,
  jsonSchema: true,
  grammar: false,
  logprobs: false,
  streaming: true,
};
const MODELS_TIMEOUT_MS = 10_000;
/** The server sends an empty line four times within this. */
const IDLE_MS = 60_000;
/** Behind the limit of the call, which has better words. */
const SLACK_MS = 2_000;

/** A provider over the server's model. `model` and `capabilities` are usual ones until `openBroker` or a check asked. */
export function createBroker(options: BrokerOptions): LlmProvider {
  const send = createSend(options);
  let known: Known = options.known ?? { model: '', capabilities: USUAL };
  const ask: LlmProvider['complete'] = (messages, tools, wanted) => complete(send, messages, tools, wanted);
  return {
    name: 'broker',
    get behind() {
      return known.provider;
    },
    get model() {
      return known.model;
    },
    get capabilities() {
      return known.capabilities;
    },
    complete: ask,
    healthCheck(signal, onStage) {
      let trouble: Failure | null = null;
      const parts = {
        clock: { now: options.now ?? Date.now },
        where: 'The catalog server',
        get model() {
          return known.model;
        },
        async list(cancel: CancelSignal | undefined) {
          const answer = await askModels(send, cancel);
          if (!answer.ok) return answer;
          known = firstOf(answer.value) ?? known;
          trouble = answer.value.failure;
          return ok(answer.value.models.map((model) => model.id));
        },
        look: () => Promise.resolve(trouble === null ? ok(known.capabilities) : fail(trouble)),
        complete: ask,
        capabilities: () => known.capabilities,
      };
      return runHealthCheck(parts, signal, onStage);
    },
  };
}

/** Asks the server for its model first: the provider then knows what it can do. */
export async function openBroker(options: HttpOptions, signal?: CancelSignal): Promise<Result<LlmProvider>> {
  const answer = await askModels(createSend(options), signal);
  if (!answer.ok) return answer;
  const known = firstOf(answer.value);
  if (known === null) return fail(failure('model_missing', 'The catalog server names no model.'));
  return ok(createBroker({ ...options, known }));
}

function firstOf({ provider, models }: ModelsAnswer): Known | null {
  const [first] = models;
  return first === undefined ? null : { provider, model: first.id, capabilities: first.capabilities };
}

async function askModels(send: Send, signal: CancelSignal | undefined): Promise<Result<ModelsAnswer>> {
  const guard = createGuard({ timeoutMs: MODELS_TIMEOUT_MS, idleMs: MODELS_TIMEOUT_MS, signal });
  try {
    const answer = await send({ method: 'GET', path: '/v1/llm/models', signal: guard.signal });
    if (!answer.ok) return fail(failureOfStop(guard, MODELS_TIMEOUT_MS) ?? asModelFailure(answer.failure));
    const models = v.safeParse(ModelsAnswerSchema, await answer.value.json());
    return models.success ? ok(models.output) : fail(strange());
  } catch {
    return fail(failureOfStop(guard, MODELS_TIMEOUT_MS) ?? strange());
  } finally {
    guard.release();
  }
}

async function complete(
  send: Send,
  messages: readonly Message[],
  tools: readonly ToolDefinition[] | undefined,
  wanted: CompletionOptions,
): Promise<Result<CompletionResponse>> {
  const { timeoutMs, signal } = wanted;
  const guard = createGuard({ timeoutMs, idleMs: IDLE_MS, signal });
  const stoppedOr = (other: Failure): Result<never> => fail(failureOfStop(guard, timeoutMs) ?? other);
  try {
    const answer = await send({
      method: 'POST',
      path: '/v1/llm/chat',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(chatRequest(messages, tools, wanted)),
      signal: guard.signal,
      timeoutMs: timeoutMs + SLACK_MS,
    });
    if (!answer.ok) return stoppedOr(asModelFailure(answer.failure));
    const last = await readAnswer(answer.value, wanted, guard);
    // An answer that was complete before the cancel took effect counts no more.
    return guard.stopped() === null ? last : stoppedOr(cut());
  } catch {
    // The body broke off: by us, or on its way.
    return stoppedOr(cut());
  } finally {
    guard.release();
  }
}

async function readAnswer(
  response: Response,
  wanted: CompletionOptions,
  guard: Guard,
): Promise<Result<CompletionResponse>> {
  // A portal's or proxy's page answers 200, too.
  if (response.headers.get('content-type')?.startsWith(CHAT_TYPE) !== true) {
    await response.body?.cancel();
    return fail(strange());
  }
  const lines = createLineParser();
  let size = 0;
  for await (const text of textOf(response.body, guard.touch)) {
    size += text.length;
    if (size > MAX_ANSWER_CHARS)
      return fail(
        failure('model_error', `The catalog server's model answered more than ${MAX_ANSWER_CHARS / 1000} kB.`, {
          remedy: 'Ask the administrator for another model. The question went to you instead.',
        }),
      );
    for (const line of lines.feed(text)) {
      const event = readEvent(line);
      if (event === null) return fail(strange());
      if (event.type === 'done') return ok(event.response);
      if (event.type === 'failed') return fail(event.failure);
      wanted.onText?.(event.delta);
    }
  }
  return fail(cut());
}

function readEvent(line: string): ChatEvent | null {
  const event = v.safeParse(ChatEventSchema, parseJson(line));
  return event.success ? event.output : null;
}

function failureOfStop(guard: Guard, timeoutMs: number): Failure | null {
  switch (guard.stopped()) {
    case null:
      return null;
    case 'cancelled':
      return cancelled();
    case 'idle':
      return failure('model_timeout', 'The catalog server stopped in mid-answer.', {
        remedy: 'Check the connection to the server, then press "Ask the model again" on the question.',
      });
    case 'timeout':
      return failure(
        'model_timeout',
        `The model of the catalog server was not done after ${Math.round(timeoutMs / 100) / 10} s.`,
      );
  }
}

/** What the server said about the request, as a provider's failure. */
export function asModelFailure(said: Failure): Failure {
  switch (said.code) {
    case 'cancelled':
    case 'rate_limited':
    case 'offline':
      return said;
    case 'unauthorized':
    case 'forbidden':
      // The remedy is the server's: its key is no business of this workstation.
      return failure('model_unauthorized', said.message, { remedy: FAILURES[said.code].remedy });
    case 'not_found':
      return failure('model_missing', 'The catalog server has no model to lend.', {
        remedy: 'Choose another provider in Settings, Model, or ask the administrator to set one up in accession.toml.',
      });
    case 'too_large':
      return failure('model_context_full', said.message);
    default:
      return failure('model_error', said.message, {
        remedy: 'Ask the administrator to look at the log of the catalog server.',
      });
  }
}

function cancelled(): Failure {
  return failure('cancelled', 'The question to the model was cancelled.');
}

function cut(): Failure {
  return failure('model_cut', 'The answer of the catalog server’s model broke off.');
}

function strange(): Failure {
  return failure('model_error', 'The answer was not one of a catalog server.', {
    remedy: 'Check the server address in Settings.',
  });
}
