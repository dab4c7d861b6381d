import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '#lanes/database.ts';
import { dexieJournalStore } from '#adapters/browser/plans/journal-store.ts';
import { MemoryJournalStore } from '../fixtures/memory-plans.ts';
import { journalsInDirectory, journalsInFile } from '#adapters/node/rename-journal-store.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { journalStoreContract } from './rename-journal.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let count = 0;

journalStoreContract('the store in memory', async () => {
  const store = new MemoryJournalStore();
  return { store, other: store, root: '/a', elsewhere: '/b', [Symbol.asyncDispose]: async () => undefined };
});

journalStoreContract('the store in IndexedDB', async () => {
  const db = openDatabase(`journals-${(count += 1)}`);
  return {
    store: dexieJournalStore(db, navigator.locks),
    other: dexieJournalStore(db, navigator.locks),
    root: 'a',
    elsewhere: 'b',
    [Symbol.asyncDispose]: () => db.delete(),
  };
});

for (const [name, open] of Object.entries({ directory: journalsInDirectory, file: journalsInFile }))
  journalStoreContract(`a ${name} of Node`, async () => {
    const folder = await temporaryFolder();
    const elsewhere = join(folder.base, 'Elsewhere');
    await mkdir(elsewhere);
    const [place, locks] = [join(folder.base, 'journals'), join(folder.base, 'locks')];
    return { ...folder, elsewhere, store: open(place, locks), other: open(place, locks) };
  });
