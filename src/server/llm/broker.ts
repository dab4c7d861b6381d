/**
 * The server's model for workstations: a chat is let in by the user's limits, passed on while the model writes, and
 * ended with the connection of the one who asked.
 *
 *   open --limits--> 429
 *        --stream--> text* -> done | failed     one line each, NDJSON
 *                    (the other side left: the upstream is aborted)
 */
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { CompletionResponse, LlmProvider } from '#core/agent/llm/provider.ts';
import type { ChatEvent, ChatRequest, EmbedAnswer, ModelsAnswer } from '#core/agent/llm/wire.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failure, toFailure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { Log } from '../log.ts';
import type { AskKey } from './renewed-key.ts';
import { createUpstream, embedderName, upstreamOfVectors } from './upstream.ts';
import { usageLimits, type Admission } from './usage-limits.ts';
import type { LlmConfig } from '../config-file.ts';
import type { Store } from '../store/store.ts';
import { createKeySource } from './key-source.ts';

/** An empty line this often keeps proxies from closing the connection of a model that thinks long. */
const HEARTBEAT_MS = 15_000;
/** Characters a token, roughly, where the upstream does not count. */
const CHARACTERS = 4;

/** How main.ts, which alone knows the adapters, makes the provider; it asks for the key before every request. */
export type MakeProvider = (llm: LlmConfig, key: AskKey) => LlmProvider;

/** The same for the model that makes vectors. */
export type MakeEmbedder = (llm: LlmConfig, key: AskKey) => Embedder;

interface BrokerParts {
  store: Store;
  clock: Clock;
  log: Log;
  provider: MakeProvider;
  /** Absent or null: no model for vectors is set up. */
  embedder?: MakeEmbedder | null;
  /** Milliseconds; the specification's ten seconds where it is not said. */
  keyCommandLimitMs?: number;
  heartbeatMs?: number;
}

export type Broker = ReturnType<typeof createServerBroker>;
type Refused = Extract<Admission, { ok: false }>;

