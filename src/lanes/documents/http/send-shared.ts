/**
 * What goes to the catalog server: written with what was approved, sent when the server can be reached, and gone when it
 * said that it has it. Sent twice it is done once.
 *
 *   approved --queue--> row --PDF, then record--> server has it: the row goes
 *                        ^          |
 *                        +--refused-+ with the reason, and tried again an hour later
 */
import * as v from 'valibot';
import type { FailureCode } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { SharedDocumentSchema, type SharedDocument } from '#lanes/documents/core/share/shared-document.ts';
import type { SharedClient } from './shared-client.ts';

/** What waits; `content` is the PDF, where it goes with it. */
export interface Waiting {
  /** Of the document. */
  id: string;
  approved_at: number;
  /** Null: it was taken back. */
  record: SharedDocument | null;
  content: Blob | null;
}

export interface OutboxRows<Row extends Waiting> {
  /** Oldest first. */
  due(): Promise<readonly Row[]>;
  /** The server has it. What was approved meanwhile stays. */
  done(row: Row): Promise<void>;
  /** The server does not take it: a sentence. It is tried again in an hour. */
  refused(row: Row, why: string): Promise<void>;
}

/** Milliseconds until what was refused is tried again. */
export const AGAIN_MS = 3_600_000;
/** Not about the row: the rest waits, too. */
const AWAY: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'offline',
  'unauthorized',
  'server_error',
  'rate_limited',
  'internal',
  'storage_full',
  'storage_failed',
  'cancelled',
]);

/** Sends what is due. A failure that is not about a row ends it. */
export async function sendShared<Row extends Waiting>(
  rows: OutboxRows<Row>,
  client: SharedClient,
): Promise<Result<{ sent: number }>> {
  let sent = 0;
  for (const row of await rows.due()) {
    const done = await sendRow(row, client);
    if (!done.ok && AWAY.has(done.failure.code)) return fail(done.failure);
    await (done.ok ? rows.done(row) : rows.refused(row, done.failure.message));
    if (done.ok) sent++;
  }
  return ok({ sent });
}

async function sendRow({ id, approved_at, record, content }: Waiting, client: SharedClient) {
  const key = `document-${id.slice(0, 32)}-${approved_at}`;
  if (record === null) return client.share({ put: [], gone: [{ id, approved_at }] }, key);
  const put = v.parse(SharedDocumentSchema, record);
  if (content !== null && put.content !== null) {
    const there = await client.sendContent(put.content.sha256, content);
    if (!there.ok) return there;
  }
  return client.share({ put: [put], gone: [] }, key);
}
