/** `accession work` as a program, with runs of playbooks. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SharedRun } from '#lanes/playbooks/core/shared/run-protocol.ts';
import { LEASE_MS } from '#server/work/lease.ts';
import { startModelServer, type Reply } from '../fixtures/model-server.ts';
import { testServer, TOKEN } from '../fixtures/server.ts';
import { startWorker, type WorkerProcess } from '../fixtures/worker.ts';

const BOOK = `playbook: 1
steps:
  - name: half
    tool: cas
    with: { op: evaluate, expr: '1/8' }
    output: half.json
  - name: tell
    model: small
    input: birds.json
    multiple_parts: true
    instruction_user_prompt: 'tell of {this}'
    output: told.jsonl
  - name: look
    tool: rag_retrieve
    with: { query: winch, k: 1 }
    output: found.json
`;
const POLL = { timeout: 120_000, interval: 100 };

test('API-156, PLAYBOOK-87 accession work takes a run where no upload waits; killed by SIGKILL in the middle, another goes on, and no answered unit is asked twice; a step asks the library that the worker is told of', async () => {
  const server = await testServer();
  const asked: string[] = [];
  const model = await startModelServer({
    models: ['m'],
    reply({ messages }): Reply {
      const prompt = messages.at(-1)?.content ?? '';
      if (!prompt.startsWith('tell')) return { content: 'yes' };
      asked.push(prompt);
      return asked.length === 3 ? { hang: 'before-headers' } : { content: `${prompt}: yes` };
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'accession-playbook-work-'));
  const workers: WorkerProcess[] = [];
  onTestFinished(async () => {
    for (const { child } of workers) child.kill('SIGKILL');
    await model.close();
    await server.end();
    await rm(folder, { recursive: true, force: true });
  });
  const toml = `[agent.llm]\nprovider = "ollama"\nbase_url = "${model.url}"\nmodel = "m"\n\n[playbooks]\nlibrary = "notes"\n`;
  await mkdir(join(folder, 'notes'));
  await writeFile(join(folder, 'notes', 'budget.txt'), 'The new winch costs 4,200 euros.\n');
  await writeFile(join(folder, 'accession.toml'), toml);
  const work = (...args: string[]): WorkerProcess => {
    const worker = startWorker(server.url, TOKEN, folder, ['--ffmpeg', '/nowhere/ffmpeg', ...args]);
    workers.push(worker);
    return worker;
  };
  const files = [{ path: 'birds.json', text: '["owl","wren","tern","gull"]' }];
  const { id } = (await server.api<SharedRun>('POST', '/v1/playbooks/runs', { playbook: BOOK, files })).body;
  const told = async (): Promise<string> =>
    (await server.raw('GET', `/v1/playbooks/runs/${id}/file?path=told.jsonl`)).text();

  const first = work('--name', 'first');
  await expect.poll(() => asked.length, POLL).toBe(3);
  await expect.poll(async () => (await told()).trimEnd().split('\n').length, POLL).toBe(2);
  first.child.kill('SIGKILL');
  await first.exited;
  server.time.now += LEASE_MS + 1;
  const second = work('--once');
  expect(await second.exited, second.output.text).toBe(0);
  const { body } = await server.api<SharedRun>('GET', `/v1/playbooks/runs/${id}`);
  expect(body, JSON.stringify(body.end)).toMatchObject({ state: 'completed' });
  expect(asked).toEqual(['owl', 'wren', 'tern', 'tern', 'gull'].map((bird) => `tell of ${bird}`));
  expect(await told()).toBe(['owl', 'wren', 'tern', 'gull'].map((bird) => `"tell of ${bird}: yes"\n`).join(''));
  const found = await server.raw('GET', `/v1/playbooks/runs/${id}/file?path=found.json`);
  expect(await found.text()).toContain('4,200 euros');
});

test('PLAYBOOK-71 a worker that no model is set for says once that runs of playbooks are left to others, and what to do', async () => {
  const server = await testServer();
  const folder = await mkdtemp(join(tmpdir(), 'accession-playbook-work-'));
  const args = ['--ffmpeg', '/nowhere/ffmpeg'];
  const worker = startWorker(server.url, TOKEN, folder, args);
  onTestFinished(async () => {
    worker.child.kill('SIGKILL');
    await worker.exited;
    await server.end();
    await rm(folder, { recursive: true, force: true });
  });
  const said = (): number => worker.output.text.split('runs of playbooks are left to other workers').length - 1;
  await expect.poll(said, POLL).toBe(1);
  expect(worker.output.text).toContain('[playbooks.models]');
});
