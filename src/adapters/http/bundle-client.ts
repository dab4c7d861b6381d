/** Sends an exported result to the catalog server, which publishes it. */
import * as v from 'valibot';
import { ok, fail, type Result } from '#core/result.ts';
import { CommitResponseSchema, type CommitResponse } from '#core/sync/protocol.ts';
import { unreadable } from './failures.ts';
import { createSend, type HttpOptions } from './request.ts';

/** The server takes the file in and hashes it before it answers. Milliseconds. */
const TIMEOUT_MS = 3_600_000;

/** Never throws. */
export async function sendBundle(options: HttpOptions, file: Blob): Promise<Result<CommitResponse>> {
  const path = '/v1/ingestion/bundles';
  const headers = { 'content-type': 'application/zip' };
  const answer = await createSend(options)({ method: 'POST', path, headers, body: file, timeoutMs: TIMEOUT_MS });
  if (!answer.ok) return answer;
  const read = v.safeParse(CommitResponseSchema, await answer.value.json().catch(() => undefined));
  return read.success ? ok(read.output) : fail(unreadable(path));
}
