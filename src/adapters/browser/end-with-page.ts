/**
 * What uses the database ends as soon as its page goes. WebKit never ends the transaction of a page that it keeps for its
 * Back button, or of a worker that was stopped in the middle of one, and then nothing of the database can be read any
 * more, in no page: so each is taken back before, and whatever was under way goes on from its last step.
 */
import type { Dexie } from 'dexie';

/** What the page says to its workers when it goes, and what each answers when it has ended what it was at. */
export const PAGE_GOES = 'page-goes';
export const WORKER_ENDS = 'worker-ends';

/** What of a worker's globals is needed. */
export interface WorkerScope {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'unhandledrejection' | 'error', listener: (event: { preventDefault(): void }) => void): void;
  postMessage(message: typeof WORKER_ENDS): void;
  close(): void;
}

type Closing = Pick<Dexie, 'close'>;

/** Databases that were closed because their page goes. */
const gone = new WeakSet<object>();

/** Whether the page goes: what fails from then on, fails because of it, and goes on from its last step in another page. */
export const pageIsGone = (db: object): boolean => gone.has(db);

/** Ends a worker when its page says that it goes. `db`: its database, where it has one. */
export function endWithPage(db: Closing | null, scope: WorkerScope): void {
  const held = db === null ? null : heldTransactions(db);
  // What was under way in a transaction that is taken back is refused, and has nobody any more to tell. WebKit throws
  // where it cannot make a row any more in a worker that is being stopped ("Cannot inject key into script value").
  for (const type of ['unhandledrejection', 'error'] as const)
    scope.addEventListener(type, (event) => {
      if (db !== null && pageIsGone(db)) event.preventDefault();
    });
  scope.addEventListener('message', ({ data }) => {
    if (data !== PAGE_GOES) return;
    void Promise.resolve(held?.takeAllBack()).then(() => {
      scope.postMessage(WORKER_ENDS);
      scope.close();
    });
  });
}

/**
 * Takes back what the page itself has open in the database when it goes. One that is shown again starts anew. Answers what
 * resolves when nothing is open: one that is taken back before its turn may hold the database, too.
 */
export function takeBackWithPage(db: Closing, page: Pick<Window, 'addEventListener'>): () => Promise<void> {
  const { takeAllBack, quiet } = heldTransactions(db);
  page.addEventListener('pagehide', () => void takeAllBack());
  return quiet;
}

interface Held {
  /**
   * Takes all transactions back that are open then, lets none begin any more, and waits until they have ended: WebKit tells
   * its database of one that waits for its turn only when it is its turn.
   */
  takeAllBack(): Promise<void>;
  /** Waits until none is open. */
  quiet(): Promise<void>;
}

/** What this page or worker has open: with what Dexie asks for by itself when it opens, a transaction over all tables. */
const open = new Map<IDBTransaction, Promise<void>>();
let isHeard = false;

/** Hears of each transaction that is asked for from now on. Dexie's own hooks pass over the one at its opening. */
function hearTransactions(): void {
  if (isHeard) return;
  isHeard = true;
  const { prototype } = IDBDatabase;
  const { transaction: ask } = prototype;
  prototype.transaction = function (...args) {
    const transaction = ask.apply(this, args);
    const ended = new Promise<void>((done) => {
      for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => done());
    }).finally(() => open.delete(transaction));
    open.set(transaction, ended);
    return transaction;
  };
}

function heldTransactions(db: Closing): Held {
  hearTransactions();
  return {
    async takeAllBack() {
      gone.add(db);
      takeBackOpen();
      db.close();
      // One that was being opened asks for a transaction all the same.
      while (open.size > 0) {
        takeBackOpen();
        await Promise.all(open.values());
      }
    },
    async quiet() {
      while (open.size > 0) await Promise.all(open.values());
    },
  };
}

function takeBackOpen(): void {
  for (const transaction of open.keys()) {
    try {
      transaction.abort();
    } catch {
      // It has ended in this moment.
    }
  }
}
