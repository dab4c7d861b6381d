import { createHash } from 'node:crypto';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { IndexedFiles, pathsIn, textIn } from '#lanes/playbooks/browser/indexed-files.ts';
import { IndexedRuns, type TryLock } from '#lanes/playbooks/browser/indexed-runs.ts';
import { openDatabase } from '#lanes/database.ts';
import { playbookFilesContract, runStoreContract } from './playbook-runs.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let count = 0;

const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

runStoreContract('IndexedDB', () => {
  const db = openDatabase(`playbooks-${++count}`);
  const held = new Set<string>();
  const lock: TryLock = (name) => {
    if (held.has(name)) return Promise.resolve(null);
    held.add(name);
    return Promise.resolve(() => void held.delete(name));
  };
  return Promise.resolve({
    store: new IndexedRuns(db, lock),
    tear: null,
    [Symbol.asyncDispose]: async () => {
      await db.delete();
    },
  });
});

playbookFilesContract('IndexedDB', async (given) => {
  const db = openDatabase(`playbooks-${++count}`);
  const files = new IndexedFiles(db, 'run:a', sha256);
  for (const [path, text] of Object.entries(given)) await files.write(path, text);
  await new IndexedFiles(db, 'run:b', sha256).write('other.md', 'not of this root');
  return {
    files,
    async all() {
      const paths = await pathsIn(db, 'run:a');
      return Object.fromEntries(
        await Promise.all(paths.map(async (path) => [path, (await textIn(db, 'run:a', path)) ?? ''] as const)),
      );
    },
    [Symbol.asyncDispose]: async () => {
      await db.delete();
    },
  };
});
