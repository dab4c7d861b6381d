/** One playbook, three places: the terminal, the server with its worker, and the service that the pages of a browser call. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, onTestFinished, test } from 'vitest';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import type { Result } from '#core/result.ts';
import { openDatabase } from '#lanes/database.ts';
import { createPlaybookService } from '#lanes/playbooks/browser/playbook-service.ts';
import { NO_NET } from '../fixtures/toolbox/no-net.ts';
import type { SharedRun } from '#lanes/playbooks/core/shared/run-protocol.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { BOOK, MADE, OUTLINE, SCORES } from '../fixtures/playbook-places.ts';
import { runProgram } from '../fixtures/program.ts';
import { testServer, TOKEN } from '../fixtures/server.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

async function value<Value>(answer: Promise<Result<Value>>): Promise<Value> {
  const result = await answer;
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

test('PLAYBOOK-52 one playbook of four stages and statistics writes the same bytes at the terminal, over the server and in the browser’s service, where no network is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-places-'));
  const server = await testServer();
  const model = await startModelServer({
    models: ['m'],
    reply({ messages }) {
      const said = messages.at(-1)?.content ?? '';
      return { content: said.startsWith('Outline') ? OUTLINE : `Said of: ${said}` };
    },
  });
  const cage = openNodeCage();
  const db = openDatabase('places');
  onTestFinished(async () => {
    cage.close();
    await db.delete();
    await model.close();
    await server.end();
    await rm(folder, { recursive: true, force: true });
  });
  const root = join(folder, 'root');
  const recording = join(folder, 'recording.json');
  await mkdir(root);
  await writeFile(join(root, 'scores.json'), SCORES);
  await writeFile(join(folder, 'book.yaml'), BOOK);
  const flags = ['--set', 'title=Bees', '--root', root, '--data', folder, '--base-url', model.url];
  const asks = ['--model-map', '*=ollama/m', '--record', recording];
  const terminal = await runProgram(
    'cli/main.ts',
    ['playbook', 'run', join(folder, 'book.yaml'), ...flags, ...asks],
    {},
  );
  expect(await terminal.exited, terminal.stderr()).toBe(0);
  const want = new Map<string, string>();
  for (const path of MADE) want.set(path, await readFile(join(root, path), 'utf8'));
  expect(want.get('stage/compared.json')).toContain('p_value');
  // From here on nothing can be asked of a model.
  await model.close();

  const files = [{ path: 'scores.json', text: SCORES }];
  const wish = { playbook: BOOK, config: { title: 'Bees' }, files };
  const { id } = (await server.api<SharedRun>('POST', '/v1/playbooks/runs', wish)).body;
  await writeFile(join(folder, 'accession.toml'), `[playbooks.models]\n"*" = "recorded/${recording}"\n`);
  const worker = await runProgram(
    'cli/main.ts',
    ['work', '--server', server.url, '--once', '--ffmpeg', '/nowhere/ffmpeg'],
    { ACCESSION_TOKEN: TOKEN, ACCESSION_DATA: folder },
  );
  expect(await worker.exited, worker.stderr()).toBe(0);
  const { body } = await server.api<SharedRun>('GET', `/v1/playbooks/runs/${id}`);
  expect(body, JSON.stringify(body.end)).toMatchObject({ state: 'completed' });
  for (const [path, text] of want)
    expect(await (await server.raw('GET', `/v1/playbooks/runs/${id}/file?path=${path}`)).text(), path).toBe(text);

  let count = 0;
  const api = createPlaybookService({
    ...{ db, clock: { now: () => Date.now() }, ids: { next: () => `id-${(count += 1)}` }, openCage: () => cage },
    timers: { set: () => null, clear: () => undefined },
    stepTools: () => Promise.resolve([]),
    net: NO_NET,
    sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
    models: () => Promise.reject(new Error('no model is asked')),
    lock: () => Promise.resolve(() => undefined),
    server: () => Promise.reject(new Error('no server is asked')),
  });
  const book = await value(api.add('Places', BOOK));
  await value(api.save(book, { values: { title: 'Bees' } }));
  const recorded = await readFile(recording, 'utf8');
  await value(
    api.addFiles(book, [
      { path: 'scores.json', file: new File([SCORES], 'scores.json') },
      { path: 'recording.json', file: new File([recorded], 'recording.json') },
    ]),
  );
  const begun: string[] = [];
  const settings = { limits: {}, parallel: null, reuse: null };
  await value(api.run({ book, with: 'recording', ...settings }, (run) => void begun.push(run)));
  expect(await value(api.show(begun[0] ?? ''))).toMatchObject({ state: 'completed', error: null });
  for (const [path, text] of want) expect(await value(api.file(`run:${begun[0] ?? ''}`, path)), path).toBe(text);
});