/** The broker of what accession.toml says. */
export function createServerBroker(
  llm: LlmConfig,
  { store, clock, log, provider, embedder = null, keyCommandLimitMs: limitMs, heartbeatMs = HEARTBEAT_MS }: BrokerParts,
) {
  // Ends when the server stops, and with it the key's command.
  const stop = new AbortController();
  const keys = createKeySource(llm.key, { limitMs, signal: stop.signal });
  const upstream = createUpstream({ keys, baseUrl: llm.base_url, provider: (key) => provider(llm, key) });
  const vectors = embedder === null ? null : upstreamOfVectors(keys, llm.base_url, (key) => embedder(llm, key));
  const admit = usageLimits(llm.limits, clock, store);
  const running = new Set<Promise<void>>();

  const admitted = (user: string, chat: ChatRequest): Promise<Admission> =>
    admit(user, promptTokens(chat) + chat.max_tokens);

  /** Asks the model, gives its answer to `end`, and counts what it took. */
  async function run(
    user: string,
    chat: ChatRequest,
    settle: (tokens: number) => Promise<void>,
    left: AbortSignal,
    { text, end }: Listener,
  ): Promise<void> {
    const since = clock.now();
    let written = 0;
    const result = await ask(chat, AbortSignal.any([left, stop.signal]), (delta) => {
      written += delta.length;
      text(delta);
    });
    end(result);
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

  async function ask(
    { messages, tools, schema, seed, max_tokens: maxTokens, temperature = llm.temperature }: ChatRequest,
    signal: AbortSignal,
    onText: (delta: string) => void,
  ): Promise<Result<CompletionResponse>> {
    const timeoutMs = llm.timeout_secs * 1000;
    try {
      return await upstream.complete(messages, tools, {
        maxTokens,
        temperature,
        timeoutMs,
        signal,
        onText,
        schema,
        seed,
      });
    } catch (error) {
      // Providers do not throw. One that does may name anything in its words: only the kind of error is logged.
      const name = error instanceof Error ? error.name : '';
      log.error('a model provider threw', { code: toFailure(error).code, name });
      return fail(failure('model_error', 'The catalog server could not ask its model.'));
    }
  }

  function begin(...asked: Parameters<typeof run>): void {
    const work = run(...asked).finally(() => running.delete(work));
    running.add(work);
  }

  return {
    async models(): Promise<ModelsAnswer> {
      const failed = await upstream.look();
      const { model: id, capabilities } = upstream;
      return {
        provider: llm.provider,
        models: [{ id, capabilities }],
        embedding: llm.embedding_model ?? null,
        failure: failed,
      };
    },

    /** Begins a chat for a user. The model is asked whether or not the body is read; cancel the body to stop it. */
    async open(user: string, chat: ChatRequest): Promise<{ ok: true; body: ReadableStream<Uint8Array> } | Refused> {
      const admission = await admitted(user, chat);
      if (!admission.ok) return admission;
      const left = new AbortController();
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => begin(user, chat, admission.settle, left.signal, linesTo(controller, heartbeatMs)),
        cancel: () => left.abort(),
      });
      return { ok: true, body };
    },

    /** The same for work in this process: the answer in one. */
    async ask(
      user: string,
      chat: ChatRequest,
      signal?: CancelSignal,
    ): Promise<{ ok: true; result: Result<CompletionResponse> } | Refused> {
      const admission = await admitted(user, chat);
      if (!admission.ok) return admission;
      const left = new AbortController();
      signal?.addEventListener('abort', () => left.abort());
      const result = await new Promise<Result<CompletionResponse>>((end) => {
        begin(user, chat, admission.settle, left.signal, { text: () => undefined, end });
      });
      return { ok: true, result };
    },

    /** Provider and name of the model for vectors; null where none is set up. */
    embeddingName: vectors === null || !llm.embedding_model ? null : embedderName(llm),

    /** Vectors of texts for a user; null where no model for them is set up. They count like the prompt of a chat. */
    async embed(
      user: string,
      texts: readonly string[],
      signal?: AbortSignal,
    ): Promise<{ ok: true; result: Result<EmbedAnswer> } | Refused | null> {
      const model = llm.embedding_model ?? null;
      if (vectors === null || model === null) return null;
      const tokens = Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / CHARACTERS);
      const admission = await admit(user, tokens);
      if (!admission.ok) return admission;
      const since = clock.now();
      const result = await vectors.embed(
        texts,
        signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
      );
      const status = result.ok ? 'done' : result.failure.code;
      log.info('model vectors', { user, model, texts: texts.length, ms: clock.now() - since, status });
      await admission.settle(tokens);
      if (!result.ok) return { ok: true, result };
      return { ok: true, result: ok({ model, vectors: result.value.map(shortened) }) };
    },

    /** Ends what is under way; resolves when all of it is counted. */
    async close(): Promise<void> {
      stop.abort();
      await Promise.all(running);
    },
  };
}

/** Six digits: more says nothing in a vector of length 1, and triples what is sent. */
const shortened = (vector: Float32Array): number[] => Array.from(vector, (one) => Number(one.toFixed(6)));

/** Who hears an answer. */
interface Listener {
  text: (delta: string) => void;
  end: (result: Result<CompletionResponse>) => void;
}

/** The lines of one answer. What comes after the end, or after the reader has left, is dropped. */
function linesTo(controller: ReadableStreamDefaultController<Uint8Array>, heartbeatMs: number): Listener {
  const encoder = new TextEncoder();
  let open = true;
  const send = (text: string): void => {
    if (!open) return;
    try {
      controller.enqueue(encoder.encode(text));
    } catch {
      // The reader has cancelled.
      open = false;
    }
  };
  const write = (event: ChatEvent): void => send(`${JSON.stringify(event)}\n`);
  const beat = setInterval(() => send('\n'), heartbeatMs).unref();
  return {
    text: (delta) => write({ type: 'text', delta }),
    end(result) {
      clearInterval(beat);
      write(result.ok ? { type: 'done', response: result.value } : { type: 'failed', failure: result.failure });
      if (open) controller.close();
      open = false;
    },
  };
}

/** At most, as a reserve: messages, tools and schema by their length. */
function promptTokens({ messages, tools, schema }: ChatRequest): number {
  return Math.ceil(JSON.stringify({ messages, tools, schema }).length / CHARACTERS);
}

function answerLength(response: CompletionResponse): number {
  return JSON.stringify(response.message).length;
}
