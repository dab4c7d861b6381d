import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { dexieGuideStore } from '#lanes/guide/browser/guide-store.ts';
import { dexieRunStore } from '#lanes/guide/browser/run-store.ts';
import { openDatabase } from '#lanes/database.ts';
import { guideRunStoreContract } from './guide-run-store.ts';
import { guideStoreContract } from './guide-store.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let count = 0;

guideStoreContract('IndexedDB', () => {
  const db = openDatabase(`guides-${++count}`);
  let imports = 0;
  const store = dexieGuideStore(db, { next: () => `import-${++imports}` });
  return Promise.resolve({ store, close: () => db.delete() });
});
guideRunStoreContract('IndexedDB', () => {
  const db = openDatabase(`guides-${++count}`);
  return Promise.resolve({ ...dexieRunStore(db), close: () => db.delete() });
});
