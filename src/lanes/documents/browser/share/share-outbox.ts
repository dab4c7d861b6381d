/**
 * What goes to the catalog server: written with what was approved, sent when the server can be reached, and gone when it
 * said that it has it. Sent twice it is done once.
 *
 *   approved --queue--> row --PDF, then record--> server has it: the row goes
 *                        ^          |
 *                        +--refused-+ with the reason, and tried again an hour later
 */
import * as v from 'valibot';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { Clock } from '#core/ports.ts';
import type { FailureCode } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { SharedClient } from '#lanes/documents/http/shared-client.ts';
import { SharedDocumentSchema, type SharedDocument } from '#lanes/documents/core/share/shared-document.ts';

/** History: 1 first form. */
export interface DocumentOutboxRow {
  /** Of the document. */
  id: string;
  approved_at: number;
  /** Null: it was taken back. */
  record: SharedDocument | null;
  /** The PDF, where it goes with it. */
  content: Blob | null;
  /** Why the server does not take it, a sentence; null: it was not refused. */
  refused: string | null;
  /** Not tried before (milliseconds). */
  next_at: number;
}

const AGAIN_MS = 3_600_000;
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

type Db = Pick<AccessionDb, 'document_outbox' | 'transaction'>;

/** Sends what is due, oldest first. A failure that is not about a row ends it. */
export async function sendOutbox(db: Db, client: SharedClient, clock: Clock): Promise<Result<{ sent: number }>> {
  let sent = 0;
  const due = await db.document_outbox.where('next_at').belowOrEqual(clock.now()).sortBy('approved_at');
  for (const row of due) {
    const done = await sendRow(row, client);
    if (!done.ok && AWAY.has(done.failure.code)) return fail(done.failure);
    await db.transaction('rw', db.document_outbox, async () => {
      // What was approved meanwhile stays.
      const now = await db.document_outbox.get(row.id);
      if (now?.approved_at !== row.approved_at) return;
      if (done.ok) await db.document_outbox.delete(row.id);
      else
        await db.document_outbox.update(row.id, {
          refused: done.failure.message,
          next_at: clock.now() + AGAIN_MS,
        });
    });
    if (done.ok) sent++;
  }
  return ok({ sent });
}

async function sendRow({ id, approved_at, record, content }: DocumentOutboxRow, client: SharedClient) {
  const key = `document-${id.slice(0, 32)}-${approved_at}`;
  if (record === null) return client.share({ put: [], gone: [{ id, approved_at }] }, key);
  const put = v.parse(SharedDocumentSchema, record);
  if (content !== null && put.content !== null) {
    const there = await client.sendContent(put.content.sha256, content);
    if (!there.ok) return there;
  }
  return client.share({ put: [put], gone: [] }, key);
}
