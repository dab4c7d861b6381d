/**
 * The server's model for workstations: a chat is let in by the user's limits, passed on while the model writes, and
 * ended with the connection of the one who asked.
 *
 *   open --limits--> 429
 *        --stream--> text* -> done | failed     one line each, NDJSON
 *                    (the other side left: the upstream is aborted)
 */
import type { CompletionOptions, LlmProvider, CompletionResponse } from '#core/agent/llm/provider.ts';
import type { ChatEvent, ChatRequest, ModelsAnswer } from '#core/agent/llm/wire.ts';
import { failure, toFailure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { fail, type Result } from '#core/result.ts';
import type { Log } from '../log.ts';
import type { AskKey } from './renewed-key.ts';
import { Upstream } from './upstream.ts';
import { type Limits, UsageLimits } from './usage-limits.ts';
import type { LlmConfig } from '../config-file.ts';
import type { Store } from '../store/store.ts';
import { KEY_COMMAND_LIMIT_MS, KeySource } from './key-source.ts';

/** An empty line this often keeps proxies from closing the connection of a model that thinks long. */
const HEARTBEAT_MS = 15_000;
/** Characters a token, roughly, where the upstream does not count. */
const CHARACTERS = 4;

export interface BrokerOptions {
  upstream: Upstream;
  limits: UsageLimits;
  /** `ollama` or `openai`. */
  provider: string;
  /** For chats that name none. */
  temperature: number;
  /** For one answer. */
  timeoutMs: number;
  clock: Clock;
  log: Log;
  /** Ends when the server stops, and with it the key's command. */
  stop: AbortController;
  heartbeatMs?: number;
}

export type Opened =
  { ok: true; body: ReadableStream<Uint8Array> } | { ok: false; limit: keyof Limits; retryAfterMs: number };

export class Broker {
  readonly #options: BrokerOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: BrokerOptions) {
    this.#options = options;
  }

  async models(): Promise<ModelsAnswer> {
    const { upstream, provider } = this.#options;
    const failed = await upstream.look();
    return { provider, models: [{ id: upstream.model, capabilities: upstream.capabilities }], failure: failed };
  }

  /** Begins a chat for a user. The model is asked whether or not the body is read; cancel the body to stop it. */
  async open(user: string, chat: ChatRequest): Promise<Opened> {
    const admission = await this.#options.limits.admit(user, promptTokens(chat) + chat.max_tokens);
    if (!admission.ok) return admission;
    const left = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const lines = new Lines(controller, this.#options.heartbeatMs ?? HEARTBEAT_MS);
        const run = this.#run(user, chat, lines, left.signal, admission.settle).finally(() => {
          this.#running.delete(run);
        });
        this.#running.add(run);
      },
      cancel: () => left.abort(),
    });
    return { ok: true, body };
  }

  /** Ends what is under way; resolves when all of it is counted. */
  async close(): Promise<void> {
    this.#options.stop.abort();
    await Promise.all(this.#running);
  }

  async #run(
    user: string,
    chat: ChatRequest,
    lines: Lines,
    left: AbortSignal,
    settle: (tokens: number) => Promise<void>,
  ): Promise<void> {
    const { log, clock, upstream } = this.#options;
    const since = clock.now();
    let written = 0;
    const signal = AbortSignal.any([left, this.#options.stop.signal]);
    const result = await this.#ask(chat, signal, (delta) => {
      written += delta.length;
      lines.write({ type: 'text', delta });
    });
    lines.end(result.ok ? { type: 'done', response: result.value } : { type: 'failed', failure: result.failure });
    const usage = result.ok ? result.value.usage : null;
    log.info('model call', {
      user,
      model: upstream.model,
      tokens_in: usage?.tokens_in ?? null,
      tokens_out: usage?.tokens_out ?? null,
      ms: clock.now() - since,
      status: result.ok ? 'done' : result.failure.code,
    });
    // What an upstream does not count, or was cut off before it could, is counted by length.
    const tokens_in = usage?.tokens_in ?? promptTokens(chat);
    const tokens_out = usage?.tokens_out ?? Math.ceil((result.ok ? answerLength(result.value) : written) / CHARACTERS);
    try {
      await settle(tokens_in + tokens_out);
    } catch (error) {
      log.error('the tokens of a model call could not be counted', { user, error: String(error) });
    }
  }

  async #ask(
    chat: ChatRequest,
    signal: AbortSignal,
    onText: (delta: string) => void,
  ): Promise<Result<CompletionResponse>> {
    const { temperature, timeoutMs, upstream, log } = this.#options;
    const options: CompletionOptions = {
      maxTokens: chat.max_tokens,
      temperature: chat.temperature ?? temperature,
      timeoutMs,
      signal,
      onText,
      schema: chat.schema,
      seed: chat.seed,
    };
    try {
      return await upstream.complete(chat.messages, chat.tools, options);
    } catch (error) {
      // Providers do not throw. One that does may name anything in its words: only the kind of error is logged.
      log.error('a model provider threw', {
        code: toFailure(error).code,
        name: error instanceof Error ? error.name : '',
      });
      return fail(failure('model_error', 'The catalog server could not ask its model.'));
    }
  }
}

