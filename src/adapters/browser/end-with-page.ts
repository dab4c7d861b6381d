/**
 * What uses the database ends as soon as its page goes. WebKit never ends the transaction of a page that it keeps for its
 * Back button, or of a worker that was stopped in the middle of one, and then nothing of the database can be read any
 * more, in no page: so each is taken back before, and whatever was under way goes on from its last step.
 */
import type { DBCore, DBCoreTransaction, Dexie } from 'dexie';

/** What the page says to its workers when it goes. */
export const PAGE_GOES = 'page-goes';

/** What of a worker's globals is needed. */
export interface WorkerScope {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  close(): void;
}

/** Ends a worker when its page says that it goes. */
export function endWithPage(db: Pick<Dexie, 'use'>, scope: WorkerScope): void {
  const takeAllBack = heldTransactions(db);
  scope.addEventListener('message', ({ data }) => {
    if (data !== PAGE_GOES) return;
    takeAllBack();
    scope.close();
  });
}

/** Takes back what the page itself has open in the database when it goes. One that is shown again starts anew. */
export function takeBackWithPage(db: Pick<Dexie, 'use'>, page: Pick<Window, 'addEventListener'>): void {
  page.addEventListener('pagehide', heldTransactions(db));
}

/** Answers what takes all transactions back that are open then. */
function heldTransactions(db: Pick<Dexie, 'use'>): () => void {
  const open = new Set<DBCoreTransaction>();
  db.use({
    stack: 'dbcore',
    name: 'end-with-page',
    create: (core: DBCore): DBCore => ({
      ...core,
      transaction(...args) {
        const transaction = core.transaction(...args);
        open.add(transaction);
        // Dexie's is the browser's own.
        const own = transaction as IDBTransaction;
        for (const end of ['complete', 'abort']) own.addEventListener(end, () => open.delete(transaction));
        return transaction;
      },
    }),
  });
  return () => {
    for (const transaction of open) takeBack(transaction);
  };
}

function takeBack(transaction: DBCoreTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended in this moment.
  }
}
