import { expect, test } from 'vitest';
import { encodeUtf8 } from '#core/utf8.ts';
import { CancelSource } from '#core/cancel.ts';
import type { ChunkAgent } from '#core/ingest/agent.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import type { IndexProgress } from '#lanes/library/core/indexing/ports.ts';
import { textIngester } from '#lanes/library/core/text/text-ingester.ts';
import { filesOf, indexingPorts, MemoryLibrary, spyAgent, type Files } from './library-world.ts';

const pathsIn = async (store: MemoryLibrary): Promise<string[]> =>
  [...(await openLibrary(store)).index.files()].map(({ kept }) => kept.path).sort();

async function run(files: Files, store: MemoryLibrary, version = '1') {
  const agent = spyAgent(['spy'], version);
  const manifest = await indexFolder(indexingPorts(files, store, [agent, textIngester]));
  return { manifest, read: agent.seen };
}

test('LIBRARY-50 what is unchanged by size and time is not read again; changed, new, renamed, copied and deleted files are found', async () => {
  const store = new MemoryLibrary();
  const files = filesOf({ 'a.spy': 'apples', 'b.spy': 'bananas', 'deep/c.spy': 'cherries' });
  expect((await run(files, store)).read).toEqual(['a.spy', 'b.spy', 'deep/c.spy']);
  expect((await run(files, store)).read).toEqual([]);

  files.set('a.spy', { bytes: encodeUtf8('apricots'), modified: 2 });
  files.set('copy.spy', { bytes: encodeUtf8('bananas'), modified: 2 });
  files.set('renamed.spy', { bytes: encodeUtf8('cherries'), modified: 1 });
  files.delete('deep/c.spy');
  // Touched, and the same.
  files.set('b.spy', { bytes: encodeUtf8('bananas'), modified: 3 });
  const { read } = await run(files, store);
  expect(read).toEqual(['a.spy']);
  expect(await pathsIn(store)).toEqual(['a.spy', 'b.spy', 'copy.spy', 'renamed.spy']);
  const { index } = await openLibrary(store);
  expect(searchLibrary(index, 'cherries').map(({ path }) => path)).toEqual(['renamed.spy']);
  expect(searchLibrary(index, 'apples')).toEqual([]);
  expect((await run(files, store)).read).toEqual([]);
});

test('LIBRARY-51 .gitignore, node_modules, version control, binaries and files over 5 MB (PDFs over 50 MB) are left out and counted by reason', async () => {
  const store = new MemoryLibrary();
  const files = filesOf({
    '.gitignore': '*.log\n/build/\n',
    'kept.txt': 'kept',
    'x.log': 'ignored',
    'sub/.gitignore': '!wanted.log\nown.txt',
    'sub/wanted.log': 'wanted again',
    'sub/own.txt': 'ignored here',
    'own.txt': 'not ignored here',
    'build/out.txt': 'ignored',
    'sub/build/out.txt': 'another build',
    'node_modules/p/index.js': 'no',
    '.git/HEAD': 'no',
    'picture.png': Uint8Array.of(0x89, 0x50, 0, 0, 1, 2),
    'large.txt': new Uint8Array(5_000_001).fill(0x61),
    'large.pdf': new Uint8Array(50_000_001),
  });
  const { manifest } = await run(files, store);
  expect(manifest.leftOut).toEqual({
    '.gitignore': 3,
    node_modules: 1,
    'version control': 1,
    binary: 1,
    'over 5 MB': 1,
    'over 50 MB': 1,
  });
  const { index } = await openLibrary(store);
  const texts = [...index.files()].filter(({ kept }) => !kept.binary).map(({ kept }) => kept.path);
  expect(texts.sort()).toEqual(
    ['.gitignore', 'kept.txt', 'own.txt', 'sub/.gitignore', 'sub/build/out.txt', 'sub/wanted.log'].sort(),
  );
});

test('LIBRARY-52 killed before any change of what is stored it goes on where it was, and no file is lost or there twice', async () => {
  const texts = Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`f${n}.spy`, `file ${n} has number${n}`]));
  const before = filesOf({ ...texts, 'old.spy': 'old words' });
  for (let at = 0; ; at++) {
    const store = new MemoryLibrary();
    await run(filesOf({ 'f1.spy': 'earlier', 'old.spy': 'old words', 'gone.spy': 'gone' }), store);
    let left = at;
    store.dies = () => left-- <= 0;
    const killed = await run(before, store).then(
      () => false,
      () => true,
    );
    store.dies = () => false;
    // What the killed run left can be opened and searched.
    const { index } = await openLibrary(store);
    expect(searchLibrary(index, 'old words').map(({ path }) => path)).toContain('old.spy');
    const { manifest } = await run(before, store);
    expect(await pathsIn(store)).toEqual([...before.keys()].sort());
    expect([...store.segments.keys()].sort()).toEqual(manifest.segments.map(({ id }) => id).sort());
    if (!killed) {
      expect(at).toBeGreaterThan(5);
      break;
    }
  }
});

