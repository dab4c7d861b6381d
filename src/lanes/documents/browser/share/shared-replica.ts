/** Approved records of all workstations, as the server has them: the outbox is sent, then the feed is read. */
import * as v from 'valibot';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { Replica } from '#adapters/browser/lane-browser.ts';
import type { Clock } from '#core/ports.ts';
import { ok } from '#core/result.ts';
import { readFeed } from '#core/sync/feed.ts';
import {
  SharedDocumentSchema,
  type DocumentChangesPage,
  type SharedDocument,
} from '#lanes/documents/core/share/shared-document.ts';
import type { SharedClient } from '#lanes/documents/http/shared-client.ts';
import { sendOutbox } from './share-outbox.ts';

/** Row of `meta`. */
const ROW = 'shared_documents';
const PAGE = 500;
const StateSchema = v.object({
  catalog_id: v.nullable(v.string()),
  cursor: v.nullable(v.string()),
  complete: v.boolean(),
});
type State = v.InferOutput<typeof StateSchema>;

async function stateOf(db: AccessionDb): Promise<State> {
  const read = v.safeParse(StateSchema, (await db.meta.get(ROW))?.value);
  return read.success ? read.output : { catalog_id: null, cursor: null, complete: false };
}

export function sharedReplica(db: AccessionDb, client: SharedClient, clock: Clock): Replica {
  return {
    isComplete: async () => (await stateOf(db)).complete,
    async pull(signal) {
      const sent = await sendOutbox(db, client, clock);
      if (!sent.ok) return sent;
      const pulled = await readFeed<DocumentChangesPage>({
        state: () => stateOf(db),
        changes: (cursor) => client.changes(cursor, PAGE, signal),
        apply: (page, cursor) => applyPage(db, page, cursor),
        words: {
          refused: 'The server refused to list its documents.',
          changed: 'The server is of another catalog again.',
          stuck: "The documents' feed of the server does not advance.",
        },
      });
      // A server from before there were documents has none.
      return pulled.ok || pulled.failure.code === 'not_found' ? ok(null) : pulled;
    },
  };
}

async function applyPage(db: AccessionDb, page: DocumentChangesPage, cursor: string | null): Promise<void> {
  const put: SharedDocument[] = [];
  const gone: string[] = [];
  for (const { id, op, record } of page.items) {
    const read = v.safeParse(SharedDocumentSchema, record);
    if (op === 'put' && read.success) put.push(read.output);
    else gone.push(id);
  }
  await db.transaction('rw', [db.shared_documents, db.meta], async () => {
    const stored = await stateOf(db);
    if (cursor === null) await db.shared_documents.clear();
    else if (stored.cursor !== cursor) return;
    await db.shared_documents.bulkDelete(gone);
    await db.shared_documents.bulkPut(put);
    const complete = !page.more || (cursor !== null && stored.complete);
    const value: State = { catalog_id: page.catalog_id, cursor: page.next_cursor, complete };
    if (JSON.stringify(value) !== JSON.stringify(stored)) await db.meta.put({ key: ROW, value });
  });
}
