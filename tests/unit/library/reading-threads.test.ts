import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IngestAgent } from '#core/ingest/agent.ts';
import { encodeUtf8 } from '#core/utf8.ts';
import { indexCommand } from '#lanes/library/cli/index-folder.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { ReadingPool } from '#lanes/library/core/indexing/reading-pool.ts';
import { threadReader } from '#lanes/library/core/indexing/thread-reader.ts';
import type { FromThread, ReadingThread } from '#lanes/library/core/indexing/thread-messages.ts';
import { LiveAgents } from '#lanes/library/core/model/live-agents.ts';
import type { ModelAsker } from '#lanes/library/core/model/model-ingester.ts';
import { textIngester } from '#lanes/library/core/text/text-ingester.ts';
import { openIndexing } from '#lanes/library/node/open-indexing.ts';
import { filesOf, indexingPorts, MemoryLibrary, spyAgent } from './library-world.ts';

/** Reads until it is ended: a parser that is stuck. */
const stuck = (): IngestAgent => ({
  ...{ agentId: 'stuck-ingester', name: 'Stuck', description: '', priority: 10, version: '1' },
  ...{ capabilities: ['ingest:stuck'], tags: ['tree-sitter'], execute: () => new Promise<never>(() => undefined) },
});

const own = (): readonly IngestAgent[] => [spyAgent(['spy']), stuck(), textIngester];

/** Threads of this process, which end as others do, and a clock's hand. */
async function pool(
  threads: number,
  parts: { own?: (ask: ModelAsker) => readonly IngestAgent[]; ask?: ModelAsker } = {},
) {
  const agents = await LiveAgents.open({ own, ask: null, files: [], ...parts });
  const open: { ended: boolean; die: (why: string | null) => void }[] = [];
  const timers: { run: () => void; ms: number }[] = [];
  const ports = indexingPorts(filesOf({}), new MemoryLibrary(), []);
  const reading = new ReadingPool({
    agents,
    threads,
    timers: {
      set: (run, ms) => {
        timers.push({ run, ms });
        return timers.at(-1);
      },
      clear: (timer) => void timers.splice(0, Infinity, ...timers.filter((one) => one !== timer)),
    },
    open(): ReadingThread {
      const one = { ended: false, die: (_why: string | null): void => undefined };
      open.push(one);
      let hear = (_message: FromThread): void => undefined;
      const reader = threadReader({ ...ports, own: parts.own ?? own }, (message) => {
        if (!one.ended) queueMicrotask(() => hear(message));
      });
      return {
        post: (message) => queueMicrotask(() => reader(structuredClone(message))),
        listen(heard, died) {
          hear = heard;
          one.die = died;
        },
        end: () => void (one.ended = true),
      };
    },
  });
  const read = (path: string, text: string) => reading.read({ path, modified: 1, sha256: path }, encodeUtf8(text));
  return { agents, reading, read, open, timers };
}

const settled = async (): Promise<void> => {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
};

test('LIBRARY-100 a parser that is stuck over 5 s is ended with its thread, and the file is read as text with a warning that says so', async () => {
  const { read, open, timers } = await pool(1);
  const [file, next] = [read('a.stuck', 'all of it'), read('b.spy', 'after it')];
  await settled();
  expect(timers.map(({ ms }) => ms)).toEqual([6_500]);
  timers[0]?.run();
  expect(await file).toMatchObject({
    agentId: 'text-ingester',
    warnings: ['stuck-ingester could not read "a.stuck": parsing it took more than 5 s.'],
  });
  expect(await next).toMatchObject({ agentId: 'spy-ingester', warnings: [] });
  expect(open.map(({ ended }) => ended)).toEqual([true, false]);
  expect(timers).toEqual([]);
});

test('LIBRARY-100 a thread that dies costs the file the agent that it was in the hands of, and no other file anything', async () => {
  const { read, open } = await pool(1);
  const [file, next] = [read('a.stuck', 'all of it'), read('b.spy', 'after it')];
  await settled();
  open[0]?.die('out of memory');
  expect(await file).toMatchObject({
    agentId: 'text-ingester',
    warnings: ['stuck-ingester could not read "a.stuck": it crashed (out of memory).'],
  });
  expect(await next).toMatchObject({ agentId: 'spy-ingester' });
});

