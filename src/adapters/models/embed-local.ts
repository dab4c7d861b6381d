/** Vectors by a model that runs in this browser (wllama), in a worker of its own. */
import { VectorReader, type Embedder } from '#core/agent/llm/embedder.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failure, toFailure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import type { ModelSession } from './model-api.ts';

/** Tokens of a text: pieces of the library have 1,000 characters. */
const CONTEXT = 2_048;

/** Resolves when it is cancelled; never without a signal. */
const cancelled = (signal: CancelSignal | undefined): Promise<Result<never>> =>
  new Promise((resolve) => {
    const end = (): void => resolve(fail(failure('cancelled', 'The question to the model was cancelled.')));
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end);
  });

/** `open`: a worker of models. It is opened by the first text and stays until `close`. */
export function embedInBrowser({ id, open }: { id: string; open: () => ModelSession }): Embedder {
  const reader = new VectorReader(id);
  let session: ModelSession | null = null;
  return {
    name: `wllama/${id}`,
    async embed(texts, signal) {
      const held = (session ??= open());
      const choice = { engine: 'wllama', id, contextLength: CONTEXT, embeds: true } as const;
      const vectors: unknown[] = [];
      // The library answers the first of several texts alone.
      for (const text of texts) {
        const died = held.died.then(({ message }): Result<never> => {
          if (session === held) session = null;
          return fail(failure('worker_died', `The model "${id}" stopped unexpectedly (${message}).`));
        });
        const answer = await Promise.race([
          held.api.embed(choice, text).catch((thrown: unknown): Result<never> => fail(toFailure(thrown))),
          died,
          cancelled(signal),
        ]);
        if (!answer.ok) return answer;
        vectors.push(answer.value);
      }
      return reader.read(vectors, texts.length);
    },
    close() {
      session?.terminate();
      session = null;
    },
  };
}
