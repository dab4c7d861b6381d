/** What a worker, headless or a browser, asks of the server, beside the routes that every client uses. No method throws. */
import { chunksOf } from '../media/blob-pieces.ts';
import * as v from 'valibot';
import { AccessionError } from '#core/errors.ts';
import type { LearnedRow } from '#core/run/lane-rows.ts';
import { fail, ok, type Result } from '#core/result.ts';
import {
  ClaimAnswerSchema,
  LearnedAnswerSchema,
  WorkSavedSchema,
  type Claim,
  type LearnedQuery,
  type WorkSave,
} from '#core/sync/work-protocol.ts';
import { failureOfThrown, unreadable } from './failures.ts';
import { addressOf, createJsonCall } from './json-call.ts';
import { createSend, resolveBase, type HttpOptions } from './request.ts';

export type WorkClient = ReturnType<typeof createWorkClient>;

const CLAIMS = '/v1/ingestion/claims';
const FILE_TIMEOUT_MS = 3_600_000;

export function createWorkClient(options: HttpOptions) {
  const call = createJsonCall(options);
  const send = createSend(options);
  const base = resolveBase(options.baseUrl);

  const at = (leaseId: string): string => addressOf(CLAIMS, leaseId);
  return {
    /** The oldest upload that wants a worker, or null. `formerLease`: what this worker was at when it was killed. */
    async claim(worker: string, formerLease?: string): Promise<Result<Claim | null>> {
      const body = { worker, former_lease: formerLease };
      const answer = await call('POST', CLAIMS, ClaimAnswerSchema, body);
      return answer.ok ? ok(answer.value.claim) : answer;
    },
    /** Fails with `conflict` where the lease is over. */
    save: (leaseId: string, save: WorkSave) => call('PUT', at(leaseId), WorkSavedSchema, save, { timeoutMs: 120_000 }),
    renew: (leaseId: string) => call('POST', `${at(leaseId)}/renew`, WorkSavedSchema, {}),
    /** The upload is free at once; nothing is saved by it. */
    giveBack: (leaseId: string) => call('DELETE', at(leaseId), v.null()),
    /** What was learned from the uploader's answers before. */
    async learned(leaseId: string, query: LearnedQuery): Promise<Result<LearnedRow[]>> {
      const answer = await call('POST', `${at(leaseId)}/learned`, LearnedAnswerSchema, query);
      return answer.ok ? ok(answer.value.rows) : answer;
    },
    /** An uploaded file, as it comes. */
    async file(leaseId: string, fileId: string, signal: AbortSignal): Promise<Result<AsyncIterable<Uint8Array>>> {
      const path = `${at(leaseId)}/files/${encodeURIComponent(fileId)}`;
      const answer = await send({ method: 'GET', path, signal, timeoutMs: FILE_TIMEOUT_MS });
      if (!answer.ok) return answer;
      const { body } = answer.value;
      return body === null ? fail(unreadable(path)) : ok(fileChunks(body, base));
    },
  };
}

/** Throws AccessionError where the connection breaks. */
async function* fileChunks(body: ReadableStream<Uint8Array>, base: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunksOf(body);
  } catch (error) {
    throw new AccessionError(failureOfThrown(error, base, FILE_TIMEOUT_MS));
  }
}
