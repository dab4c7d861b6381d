/** Folders of the library of a browser, given by several at once. */
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { countingIds } from '../../fixtures/job.ts';
import { createLibraryService } from '#lanes/library/browser/library-service.ts';
import { openDatabase } from '#lanes/database.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

const never = (): Promise<never> => Promise.reject(new Error('Nothing is read here.'));

test('LIBRARY-162 a folder that is given twice at the same moment, in two tabs, is one', async () => {
  const db = openDatabase('folders-at-once');
  const ids = countingIds();
  const tab = () =>
    createLibraryService({
      ...{ db, ids, clock: { now: () => 1 }, timers: { set: () => 0, clear: () => undefined } },
      ...{ server: never, files: never, agents: never, embedder: never, hash: never, models: never },
      openReading: () => {
        throw new Error('Nothing is read here.');
      },
      toolbox: {
        openCage: () => {
          throw new Error('Nothing is computed here.');
        },
        net: { ask: never },
      },
      alone: async (name, work) => navigator.locks.request(`${db.name} ${name}`, work),
    });
  const notes = { kind: 'files', name: 'Notes', files: [] } as const;
  const [one, two] = await Promise.all([tab().add(notes), tab().add(notes)]);
  expect(one).toEqual(two);
  expect(await db.library_folders.count()).toBe(1);
  await db.delete();
});
