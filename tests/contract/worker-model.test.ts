/** The model of a headless worker, opened from its accession.toml as `accession work` does it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { workSettings } from '#adapters/work/ask-defaults.ts';
import { openWorkModel } from '#cli/work-model.ts';
import { withModel } from '#cli/work.ts';
import { USUAL_DEFAULTS } from '#core/agent/llm/wire.ts';
import { configOf, type FileConfig, readConfigFile } from '#server/config-file.ts';
import type { MirroredReviewSchema } from '#core/sync/protocol.ts';
import { makeAudio } from '../fixtures/audio.ts';
import { startModelServer, type Reply } from '../fixtures/model-server.ts';
import { SMALL_CATALOG, testServer, TOKEN } from '../fixtures/server.ts';
import { curlForm, startWorker } from '../fixtures/worker.ts';
import { asked, QUESTION } from './llm-provider.ts';

test('LLM-64, WORK-39 the key of a worker comes from its command: kept, and fetched anew once after a 401', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-worker-key-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const setKey = (key: string): Promise<void> => writeFile(join(folder, 'key'), key);
  const runs = async (): Promise<number> => (await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n').length;
  await setKey('sk-first');
  const first = await startModelServer({ key: 'sk-first' });
  const toml = `[agent.llm]\nprovider = "openai"\nbase_url = "${first.url}"\nmodel = "tiny"\napi_key_command = "echo ran >> ${folder}/runs; cat ${folder}/key"\n`;
  await writeFile(join(folder, 'accession.toml'), toml);
  const file = await readConfigFile({}, folder);
  const settings = withModel(workSettings(USUAL_DEFAULTS), USUAL_DEFAULTS, file, true);
  const opened = await openWorkModel(settings, file, {
    baseUrl: 'http://127.0.0.1:9',
    token: () => Promise.resolve(''),
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  const ask = async () => (await opened.value.complete(QUESTION, undefined, asked())).ok;
  expect([await ask(), await ask(), await runs()]).toEqual([true, true, 1]);
  await first.close();
  await setKey('sk-second');
  const second = await startModelServer({ key: 'sk-second', port: Number(new URL(first.url).port) });
  onTestFinished(second.close);
  expect([await ask(), await ask(), await runs()]).toEqual([true, true, 2]);
});

test('WORK-39 a worker with a model of its own goes by its own max_iterations and strategy, one without by the server’s', () => {
  const server = { ...USUAL_DEFAULTS, broker: true, max_iterations: 5, strategy: 'choice' as const };
  const own = configOf(
    { agent: { max_iterations: 7, strategy: 'tools', llm: { model: 'tiny' } } },
    null,
    '/data',
    false,
    {},
  );
  const none = configOf({}, null, '/data', false, {});
  const of = (file: FileConfig) => withModel(workSettings(server), server, file, true);
  expect(of(own)).toMatchObject({ llm_provider: 'ollama', llm_max_iterations: 7, llm_strategy: 'tools' });
  expect(of(none)).toMatchObject({ llm_provider: 'broker', llm_max_iterations: 5, llm_strategy: 'choice' });
});

test('LLM-97, AGENT-87 a worker whose model gives two calls one id gets both answers, and one that asks twice for what is refused is ended, with its reason in the question', async () => {
  const server = await testServer();
  const turns: Reply[] = [
    {
      toolCalls: ['Tokyo', 'Bridge'].map((query) => ({ name: 'search_catalog', arguments: { query }, id: 'call_1' })),
    },
    { toolCalls: [{ name: 'delete_catalog', arguments: { all: true } }] },
  ];
  const model = await startModelServer({ reply: ({ n }) => turns[Math.min(n, 1)] ?? {} });
  const toml = `[agent]\nstrategy = "tools"\n[agent.llm]\nprovider = "openai"\nbase_url = "${model.url}"\nmodel = "tiny"\n`;
  const folder = await mkdtemp(join(tmpdir(), 'accession-worker-model-'));
  await writeFile(join(folder, 'accession.toml'), toml);
  await server.importCatalog(SMALL_CATALOG);
  const files = [{ name: 'mystery.flac', bytes: await makeAudio({ format: 'flac', seconds: 20, seed: 9 }) }];
  const { body, headers } = curlForm(files, { context_type: 'spontaneous' });
  expect((await server.raw('POST', '/v1/ingestion/upload', body, headers)).status).toBe(201);
  const worker = startWorker(server.url, TOKEN, folder, ['--ffmpeg', '/nowhere/ffmpeg']);
  onTestFinished(async () => {
    worker.child.kill('SIGKILL');
    await Promise.all([model.close(), server.end(), rm(folder, { recursive: true, force: true })]);
  });
  const advice = async () => {
    const { body } = await server.api<{ items: v.InferOutput<typeof MirroredReviewSchema>[] }>(
      'GET',
      '/v1/ingestion/review',
    );
    return body.items[0]?.advice;
  };
  await expect.poll(advice, { timeout: 120_000, interval: 250 }).toBeTruthy();
  expect(JSON.stringify(await advice())).toContain('The model asked again for what was refused');
  const [, second, third, more] = model.requests;
  const answers = second?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(new Set(answers.map(({ tool_call_id }) => tool_call_id)).size).toBe(2);
  expect([third?.tools.includes('search_catalog'), more]).toEqual([true, undefined]);
});