test('LIBRARY-112 a file is read again, and no other one, where code of an agent before could not be loaded', async () => {
  const [files, store] = [filesOf({ 'a.spy': 'one', 'b.txt': 'two' }), new MemoryLibrary()];
  let loads = false;
  const spy = spyAgent(['spy']);
  const late: ChunkAgent = {
    ...spy,
    execute: (context, cancel) =>
      loads
        ? spy.execute(context, cancel)
        : Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
  };
  const plain = spyAgent(['text'], '1', 'plain-ingester');
  const run = () => indexFolder(indexingPorts(files, store, [late, plain]));
  const readBy = async (): Promise<string[]> =>
    [...(await openLibrary(store)).index.files()].map(({ kept: { path, agentId, warnings } }) =>
      `${path} ${agentId} ${warnings.join(' ')}`.trim(),
    );
  await run();
  expect(await readBy()).toEqual([
    'a.spy plain-ingester spy-ingester could not read "a.spy": A part of the app is not on this device yet.',
    'b.txt plain-ingester',
  ]);
  loads = true;
  await run();
  await run();
  expect((await readBy()).sort()).toEqual(['a.spy spy-ingester', 'b.txt plain-ingester']);
  expect([spy.seen, plain.seen]).toEqual([['a.spy'], ['a.spy', 'b.txt']]);
});

test('LIBRARY-53 a changed agent reads its own files again and no others', async () => {
  const store = new MemoryLibrary();
  const files = filesOf({ 'a.spy': 'apples', 'b.txt': 'bananas' });
  await run(files, store);
  const progress: IndexProgress[] = [];
  const agent = spyAgent(['spy'], '2');
  const ports = indexingPorts(files, store, [agent, textIngester]);
  await indexFolder({ ...ports, onProgress: (one) => progress.push(one) });
  expect(agent.seen).toEqual(['a.spy']);
  expect(progress.at(-1)).toMatchObject({ phase: 'done', found: 2, done: 2, read: 1, chunks: 2 });
  // An agent that comes in before the one that read them takes them over.
  const newcomer = spyAgent(['txt'], '1', 'newcomer');
  await indexFolder(indexingPorts(files, store, [spyAgent(['spy'], '2'), newcomer, textIngester]));
  expect(newcomer.seen).toEqual(['b.txt']);
});

test('LIBRARY-54 texts in UTF-16, in a legacy encoding, with a mark, with CR or on one line of megabytes are read; an empty file has no chunk', async () => {
  const wide = (text: string): Uint8Array => new Uint8Array(Uint16Array.from(text, (one) => one.charCodeAt(0)).buffer);
  const store = new MemoryLibrary();
  const files = filesOf({
    'utf16.txt': wide('\uFEFFwide kettle'),
    'utf16-bare.txt': wide('another wide kettle'),
    'mark.txt': '\uFEFFmarked kettle',
    'latin.txt': Uint8Array.from('Der Löwe trinkt aus dem Kessel, grün und müde', (one) => one.charCodeAt(0)),
    'cr.txt': 'one\rtwo kettle\rthree',
    'giant.txt': 'kettle '.repeat(400_000),
    'brackets.txt': '('.repeat(100_000),
    'empty.txt': '',
  });
  const { manifest } = await run(files, store);
  expect(manifest.failed).toEqual([]);
  const { index } = await openLibrary(store);
  const best = (words: string): string | undefined => searchLibrary(index, words)[0]?.path;
  expect(best('another wide')).toBe('utf16-bare.txt');
  expect(new Set(searchLibrary(index, 'wide').map(({ path }) => path))).toEqual(
    new Set(['utf16.txt', 'utf16-bare.txt']),
  );
  expect([best('marked'), best('two three'), best('kettle')]).toEqual(['mark.txt', 'cr.txt', 'giant.txt']);
  expect(searchLibrary(index, 'löwe')[0]?.text).toContain('Löwe trinkt');
  const empty = [...index.files()].find(({ kept }) => kept.path === 'empty.txt');
  expect(empty?.kept).toMatchObject({ chunks: 0, warnings: [] });
  expect((await run(files, store)).manifest.completed).toBe(1_000);
});

test('LIBRARY-55 cancelled it keeps what was read and says so; a file that cannot be read is named with why', async () => {
  const store = new MemoryLibrary();
  const files = filesOf({ 'a.spy': 'apples', 'b.spy': 'bananas', 'c.spy': 'cherries' });
  const cancel = new CancelSource();
  const ports = indexingPorts(files, store, [spyAgent(['spy']), textIngester]);
  const stopped = indexFolder({
    ...ports,
    cancel,
    onProgress: ({ read }) => {
      if (read === 2) cancel.abort();
    },
  });
  await expect(stopped).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  expect(await pathsIn(store)).toEqual(['a.spy', 'b.spy']);
  expect((await openLibrary(store)).manifest.completed).toBeNull();

  const read = ports.folder.read;
  ports.folder.read = (path) => (path === 'c.spy' ? Promise.reject(new Error('EACCES')) : read(path));
  const manifest = await indexFolder(ports);
  expect(manifest.failed).toEqual([{ path: 'c.spy', why: 'It cannot be read.' }]);
  expect(await pathsIn(store)).toEqual(['a.spy', 'b.spy']);
});

test('LIBRARY-56 a pause holds the indexer before the next file until it ends', async () => {
  const store = new MemoryLibrary();
  const agent = spyAgent(['spy']);
  const ports = indexingPorts(filesOf({ 'a.spy': 'a', 'b.spy': 'b' }), store, [agent, textIngester]);
  let goOn = (): void => undefined;
  let asked = 0;
  const work = indexFolder({
    ...ports,
    // Once for the folder, once a file.
    mayGoOn: () => ((asked += 1) === 3 ? new Promise<void>((resolve) => (goOn = resolve)) : Promise.resolve()),
  });
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(agent.seen).toEqual(['a.spy']);
  goOn();
  await work;
  expect(agent.seen).toEqual(['a.spy', 'b.spy']);
});
