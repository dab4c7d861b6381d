/**
 * llama.cpp in WebAssembly, on the processor. The library runs it in a worker of its own, so that this thread can be
 * asked to stop between two tokens. Loaded by dynamic import only.
 */
import { Wllama, type ChatCompletionChunk } from '@wllama/wllama/esm/index.js';
import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import { failure, type Failure, toFailure, AccessionError, messageOf } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { type AnswerText, collectAnswer, type Ending, plainMessages, type Engine } from './engine.ts';
import { schemaToGrammar } from './grammar.ts';

export interface WllamaModel {
  id: string;
  /** The GGUF; its bytes are read when they are needed. */
  file: Blob;
  /** Tokens wished for; the model's own training length is the limit. */
  contextLength: number;
  /** Loaded for vectors of texts instead of answers. */
  embeds?: boolean;
}

/** Fails with `model_error`, or `model_damaged` when the file is no model that llama.cpp knows. */
export async function openWllama({ id, file, contextLength, embeds = false }: WllamaModel): Promise<Result<Engine>> {
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
      // How its words become one vector is the model's own business: its file says so.
      ...(embeds ? { embeddings: true } : {}),
      ...(self.crossOriginIsolated ? {} : { n_threads: 1 }),
    });
  } catch (thrown) {
    await wllama.exit();
    const words = errors.take() || toFailure(thrown).message;
    return fail(failure('model_damaged', `The model "${id}" cannot be loaded (${words}).`));
  }
  const { n_ctx, n_ctx_train } = wllama.getLoadedContextInfo();
  const engine = engineOf(wllama, errors, id, Math.min(n_ctx, n_ctx_train));
  return ok(embeds ? { ...engine, embed: embedderOf(wllama, errors, id) } : engine);
}

function engineOf(wllama: Wllama, errors: LastError, id: string, contextLength: number): Engine {
  return {
    contextLength,
    answer(request, onText, signal) {
      const stop = new AbortController();
      const interrupt = (): void => stop.abort();
      const ask = async (answer: AnswerText): Promise<Ending> => {
        const seen: Ending = { finish: null, tokens_in: null, tokens_out: null };
        await wllama.createChatCompletion({
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
            if (answer.padded) interrupt();
          },
        });
        return seen;
      };
      return collectAnswer(id, { onText, signal, interrupt }, ask, inWords);
    },
    close: () => wllama.exit(),
  };

  function inWords(thrown: unknown): Failure {
    if (thrown instanceof AccessionError) return thrown.failure;
    // What llama.cpp threw is on its log alone; the library then trips over the answer that is not there.
    const text = [errors.take(), messageOf(thrown)].filter(Boolean).join('; ');
    if (/context (size|length)|exceeds? the (available )?context/i.test(text))
      return failure('model_context_full', `The question does not fit the ${contextLength} tokens of "${id}".`);
    if (thrown instanceof Error && thrown.name === 'RuntimeError')
      return failure('worker_died', `The model "${id}" stopped unexpectedly (${text}).`);
    return failure('model_error', `The model "${id}" failed (${text}).`);
  }
}

/** One text at a time: of several the library answers the first alone. */
function embedderOf(wllama: Wllama, errors: LastError, id: string): NonNullable<Engine['embed']> {
  return async (text) => {
    try {
      const { data } = await wllama.createEmbedding({ input: text, encoding_format: 'float' });
      const vector = data[0]?.embedding;
      if (Array.isArray(vector)) return ok(vector);
      return fail(failure('model_error', `The model "${id}" makes no vectors (${errors.take() || 'no answer'}).`));
    } catch (thrown) {
      const words = [errors.take(), messageOf(thrown)].filter(Boolean).join('; ');
      return fail(failure('model_error', `The model "${id}" made no vector (${words}).`));
    }
  };
}

function note({ choices, usage, timings }: ChatCompletionChunk, seen: Ending): void {
  const reason = choices[0]?.finish_reason ?? null;
  if (reason !== null) seen.finish = reason === 'length' ? 'max_tokens' : 'stop';
  if (timings !== undefined) {
    seen.tokens_in = timings.prompt_n + timings.cache_n;
    seen.tokens_out = timings.predicted_n;
  }
  if (usage !== undefined && usage !== null) {
    seen.tokens_in = usage.prompt_tokens;
    seen.tokens_out = usage.completion_tokens;
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
