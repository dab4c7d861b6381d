/** Runs the BlobStore contract, and what only OPFS can be asked, inside a dedicated worker of a browser. */
import {
  OpfsBlobStore,
  readOnlyWriter,
  syncAccessWriter,
  writableWriter,
  type OpfsWriter,
} from '#adapters/browser/blobs/blob-store-opfs.ts';
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { AccessionDb } from '#adapters/browser/db.ts';
import { blobStoreCases, type BlobStoreCase } from '../../contract/blob-store-cases.ts';

export interface CaseResult {
  name: string;
  error: string | null;
}

/** As in a browser without `move`: the copy that replaces the rename is used. */
const copyingWriter: OpfsWriter = {
  ...writableWriter,
  publish: (file, folder, name) => writableWriter.publish(withoutMove(file), folder, name),
};

function withoutMove(file: FileSystemFileHandle): FileSystemFileHandle {
  return new Proxy(file, {
    has: (target, key) => key !== 'move' && key in target,
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const WRITERS = { sync: syncAccessWriter, writable: writableWriter, copying: copyingWriter };

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

function must(right: boolean, what: string): void {
  if (!right) throw new Error(what);
}

const opfsCases: { name: string; run(store: OpfsBlobStore, root: FileSystemDirectoryHandle): Promise<void> }[] = [
  {
    name: 'BLOB-7 collects what a kill left behind, and nothing young or used',
    async run(store, root) {
      const used = await store.put(once('used'));
      const unused = await store.put(once('unused'));
      const tmp = await root.getDirectoryHandle('tmp');
      const blobs = await root.getDirectoryHandle('sha256');
      await tmp.getFileHandle('left-behind', { create: true });
      await blobs.getFileHandle(`${used.sha256}.crswap`, { create: true });
      const now = Date.now();
      const young = await store.collectGarbage(new Set([used.sha256]), { now, blobMs: 60_000, temporaryMs: 60_000 });
      must(young.files === 0, `${young.files} young files were collected`);
      const later = { now: now + 61_000, blobMs: 60_000, temporaryMs: 60_000 };
      const old = await store.collectGarbage(new Set([used.sha256]), later);
      must(old.files === 3, `${old.files} files were collected, not 3`);
      must((await store.size(unused.sha256)) === null, 'the unused blob is still there');
      must((await (await store.file(used.sha256)).text()) === 'used', 'the used blob is gone');
    },
  },
  {
    name: 'BLOB-7 a file that is being written is never collected',
    async run(store) {
      const far = { now: Date.now() + 1e9, blobMs: 0, temporaryMs: 0 };
      async function* collectingMeanwhile(): AsyncGenerator<Uint8Array> {
        yield* once('first, ');
        const collected = await store.collectGarbage(new Set(), far);
        must(collected.files === 0, 'the file in hand was collected');
        yield* once('second');
      }
      const ref = await store.put(collectingMeanwhile());
      must((await (await store.file(ref.sha256)).text()) === 'first, second', 'it is torn');
    },
  },
  {
    name: 'BLOB-1 an empty file under a name is no blob',
    async run(store, root) {
      const name = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
      await (await root.getDirectoryHandle('sha256')).getFileHandle(name, { create: true });
      must((await store.size(name)) === null, 'it counts as a blob');
      const ref = await store.put(once('abc'));
      must(ref.sha256 === name && (await (await store.file(name)).text()) === 'abc', 'it was not replaced');
    },
  },
  {
    name: 'BLOB-9 what one way of writing wrote, every other reads',
    async run(store, root) {
      const ref = await store.put(once('shared'));
      const page = await OpfsBlobStore.open(root, readOnlyWriter);
      must((await (await page.file(ref.sha256)).text()) === 'shared', 'a page cannot read it');
      const refused = await page.put(once('x')).catch((error: unknown) => String(error));
      must(typeof refused === 'string' && refused.includes('cannot write'), 'a page could write');
    },
  },
];

/** Each case gets a folder of its own. */
async function inFolder(name: string, run: (root: FileSystemDirectoryHandle) => Promise<void>): Promise<CaseResult> {
  const top = await navigator.storage.getDirectory();
  const folder = `case-${crypto.randomUUID()}`;
  try {
    await run(await top.getDirectoryHandle(folder, { create: true }));
    return { name, error: null };
  } catch (error) {
    return { name, error: String(error) };
  } finally {
    await top.removeEntry(folder, { recursive: true });
  }
}

async function runAll(): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const [name, writer] of Object.entries(WRITERS)) {
    const shared = (one: BlobStoreCase) => async (root: FileSystemDirectoryHandle) =>
      one.run(await OpfsBlobStore.open(root, writer));
    for (const one of blobStoreCases) results.push(await inFolder(`${name}: ${one.name}`, shared(one)));
    for (const one of opfsCases) {
      const run = async (root: FileSystemDirectoryHandle) => one.run(await OpfsBlobStore.open(root, writer), root);
      results.push(await inFolder(`${name}: ${one.name}`, run));
    }
  }
  const store = await openBlobStore(new AccessionDb([]));
  results.push({ name: 'a worker gets sync access handles', error: store.kind === 'opfs-sync' ? null : store.kind });
  return results;
}

void runAll().then((results) => postMessage(results));
