import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openModel } from '#cli/open-model.ts';
import { indexCommand } from '#lanes/library/cli/index-folder.ts';
import { openAsker } from '#lanes/library/cli/open-asker.ts';
import { searchQuestions } from '#lanes/library/cli/search-questions.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { openIndexing } from '#lanes/library/node/open-indexing.ts';
import { startModelServer } from '../../fixtures/model-server.ts';
import { column, makePdf } from '../../fixtures/make-pdf.ts';

const AGENT = `---
name: Own
capabilities: [ingest:xyz]
provider: ollama
model: tiny
---
Say what is there.`;

test('LIBRARY-27 index DIR asks the model that an agent of the data directory names, and says which files are no agents', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'library-'));
  const [folder, data] = [join(dir, 'notes'), join(dir, 'data')];
  await mkdir(folder);
  await mkdir(join(data, 'agents'), { recursive: true });
  await writeFile(join(folder, 'a.xyz'), 'turn it\n');
  // Of a folder that is read, nothing is an agent.
  await writeFile(join(folder, 'agent.md'), AGENT.replace('Own', 'Other'));
  await writeFile(join(folder, 'b.pdf'), makePdf([column(60, 700, ['The harbour of Brill.'])]));
  await writeFile(join(data, 'agents', 'own.md'), AGENT);
  await writeFile(join(data, 'agents', 'bad.md'), 'No agent.');
  const reply = JSON.stringify([{ text: 'turn it', chunkType: 'function', symbolName: 'turn' }]);
  const server = await startModelServer({ models: ['tiny'], reply: () => ({ content: reply }) });
  const { ask, close } = openAsker({ provider: 'ollama', baseUrl: server.url, context: '8192' }, openModel);
  const said: string[] = [];
  try {
    await indexCommand(folder, {
      data,
      cancel: new AbortController().signal,
      ask,
      say: (line) => void said.push(line),
    });
  } finally {
    await close();
    await server.close();
  }
  expect(said).toEqual([
    'no agent: bad.md, line 1: it has no name',
    '3 files with 4 chunks are in the library; 3 of them were read now',
  ]);
  const asked = server.requests.filter(({ messages }) => messages.some(({ content }) => content.includes('a.xyz')));
  expect(asked.map(({ model }) => model)).toEqual(['tiny']);

  const [questions, out] = [join(dir, 'questions.jsonl'), join(dir, 'out.jsonl')];
  await writeFile(questions, '{"id":"symbol","question":"turn"}\n{"id":"pdf","question":"harbour of Brill"}\n');
  await searchQuestions({
    ...{ questions, library: folder, out, k: 1, profile: 'bm25', embedder: null, data },
    ...{ cancel: { aborted: false }, say: () => undefined },
  });
  const found = (await readFile(out, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { docs: unknown[] });
  expect(found.map(({ docs }) => docs[0])).toMatchObject([
    { path: 'a.xyz', agentId: 'own' },
    { path: 'b.pdf', agentId: 'pdf-ingester', text: 'The harbour of Brill.' },
  ]);
});

test('LIBRARY-27 a provider that is not set up is not asked', async () => {
  const { ask } = openAsker({ provider: 'ollama', context: '8192' }, openModel);
  const question = { system: '', user: '', wish: { provider: 'openai' } };
  await expect(ask?.(question, { aborted: false })).rejects.toMatchObject({ failure: { code: 'model_missing' } });
  expect(openAsker({ context: '8192' }, openModel).ask).toBeNull();
});

test('LIBRARY-20, LIBRARY-91 index --watch reads what changes, and agents that come, change and go, until it is stopped', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'library-'));
  const [folder, data, own] = [join(dir, 'notes'), join(dir, 'data'), join(dir, 'own')];
  await mkdir(folder);
  await writeFile(join(folder, 'a.xyz'), 'turn it\n');
  const reply = JSON.stringify([{ text: 'turn it', chunkType: 'function', symbolName: 'turn' }]);
  const server = await startModelServer({ models: ['tiny'], reply: () => ({ content: reply }) });
  const { ask, close } = openAsker({ provider: 'ollama', baseUrl: server.url, context: '8192' }, openModel);
  const stop = new AbortController();
  const said: string[] = [];
  let heard = (): void => undefined;
  const next = (words: string): Promise<void> =>
    new Promise((resolve) => {
      heard = () => {
        if (said.some((line) => line.startsWith(words))) resolve();
      };
      heard();
    });
  const say = (line: string): void => {
    said.push(line);
    heard();
  };
  const readers = async (): Promise<string[]> => {
    const ports = await openIndexing(data, folder, () => never());
    return [...(await openLibrary(ports.store)).index.files()].map(({ kept }) => `${kept.path} ${kept.agentId}`);
  };
  const watching = indexCommand(folder, { data, agents: own, watch: true, cancel: stop.signal, ask, say });
  try {
    await next('watching');
    expect(await readers()).toEqual(['a.xyz text-ingester']);
    said.length = 0;
    // A folder of agents that comes later.
    await mkdir(own);
    await writeFile(join(own, 'own.md'), AGENT);
    await next('1 files with 1 chunks are in the library; 1 of them');
    expect(await readers()).toEqual(['a.xyz own']);
    said.length = 0;
    await writeFile(join(own, 'own.md'), AGENT.replace('ingest:xyz', 'ingest'));
    await next('1 files with 1 chunks are in the library; 1 of them');
    expect(said[0]).toMatch(/own\.md, line 3: "ingest" is no capability/);
    expect(await readers()).toEqual(['a.xyz text-ingester']);
    said.length = 0;
    await writeFile(join(folder, 'b.txt'), 'new\n');
    await next('2 files');
    expect(await readers()).toHaveLength(2);
  } finally {
    stop.abort();
    await watching;
    await close();
    await server.close();
  }
});

const never = (): never => {
  throw new Error('nothing is read here');
};
