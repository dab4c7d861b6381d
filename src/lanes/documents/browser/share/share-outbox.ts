/** What goes from this browser to the catalog server (http/send-shared.ts), in its database. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { Clock } from '#core/ports.ts';
import type { Result } from '#core/result.ts';
import { AGAIN_MS, sendShared, type Waiting } from '#lanes/documents/http/send-shared.ts';
import type { SharedClient } from '#lanes/documents/http/shared-client.ts';

/** History: 1 first form. */
export interface DocumentOutboxRow extends Waiting {
  /** Why the server does not take it, a sentence; null: it was not refused. */
  refused: string | null;
  /** Not tried before (milliseconds). */
  next_at: number;
}

type Db = Pick<AccessionDb, 'document_outbox' | 'transaction'>;

/** Sends what is due, oldest first. A failure that is not about a row ends it. */
export function sendOutbox(db: Db, client: SharedClient, clock: Clock): Promise<Result<{ sent: number }>> {
  const settled = (row: DocumentOutboxRow, settle: () => Promise<unknown>): Promise<void> =>
    db.transaction('rw', db.document_outbox, async () => {
      // What was approved meanwhile stays.
      if ((await db.document_outbox.get(row.id))?.approved_at === row.approved_at) await settle();
    });
  return sendShared(
    {
      due: () => db.document_outbox.where('next_at').belowOrEqual(clock.now()).sortBy('approved_at'),
      done: (row) => settled(row, () => db.document_outbox.delete(row.id)),
      refused: (row, refused) =>
        settled(row, () => db.document_outbox.update(row.id, { refused, next_at: clock.now() + AGAIN_MS })),
    },
    client,
  );
}
