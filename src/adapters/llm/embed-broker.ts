/** Vectors by the model that the catalog server lends for them (POST /v1/llm/embed). */
import * as v from 'valibot';
import { VectorReader, type Embedder } from '#core/agent/llm/embedder.ts';
import { EmbedAnswerSchema } from '#core/agent/llm/wire.ts';
import { failure, type Failure } from '#core/errors.ts';
import { fail } from '#core/result.ts';
import { createSend, type HttpOptions } from '../http/request.ts';
import { asModelFailure } from './broker.ts';
import { createGuard } from './guard.ts';

const TIMEOUT_MS = 120_000;

/** `model`: as the server names it; another one in an answer is refused, so that two are never mixed. */
export function embedByBroker(options: HttpOptions & { model: string }): Embedder {
  const send = createSend(options);
  const { model } = options;
  const reader = new VectorReader(model);
  return {
    name: `broker/${model}`,
    async embed(texts, signal) {
      const guard = createGuard({ timeoutMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, signal });
      const stopped = (): Failure | null => {
        if (guard.stopped() === 'cancelled') return failure('cancelled', 'The question to the model was cancelled.');
        if (guard.stopped() === null) return null;
        return failure('model_timeout', `The model of the catalog server was not done after ${TIMEOUT_MS / 1000} s.`);
      };
      try {
        const answer = await send({
          method: 'POST',
          path: '/v1/llm/embed',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ texts }),
          signal: guard.signal,
          timeoutMs: TIMEOUT_MS,
        });
        if (!answer.ok) return fail(stopped() ?? asModelFailure(answer.failure));
        const read = v.safeParse(EmbedAnswerSchema, await answer.value.json());
        if (!read.success) return fail(failure('model_error', 'The answer was not one of a catalog server.'));
        if (read.output.model !== model)
          return fail(
            failure('model_missing', `The catalog server has another model for vectors now: "${read.output.model}".`),
          );
        return reader.read(read.output.vectors, texts.length);
      } catch {
        return fail(stopped() ?? failure('model_cut', 'The answer of the catalog server’s model broke off.'));
      } finally {
        guard.release();
      }
    },
  };
}
