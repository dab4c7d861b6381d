import { createHash } from 'node:crypto';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { FolderFiles } from '#lanes/playbooks/browser/folder-files.ts';
import { FolderRuns } from '#lanes/playbooks/browser/folder-runs.ts';
import { IndexedFiles, pathsIn, textIn } from '#lanes/playbooks/browser/indexed-files.ts';
import { IndexedRuns, type TryLock } from '#lanes/playbooks/browser/indexed-runs.ts';
import { openDatabase } from '#lanes/database.ts';
import { expect, test } from 'vitest';
import { fakeFolder } from '../fixtures/fake-folder.ts';
import { playbookFilesContract, runStoreContract } from './playbook-runs.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let count = 0;

const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

function oneTab(): TryLock {
  const held = new Set<string>();
  return (name) => {
    if (held.has(name)) return Promise.resolve(null);
    held.add(name);
    return Promise.resolve(() => void held.delete(name));
  };
}

runStoreContract('IndexedDB', () => {
  const db = openDatabase(`playbooks-${++count}`);
  return Promise.resolve({
    store: new IndexedRuns(db, oneTab()),
    tear: null,
    [Symbol.asyncDispose]: async () => {
      await db.delete();
    },
  });
});

runStoreContract('an opened folder', () => {
  const { handle, disk } = fakeFolder({});
  return Promise.resolve({
    store: new FolderRuns(handle, oneTab()),
    tear(id) {
      const path = [...disk.files.keys()]
        .filter((one) => one.startsWith(`.accession/playbooks/${id}/`))
        .sort()
        .at(-1);
      const file = disk.files.get(path ?? '') ?? expect.fail();
      file.bytes = file.bytes.slice(0, -3);
      return Promise.resolve();
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
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

playbookFilesContract('an opened folder', (given) => {
  const { handle, contents } = fakeFolder(given);
  const files = new FolderFiles(handle, { now: () => 0 }, sha256);
  return Promise.resolve({ files, all: contents, [Symbol.asyncDispose]: () => Promise.resolve() });
});

test('PLAYBOOK-76 what is appended to a large file of an opened folder is written once a second, and all of it before it is read or closed', async () => {
  const { handle, disk, contents } = fakeFolder({});
  let [now, written] = [0, 0];
  disk.beforeClose = () => void (written += 1);
  const files = new FolderFiles(handle, { now: () => now }, sha256);
  const line = `${'x'.repeat(1024 * 1024)}\n`;
  await files.write('out.jsonl', line);
  await files.append('out.jsonl', 'a\n');
  for (const more of ['b\n', 'c\n', 'd\n']) {
    now += 300;
    await files.append('out.jsonl', more);
  }
  expect([written, contents()['out.jsonl']]).toEqual([2, `${line}a\n`]);
  now += 300;
  await files.append('out.jsonl', 'e\n');
  expect([written, contents()['out.jsonl']]).toEqual([3, `${line}a\nb\nc\nd\ne\n`]);
  await files.append('out.jsonl', 'f\n');
  expect((await files.read('out.jsonl'))?.text).toBe(`${line}a\nb\nc\nd\ne\nf\n`);
  await files.append('out.jsonl', 'g\n');
  await files.sync();
  expect(contents()['out.jsonl']).toBe(`${line}a\nb\nc\nd\ne\nf\ng\n`);
});

test('PLAYBOOK-76 a folder that is full or closed to the page says so, with what to do', async () => {
  const { handle, disk } = fakeFolder({ 'a.md': 'A' });
  const files = new FolderFiles(handle, { now: () => 0 }, sha256);
  disk.beforeClose = () => {
    throw new DOMException('no room', 'QuotaExceededError');
  };
  await expect(files.write('b.md', 'B')).rejects.toMatchObject({ failure: { code: 'storage_full' } });
  disk.beforeClose = () => {
    throw new DOMException('the person said no', 'NotAllowedError');
  };
  await expect(files.write('b.md', 'B')).rejects.toMatchObject({
    failure: { code: 'file_unreadable', remedy: expect.stringContaining('Allow the folder again') },
  });
  await expect(files.write('a.md/b.md', 'B')).rejects.toMatchObject({ failure: { code: 'conflict' } });
});

test('PLAYBOOK-84 a journal in an opened folder is written in parts, so that what is written each time stays small; who looks again reads what came since, and a lost part is said', async () => {
  const { handle, disk } = fakeFolder({ 'a.md': 'A' });
  const written: string[] = [];
  disk.beforeClose = (path) => void written.push(path);
  let told = 0;
  const store = new FolderRuns(handle, oneTab(), () => (told += 1));
  const log = await store.create('r');
  const lines = Array.from({ length: 300 }, (_, n) => ({ n, text: 'x'.repeat(1000) }));
  for (const line of lines) {
    log.append(line);
    await log.sync();
  }
  expect([written.length, told]).toEqual([301, 300]);
  const parts = [...disk.files].filter(([path]) => path.startsWith('.accession/'));
  expect(parts.length).toBeGreaterThan(4);
  expect(Math.max(...parts.map(([, { bytes }]) => bytes.length))).toBeLessThanOrEqual(64 * 1024);
  expect(await store.read('r')).toEqual(lines);
  for (const from of [0, 1, 63, 64, 65, 299, 300]) expect(await store.since('r', from)).toEqual(lines.slice(from));
  // Gone on with in another tab, in the part that was left.
  await log.close();
  const again = await store.open('r');
  again.log.append({ n: 300 });
  await again.log.close();
  expect((await store.read('r'))?.length).toBe(301);
  // None of it is a playbook's.
  const files = new FolderFiles(handle, { now: () => 0 }, sha256);
  expect(await files.list('')).toEqual(['a.md']);
  for (const path of [parts[0]?.[0] ?? '', '.Accession/playbooks/r/x.jsonl']) {
    await expect(files.read(path), path).rejects.toMatchObject({ code: 'path_outside' });
    await expect(files.write(path, ''), path).rejects.toMatchObject({ code: 'path_outside' });
  }
  // A part that is put in its place anew while it is read.
  let refusals = 2;
  disk.beforeRead = () => {
    if (refusals-- > 0) throw new DOMException('changed', 'NotReadableError');
  };
  expect((await store.read('r'))?.length).toBe(301);
  refusals = Infinity;
  await expect(store.read('r')).rejects.toMatchObject({ failure: { code: 'file_unreadable' } });
  refusals = 0;
  disk.files.delete(parts[1]?.[0] ?? '');
  await expect(store.read('r')).rejects.toMatchObject({ failure: { code: 'invalid' } });
});