/** The lines of one answer. What comes after the end, or after the reader has left, is dropped. */
class Lines {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #beat: NodeJS.Timeout;
  #open = true;

  constructor(controller: ReadableStreamDefaultController<Uint8Array>, heartbeatMs: number) {
    this.#controller = controller;
    this.#beat = setInterval(() => this.#send('\n'), heartbeatMs);
    this.#beat.unref();
  }

  write(event: ChatEvent): void {
    this.#send(`${JSON.stringify(event)}\n`);
  }

  end(event: ChatEvent): void {
    clearInterval(this.#beat);
    this.write(event);
    if (this.#open) this.#controller.close();
    this.#open = false;
  }

  #send(text: string): void {
    if (!this.#open) return;
    try {
      this.#controller.enqueue(this.#encoder.encode(text));
    } catch {
      // The reader has cancelled.
      this.#open = false;
    }
  }
}

/** At most, as a reserve: messages, tools and schema by their length. */
function promptTokens(chat: ChatRequest): number {
  const { messages, tools, schema } = chat;
  return Math.ceil(JSON.stringify({ messages, tools, schema }).length / CHARACTERS);
}

function answerLength(response: CompletionResponse): number {
  return JSON.stringify(response.message).length;
}

/** How main.ts, which alone knows the adapters, makes the provider; it asks for the key before every request. */
export type MakeProvider = (llm: LlmConfig, key: AskKey) => LlmProvider;

interface BrokerParts extends Pick<BrokerOptions, 'clock' | 'log'> {
  store: Store;
  provider: MakeProvider;
  /** Milliseconds; the specification's ten seconds where it is not said. */
  keyCommandLimitMs?: number;
  heartbeatMs?: number;
}

/** The broker of what accession.toml says. */
export function createServerBroker(llm: LlmConfig, parts: BrokerParts): Broker {
  const { store, clock, log } = parts;
  const stop = new AbortController();
  const keys = new KeySource(llm.key, {
    limitMs: parts.keyCommandLimitMs ?? KEY_COMMAND_LIMIT_MS,
    signal: stop.signal,
  });
  return new Broker({
    upstream: new Upstream({ keys, baseUrl: llm.base_url, provider: (key) => parts.provider(llm, key) }),
    limits: new UsageLimits(llm.limits, clock, store),
    provider: llm.provider,
    temperature: llm.temperature,
    timeoutMs: llm.timeout_secs * 1000,
    clock,
    log,
    stop,
    ...(parts.heartbeatMs === undefined ? {} : { heartbeatMs: parts.heartbeatMs }),
  });
}