test('LIBRARY-110 where the code that reads files cannot be loaded, the run ends with that, and no file is held for unreadable', async () => {
  const { reading, open } = await pool(2);
  const store = new MemoryLibrary();
  const files = filesOf({ 'a.stuck': 'one', 'b.spy': 'two', 'c.spy': 'three' });
  const run = indexFolder({
    ...{ ...indexingPorts(files, store, []), elsewhere: { read: reading.read.bind(reading), atOnce: 3 } },
  });
  await settled();
  open[0]?.die(null);
  await expect(run).rejects.toMatchObject({
    failure: { code: 'offline', message: 'A part of the app is not on this device yet.' },
  });
  expect(open.every(({ ended }) => ended)).toBe(true);
  expect((await openLibrary(store)).manifest).toMatchObject({ segments: [], failed: [], completed: null });
});

test('LIBRARY-101 threads are opened as there is work, know agents that come, ask the model through their owner, and are renewed after what they have read', async () => {
  const asked: string[] = [];
  const ask: ModelAsker = Object.assign(
    ({ user }: { user: string }) => {
      asked.push(user.split('\n')[0] ?? '');
      return Promise.resolve({ text: '[{"text":"defun f","chunkType":"defun","symbolName":"f"}]', finish: 'stop' });
    },
    { nameOf: () => 'toy/m' },
  );
  const { agents, read, reading, open } = await pool(2, { ask });
  await read('a.spy', 'one');
  expect(open).toHaveLength(1);
  await Promise.all([read('b.spy', 'one'), read('c.spy', 'two'), read('d.spy', 'three')]);
  expect(open).toHaveLength(2);
  await agents.change({ files: [{ file: 'x.md', text: '---\nname: Own\ncapabilities: [ingest:own]\n---\n' }] });
  const found = await read('e.own', 'defun f');
  expect(found).toMatchObject({ agentId: 'own', chunks: [{ symbolName: 'f' }] });
  expect(found?.agentKey).toMatch(/^own@\w+ \/\/ ~toy\/m$/);
  expect(asked).toHaveLength(1);
  await read('large.spy', 'x'.repeat(600_000));
  await settled();
  expect(open.filter(({ ended }) => ended)).toHaveLength(1);
  expect(reading.size).toBe(1);
  const waiting = read('z.stuck', 'never');
  reading.close();
  await expect(waiting).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  expect(open.every(({ ended }) => ended)).toBe(true);
});

test('LIBRARY-101 several at once are taken in the order of the folder, and a library that they made is the same', async () => {
  const { reading, agents } = await pool(3);
  const files = filesOf(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}.spy`, `number ${n}`])));
  const [one, many] = [new MemoryLibrary(), new MemoryLibrary()];
  const ports = { ...indexingPorts(files, many, []), registry: agents.registry };
  const elsewhere = { read: reading.read.bind(reading), atOnce: 9 };
  await indexFolder({ ...ports, elsewhere });
  await indexFolder({ ...ports, store: one });
  const paths = async (store: MemoryLibrary): Promise<string[]> =>
    [...(await openLibrary(store)).index.files()].map(({ kept }) => `${kept.path} ${kept.agentKey}`);
  expect(await paths(many)).toEqual(await paths(one));
  expect(await paths(many)).toHaveLength(40);
});

test('LIBRARY-101 accession index --jobs 2 reads code in threads of Node', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'library-'));
  const [folder, data] = [join(dir, 'src'), join(dir, 'data')];
  await mkdir(folder);
  for (let n = 0; n < 12; n++) await writeFile(join(folder, `f${n}.py`), `def kettle_${n}():\n    return ${n}\n`);
  const said: string[] = [];
  try {
    await indexCommand(folder, {
      ...{ data, jobs: 2, cancel: new AbortController().signal, say: (line: string) => void said.push(line) },
    });
    const ports = await openIndexing(data, folder, () => {
      throw new Error('nothing is read here');
    });
    const files = [...(await openLibrary(ports.store)).index.files()];
    expect(files.map(({ kept }) => kept.agentId)).toEqual(Array(12).fill('python-ingester'));
    expect(files.every(({ of, kept }) => of.chunksOf(kept)[0]?.symbolName?.startsWith('kettle_') === true)).toBe(true);
    expect(said).toEqual(['12 files with 12 chunks are in the library; 12 of them were read now']);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
