import { expect, test } from 'vitest';
import type { IngestAgent } from '#core/ingest/agent.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { LiveAgents } from '#lanes/library/core/model/live-agents.ts';
import {
  LLM_CODE_INGESTER,
  modelIngester,
  type AskModel,
  type ModelAsker,
} from '#lanes/library/core/model/model-ingester.ts';
import { textIngester } from '#lanes/library/core/text/text-ingester.ts';
import { filesOf, indexingPorts, MemoryLibrary, spyAgent } from './library-world.ts';

const AGENT = `---
agentId: lisp-ingester
name: Lisp
capabilities: [ingest:lisp]
priority: 80
provider: ollama
---
`;

/** A model that finds the whole file as one function. */
const answering = (asked: string[], name = 'ollama/m'): AskModel =>
  Object.assign(
    ({ user }: { user: string }) => {
      asked.push(/File: "([^"]*)"/.exec(user)?.[1] ?? '');
      return Promise.resolve({ text: '[{"text":"defun f","chunkType":"defun","symbolName":"f"}]', finish: 'stop' });
    },
    { nameOf: () => name },
  );

const readers = async (store: MemoryLibrary): Promise<string[]> =>
  [...(await openLibrary(store)).index.files()].map(({ kept }) => `${kept.path} ${kept.agentId}`).sort();

const FILES = { 'a.lisp': 'defun f', 'b.spy': 'one', 'c.lisp': 'defun f again', 'd.spy': 'two' };

test('LIBRARY-90 an agent that comes while a folder is read takes the files to come, and has those before read again, no others', async () => {
  const store = new MemoryLibrary();
  const spy = spyAgent(['spy']);
  const asked: string[] = [];
  const own = (): readonly IngestAgent[] => [spy, textIngester];
  const agents = await LiveAgents.open({ own, ask: answering(asked), files: [] });
  let dropped = false;
  const order: string[] = [];
  const ports = {
    ...indexingPorts(filesOf(FILES), store, []),
    registry: agents.registry,
    async mayGoOn() {
      if (dropped || spy.seen.length === 0) return;
      dropped = true;
      await agents.change({ files: [{ file: 'lisp.md', text: AGENT }] });
    },
    onProgress: ({ path }: { path: string }) => void (path !== order.at(-1) && order.push(path)),
  };
  await indexFolder(ports);
  expect(asked).toEqual(['c.lisp', 'a.lisp']);
  expect(spy.seen).toEqual(['b.spy', 'd.spy']);
  expect(await readers(store)).toEqual([
    'a.lisp lisp-ingester',
    'b.spy spy-ingester',
    'c.lisp lisp-ingester',
    'd.spy spy-ingester',
  ]);

  await agents.change({ files: [] });
  await indexFolder(ports);
  expect(await readers(store)).toEqual([
    'a.lisp text-ingester',
    'b.spy spy-ingester',
    'c.lisp text-ingester',
    'd.spy spy-ingester',
  ]);
  expect(spy.seen).toHaveLength(2);
});

test('LIBRARY-90 of changes in a row the last is in force, and who listens hears of it', async () => {
  const agents = await LiveAgents.open({ own: () => [textIngester], ask: null, files: [] });
  let heard = 0;
  const deafen = agents.onChange(() => (heard += 1));
  await Promise.all([
    agents.change({ files: [{ file: 'x.md', text: AGENT }] }),
    agents.change({ files: [{ file: 'x.md', text: AGENT.replace('priority: 80', 'priority: high') }] }),
  ]);
  expect(agents.now.files.size).toBe(0);
  expect(agents.now.refused).toMatchObject([{ file: 'x.md', line: 5 }]);
  deafen();
  await agents.change({ files: [] });
  expect(heard).toBe(2);
});

test('LIBRARY-93 a file that was read without a model is read again when there is one; without one, or with none now, what a model read stays', async () => {
  const store = new MemoryLibrary();
  const asked: string[] = [];
  const own = (ask: ModelAsker): readonly IngestAgent[] => [modelIngester(LLM_CODE_INGESTER, ask), textIngester];
  const agents = await LiveAgents.open({ own, ask: null, files: [] });
  const ports = { ...indexingPorts(filesOf({ 'a.xyz': 'defun f' }), store, []), registry: agents.registry };
  const read = async (): Promise<string[]> => {
    await indexFolder(ports);
    return readers(store);
  };
  expect(await read()).toEqual(['a.xyz text-ingester']);
  const warned = [...(await openLibrary(store)).index.files()].flatMap(({ kept }) => kept.warnings);
  expect(warned).toEqual(['llm-code-ingester could not read "a.xyz": no model is set.']);
  await agents.change({ ask: answering(asked) });
  expect(await read()).toEqual(['a.xyz llm-code-ingester']);
  expect(await read()).toEqual(['a.xyz llm-code-ingester']);
  expect(asked).toHaveLength(1);
  await agents.change({ ask: null });
  expect(await read()).toEqual(['a.xyz llm-code-ingester']);
  await agents.change({ ask: answering(asked, 'ollama/other') });
  expect(await read()).toEqual(['a.xyz llm-code-ingester']);
  expect(asked).toHaveLength(2);
});
