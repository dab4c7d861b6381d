import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { expect, test, vi } from 'vitest';
import {
  endWithPage,
  PAGE_GOES,
  pageIsGone,
  takeBackWithPage,
  WORKER_ENDS,
  type WorkerScope,
} from '#adapters/browser/end-with-page.ts';

/** A worker as it hears its page: `hear` a message, `said` to the page, `closed` once it has ended. */
function workerScope(): {
  scope: WorkerScope;
  target: EventTarget;
  hear: (message: { data: unknown }) => unknown;
  said: string[];
  closed: Promise<unknown>;
} {
  const target = new EventTarget();
  const said: string[] = [];
  const closed = Promise.withResolvers<unknown>();
  return {
    target,
    said,
    closed: closed.promise,
    hear: ({ data }) => target.dispatchEvent(new MessageEvent('message', { data })),
    scope: {
      addEventListener: (type: string, listener: unknown) => target.addEventListener(type, listener as EventListener),
      postMessage: (message) => said.push(message),
      close: () => closed.resolve(undefined),
    },
  };
}

test('JOB-58 a worker whose page goes while it opens the database ends when what was asked for at the opening has ended', async () => {
  const before = new Dexie('opened-as-the-page-goes');
  before.version(1).stores({ rows: 'id' });
  await before.open();
  const { scope, hear, said, closed } = workerScope();
  const db = new Dexie(before.name);
  db.version(1).stores({ rows: 'id' });
  endWithPage(db, scope);
  /** What is asked for while it opens, and whether it has ended. */
  const ends: boolean[] = [];
  const { transaction: ask } = IDBDatabase.prototype;
  const asked = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...args
  ) {
    const transaction = ask.apply(this, args);
    const at = ends.push(false) - 1;
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => (ends[at] = true));
    // Its page goes before it has begun.
    hear({ data: PAGE_GOES });
    expect(said).toEqual([]);
    return transaction;
  });
  await db.open().catch(() => undefined);
  await closed;
  asked.mockRestore();
  expect([ends, said]).toEqual([[true], [WORKER_ENDS]]);
  before.close();
});

test('JOB-37, JOB-56 a worker whose page goes takes back the transaction that it is in, keeps those before it, and ends', async () => {
  const db = new Dexie('end-with-page');
  db.version(1).stores({ rows: 'id' });
  const { scope, target, hear, said, closed } = workerScope();
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  /** Whether the program is told of a rejection, and of an error, that nothing has caught. */
  const isTold = (): boolean[] =>
    ['unhandledrejection', 'error'].map((type) => target.dispatchEvent(new Event(type, { cancelable: true })));
  endWithPage(db, scope);
  const rows = db.table('rows');
  await rows.add({ id: 'before' });

  const middle = db.transaction('rw', rows, async () => {
    await rows.add({ id: 'half done' });
    hear({ data: 'anything else' });
    expect([isClosed, pageIsGone(db), ...isTold()]).toEqual([false, false, true, true]);
    hear({ data: PAGE_GOES });
    // What fails from here on is no fault to be reported.
    expect([pageIsGone(db), ...isTold()]).toEqual([true, false, false]);
    await rows.add({ id: 'the other half' });
  });
  await expect(middle).rejects.toThrow();
  await vi.waitFor(() => expect(isClosed).toBe(true));
  // Its page holds the next one back until then (JOB-55).
  expect(said).toEqual([WORKER_ENDS]);
  await db.open();
  expect(await rows.toArray()).toEqual([{ id: 'before' }]);
});

test('JOB-43 a page that goes takes back what it has open in the database', async () => {
  const db = new Dexie('page-goes');
  db.version(1).stores({ rows: 'id' });
  const page = new EventTarget() as EventTarget & Pick<Window, 'addEventListener'>;
  takeBackWithPage(db, page);
  const rows = db.table('rows');
  const begun = vi.fn();
  const middle = db.transaction('rw', rows, async () => {
    await rows.add({ id: 'half done' });
    begun();
    // Only what is under way in the transaction keeps it open, as in a page that sleeps.
    while (begun.mock.calls.length < 1_000) await rows.count().then(begun);
  });
  const ended = expect(middle).rejects.toThrow();
  await vi.waitFor(() => expect(begun).toHaveBeenCalled());
  page.dispatchEvent(new Event('pagehide'));
  await ended;
  expect(begun.mock.calls.length).toBeLessThan(1_000);
  // Nothing begins any more in a page that has gone.
  await expect(rows.count()).rejects.toThrow('closed');
  await db.open();
  expect(await rows.count()).toBe(0);
});

test('JOB-55 a page is quiet when all that it has open in the database has ended, what began meanwhile, too', async () => {
  const db = new Dexie('page-is-quiet');
  db.version(1).stores({ rows: 'id' });
  const quiet = takeBackWithPage(db, new EventTarget() as EventTarget & Pick<Window, 'addEventListener'>);
  const rows = db.table('rows');
  await quiet();
  const done: string[] = [];
  const more = (): Promise<unknown> => rows.count().then(() => done.push('second'));
  const second = Promise.withResolvers<unknown>();
  let isAsked = false;
  const first = db
    .transaction('rw', rows, async () => {
      await rows.add({ id: 'one' });
      // Waits for its turn.
      Dexie.ignoreTransaction(more).then(second.resolve, second.reject);
      isAsked = true;
      await rows.add({ id: 'two' });
    })
    .then(() => done.push('first'));
  await vi.waitFor(() => expect(isAsked).toBe(true));
  const whenQuiet = quiet().then(() => done.push('quiet'));
  await Promise.all([first, second.promise, whenQuiet]);
  expect([...done].sort()).toEqual(['first', 'quiet', 'second']);
  expect(done.indexOf('quiet')).toBeGreaterThan(done.indexOf('first'));
});
