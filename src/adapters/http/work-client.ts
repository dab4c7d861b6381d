/** What a worker, headless or a browser, asks of the server, beside the routes that every client uses. No method throws. */
import * as v from 'valibot';
import { AccessionError } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { fail, ok } from '#core/result.ts';
import {
  ClaimAnswerSchema,
  WorkSavedSchema,
  type Claim,
  type WorkSave,
  type WorkSaved,
} from '#core/sync/work-protocol.ts';
import { failureOfThrown, unreadable } from './failures.ts';
import { createSend, resolveBase, type HttpOptions, type HttpRequest } from './request.ts';

export interface WorkClient {
  /** The oldest upload that wants a worker, or null. `formerLease`: what this worker was at when it was killed. */
  claim(worker: string, formerLease?: string): Promise<Result<Claim | null>>;
  /** Fails with `conflict` where the lease is over. */
  save(leaseId: string, save: WorkSave): Promise<Result<WorkSaved>>;
  renew(leaseId: string): Promise<Result<WorkSaved>>;
  /** The upload is free at once; nothing is saved by it. */
  giveBack(leaseId: string): Promise<Result<null>>;
  /** An uploaded file, as it comes. */
  file(leaseId: string, fileId: string, signal: AbortSignal): Promise<Result<AsyncIterable<Uint8Array>>>;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FILE_TIMEOUT_MS = 3_600_000;

export function createWorkClient(options: HttpOptions): WorkClient {
  const send = createSend(options);
  const base = resolveBase(options.baseUrl);

  async function call<T extends v.GenericSchema>(request: HttpRequest, schema: T): Promise<Result<v.InferOutput<T>>> {
    const answer = await send({ ...request, headers: JSON_TYPE });
    if (!answer.ok) return answer;
    try {
      const parsed = v.safeParse(schema, await answer.value.json());
      return parsed.success ? ok(parsed.output) : fail(unreadable(request.path));
    } catch (error) {
      return fail(error instanceof SyntaxError ? unreadable(request.path) : failureOfThrown(error, base, 0));
    }
  }

  const at = (leaseId: string): string => `/v1/ingestion/claims/${encodeURIComponent(leaseId)}`;
  return {
    async claim(worker, formerLease) {
      const body = JSON.stringify({ worker, former_lease: formerLease });
      const answer = await call({ method: 'POST', path: '/v1/ingestion/claims', body }, ClaimAnswerSchema);
      return answer.ok ? ok(answer.value.claim) : answer;
    },
    save: (leaseId, save) =>
      call({ method: 'PUT', path: at(leaseId), body: JSON.stringify(save), timeoutMs: 120_000 }, WorkSavedSchema),
    renew: (leaseId) => call({ method: 'POST', path: `${at(leaseId)}/renew`, body: '{}' }, WorkSavedSchema),
    async giveBack(leaseId) {
      const answer = await send({ method: 'DELETE', path: at(leaseId) });
      return answer.ok ? ok(null) : answer;
    },
    async file(leaseId, fileId, signal) {
      const path = `${at(leaseId)}/files/${encodeURIComponent(fileId)}`;
      const answer = await send({ method: 'GET', path, signal, timeoutMs: FILE_TIMEOUT_MS });
      if (!answer.ok) return answer;
      const { body } = answer.value;
      return body === null ? fail(unreadable(path)) : ok(chunksOf(body, base));
    },
  };
}

/** WebKit's streams cannot be walked by `for await`. Throws AccessionError where the connection breaks. */
async function* chunksOf(body: ReadableStream<Uint8Array>, base: string): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch (error) {
    throw new AccessionError(failureOfThrown(error, base, FILE_TIMEOUT_MS));
  } finally {
    // Of what is not wanted to its end: a stream that is left alone holds its connection.
    await reader.cancel().catch(() => undefined);
  }
}
