/**
 * llama.cpp in WebAssembly, on the processor. The library runs it in a worker of its own, so that this thread can be
 * asked to stop between two tokens. Loaded by dynamic import only.
 */
import { Wllama, type ChatCompletionChunk } from '@wllama/wllama/esm/index.js';
import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import type { CompletionResponse, FinishReason } from '#core/agent/llm/provider.ts';
import { failure, toFailure, AccessionError, messageOf } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { AnswerText, cancelledAnswer, paddingFailure, plainMessages, type Engine } from './engine.ts';
import { schemaToGrammar } from './grammar.ts';
import type { InferenceRequest } from './model-api.ts';

export interface WllamaModel {
  id: string;
  /** The GGUF; its bytes are read when they are needed. */
  file: Blob;
  /** Tokens wished for; the model's own training length is the limit. */
  contextLength: number;
}

/** Fails with `model_error`, or `model_damaged` when the file is no model that llama.cpp knows. */
export async function openWllama({ id, file, contextLength }: WllamaModel): Promise<Result<Engine>> {
  const errors = new LastError();
  const wllama = new Wllama({ default: wasmUrl }, { logger: errors });
  // The library would fetch its fallback for older browsers from somebody else's server.
  wllama.setCompat(null);
  try {
    await wllama.loadModel([file], {
      n_ctx: contextLength,
      // The processor only: graphics cards are WebLLM's.
      n_gpu_layers: 0,
      n_parallel: 1,
      ctx_shift: false,
      warmup: false,
      log_level: ERRORS_ONLY,
      reasoning: false,
      reasoning_format: 'none',
      ...(self.crossOriginIsolated ? {} : { n_threads: 1 }),
    });
  } catch (thrown) {
    await wllama.exit();
    const words = errors.take() || toFailure(thrown).message;
    return fail(failure('model_damaged', `The model "${id}" cannot be loaded (${words}).`));
  }
  const { n_ctx, n_ctx_train } = wllama.getLoadedContextInfo();
  return ok(new WllamaEngine(wllama, errors, id, Math.min(n_ctx, n_ctx_train)));
}

class WllamaEngine implements Engine {
  readonly contextLength: number;
  readonly #wllama: Wllama;
  readonly #errors: LastError;
  readonly #id: string;

  constructor(wllama: Wllama, errors: LastError, id: string, contextLength: number) {
    this.#wllama = wllama;
    this.#errors = errors;
    this.#id = id;
    this.contextLength = contextLength;
  }

  async answer(
    request: InferenceRequest,
    onText: (delta: string) => void,
    signal: AbortSignal,
  ): Promise<Result<CompletionResponse>> {
    const started = performance.now();
    const answer = new AnswerText(onText);
    const stop = new AbortController();
    const onAbort = (): void => stop.abort();
    signal.addEventListener('abort', onAbort);
    const seen: Seen = { finish: null, tokensIn: null, tokensOut: null };
    try {
      await this.#wllama.createChatCompletion({
        messages: plainMessages(request.messages),
        max_tokens: request.maxTokens,
        temperature: request.temperature,
        stream: true,
        abortSignal: stop.signal,
        cache_prompt: true,
        timings_per_token: false,
        chat_template_kwargs: { enable_thinking: false },
        ...(request.seed === null ? {} : { seed: request.seed }),
        ...(request.schema === null ? {} : { grammar: schemaToGrammar(request.schema.schema, { bounded: true }) }),
        onData: (chunk) => {
          note(chunk, seen);
          answer.add(chunk.choices[0]?.delta.content ?? '');
          if (answer.padded) stop.abort();
        },
      });
      const milliseconds = performance.now() - started;
      return answer.end(this.#id, seen.finish, { tokens_in: seen.tokensIn, tokens_out: seen.tokensOut, milliseconds });
    } catch (thrown) {
      if (signal.aborted) return cancelledAnswer(this.#id);
      if (answer.padded) return paddingFailure(this.#id);
      return fail(this.#inWords(thrown));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  close(): Promise<void> {
    return this.#wllama.exit();
  }

  #inWords(thrown: unknown): ReturnType<typeof failure> {
    if (thrown instanceof AccessionError) return thrown.failure;
    // What llama.cpp threw is on its log alone; the library then trips over the answer that is not there.
    const text = [this.#errors.take(), messageOf(thrown)].filter(Boolean).join('; ');
    if (/context (size|length)|exceeds? the (available )?context/i.test(text))
      return failure(
        'model_context_full',
        `The question does not fit the ${this.contextLength} tokens of "${this.#id}".`,
      );
    if (thrown instanceof Error && thrown.name === 'RuntimeError')
      return failure('worker_died', `The model "${this.#id}" stopped unexpectedly (${text}).`);
    return failure('model_error', `The model "${this.#id}" failed (${text}).`);
  }
}

interface Seen {
  finish: FinishReason | null;
  tokensIn: number | null;
  tokensOut: number | null;
}

function note({ choices, usage, timings }: ChatCompletionChunk, seen: Seen): void {
  const reason = choices[0]?.finish_reason ?? null;
  if (reason !== null) seen.finish = reason === 'length' ? 'max_tokens' : 'stop';
  if (timings !== undefined) {
    seen.tokensIn = timings.prompt_n + timings.cache_n;
    seen.tokensOut = timings.predicted_n;
  }
  if (usage !== undefined && usage !== null) {
    seen.tokensIn = usage.prompt_tokens;
    seen.tokensOut = usage.completion_tokens;
  }
}

/** llama.cpp's level of errors. */
const ERRORS_ONLY = 4;

/** A logger that keeps the last error and nothing else. */
class LastError {
  #words = '';

  debug(): void {}
  log(): void {}
  warn(): void {}
  error(...words: unknown[]): void {
    const text = words.filter((word) => typeof word === 'string').join(' ');
    if (text !== '') this.#words = text.slice(0, 300);
  }

  take(): string {
    const words = this.#words;
    this.#words = '';
    return words;
  }
}
