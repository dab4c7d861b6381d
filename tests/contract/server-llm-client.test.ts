import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createBroker, openBroker } from '#adapters/llm/broker.ts';
import { CHAT_TYPE } from '#core/agent/llm/wire.ts';
import { brokerServer } from '../fixtures/broker-server.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { testServer, TOKEN } from '../fixtures/server.ts';
import { asked, llmProviderSuite, QUESTION, SCHEMA, TOOLS } from './llm-provider.ts';

const token = () => Promise.resolve(TOKEN);

for (const [provider, fragmentSeed] of [
  ['ollama', 7],
  ['openai', null],
] as const) {
  llmProviderSuite({
    name: `broker over ${provider}`,
    faults: true,
    async answering(reply) {
      const models = await startModelServer({
        fragmentSeed,
        reply: () => (typeof reply === 'function' ? reply() : reply),
      });
      const server = await brokerServer({ provider, base_url: models.url });
      return {
        provider: createBroker({ baseUrl: server.url, token }),
        async close() {
          await server.end();
          await models.close();
        },
      };
    },
  });
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function upTo(
  llm: Parameters<typeof brokerServer>[0] | null,
  reply: Parameters<typeof startModelServer>[0] = {},
) {
  const models = await startModelServer(reply);
  const server = await brokerServer({ base_url: models.url, ...llm });
  ends.push(() => server.end(), models.close);
  return { models, server, options: { baseUrl: server.url, token } };
}

describe('the broker as a provider', () => {
  test('LLM-75: opened, it knows the server’s model and what that can do', async () => {
    const { options, models } = await upTo({ provider: 'ollama' }, { capabilities: ['tools'], contextLength: 2048 });
    const opened = await openBroker(options);
    if (!opened.ok) throw new Error(opened.failure.message);
    expect(opened.value).toMatchObject({ name: 'broker', behind: 'ollama', model: 'tiny:latest' });
    expect(opened.value.capabilities).toMatchObject({ contextLength: 2048, nativeTools: true, jsonSchema: true });
    expect(models.requests).toEqual([]);
  });

  test('LLM-73: a look spends no token, also on a model that no list names', async () => {
    const { options, models } = await upTo({ provider: 'openai', model: 'unlisted' });
    expect((await openBroker(options)).ok).toBe(true);
    expect((await openBroker(options)).ok).toBe(true);
    expect(models.requests).toEqual([]);
  });

  test('LLM-75: tools, schema, temperature and seed go through to the model', async () => {
    const { options, models } = await upTo({}, { reply: () => ({ content: '{"choice":"B","why":"x"}' }) });
    const broker = createBroker(options);
    await broker.complete(QUESTION, undefined, asked({ schema: SCHEMA, temperature: 0.7, seed: 11, maxTokens: 77 }));
    await broker.complete(QUESTION, TOOLS, asked());
    expect(models.requests[0]).toMatchObject({ schema: SCHEMA.schema, body: { temperature: 0.7, seed: 11 } });
    expect(models.requests[0]?.messages).toEqual(QUESTION);
    expect(models.requests[1]?.tools).toEqual(['search_catalog']);
  });

  test('LLM-75, LLM-96: what the server finds wrong with its model is the check’s stage, with the administrator as remedy', async () => {
    const { options, server, models } = await upTo({ provider: 'ollama', model: 'other' });
    const report = await createBroker(options).healthCheck();
    expect(report.stages.map((stage) => [stage.stage, stage.failure?.code ?? null])).toEqual([
      ['reachable', null],
      ['permitted', null],
      ['model', 'model_missing'],
    ]);
    expect(report.stages.at(-1)?.failure?.remedy).toContain('administrator');
    await models.close();
    const gone = (await createBroker(options).healthCheck()).stages.at(-1);
    expect(gone).toMatchObject({ stage: 'model', failure: { code: 'model_unreachable' } });
    expect(JSON.stringify(gone)).not.toContain(models.url.replace('http://', ''));
    expect(server.logged.join('\n')).not.toContain(models.url.replace('http://', ''));
  });

  test('LLM-76: what the catalog server refuses has the words and the remedy for it', async () => {
    const { options } = await upTo({ limits: { requests_per_minute: 1, tokens_per_day: 1_000_000 } });
    const codeOf = async (change: Partial<typeof options>, maxTokens = 20) => {
      const result = await createBroker({ ...options, ...change }).complete(QUESTION, undefined, asked({ maxTokens }));
      return result.ok ? result : result.failure;
    };
    expect(await codeOf({ token: () => Promise.resolve('wrong') })).toMatchObject({
      code: 'model_unauthorized',
      remedy: 'Open the sign-in link that the server printed, or enter the token in Settings, Server.',
    });
    expect(await codeOf({ baseUrl: 'http://127.0.0.1:9' })).toMatchObject({ code: 'offline' });
    expect(await codeOf({}, 0)).toMatchObject({ code: 'model_error' });
    expect(await codeOf({})).toMatchObject({ ok: true });
    expect(await codeOf({})).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000, retryable: true });
    const denied = await createBroker({ ...options, token: () => Promise.resolve(null) }).healthCheck();
    expect(denied.stages.at(-1)).toMatchObject({ stage: 'permitted', failure: { code: 'model_unauthorized' } });
  });

  test('LLM-76: a server without a model says so', async () => {
    const server = await testServer();
    ends.push(() => server.end());
    const opened = await openBroker({ baseUrl: server.url, token });
    expect(opened).toMatchObject({ ok: false, failure: { code: 'model_missing' } });
    expect(opened.ok ? '' : opened.failure.remedy).toContain('another provider');
  });

  test.each([
    ['a page', '<!doctype html>', 'model_error'],
    ['nothing', '', 'model_cut'],
    ['a part', '{"type":"text","delta":"{\\"ch"}\n', 'model_cut'],
    ['half a line', '{"type":"done","resp', 'model_cut'],
    ['another wire', '{"type":"done"}\n', 'model_error'],
    [
      'an unknown code',
      '{"type":"failed","failure":{"code":"__proto__","message":"","remedy":"","retryable":true}}\n',
      'model_error',
    ],
  ])('LLM-76: %s instead of an answer is a failure', async (_what, body, code) => {
    const strange = createServer((_request, response) => {
      response.setHeader('content-type', body.startsWith('<') ? 'text/html' : CHAT_TYPE).end(body);
    });
    await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => strange.close(() => resolve())));
    const { port } = strange.address() as AddressInfo;
    const broker = createBroker({ baseUrl: `http://127.0.0.1:${port}`, token });
    expect(await broker.complete(QUESTION, undefined, asked())).toMatchObject({ ok: false, failure: { code } });
    expect((await openBroker({ baseUrl: `http://127.0.0.1:${port}`, token })).ok).toBe(false);
  });
});
