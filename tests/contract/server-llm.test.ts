import { afterEach, describe, expect, test } from 'vitest';
import { USUAL_DEFAULTS, type ChatEvent, type ModelsAnswer, type ServerDefaults } from '#core/agent/llm/wire.ts';
import { failure } from '#core/errors.ts';
import { fail } from '#core/result.ts';
import type { LlmConfig } from '#server/config-file.ts';
import { createServerBroker } from '#server/llm/broker.ts';
import { FAKE_CAPABILITIES, fakeModel, hanging, saying, type Answering } from '../fixtures/fake-model.ts';
import { openTestStore, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

const LLM: LlmConfig = {
  provider: 'openai',
  base_url: 'http://models.internal:8000/v1',
  model: 'fake-model',
  temperature: 0.4,
  timeout_secs: 120,
  context_length: 4096,
  key: { kind: 'fixed', key: 'sk-marker-fixed' },
  limits: { requests_per_minute: 3, tokens_per_day: 1000 },
};
const CHAT = { messages: [{ role: 'user', content: 'Which one?' }], max_tokens: 50 };
const DAY = 86_400_000;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A server whose broker asks `answer`. */
async function serve(answer: Answering, llm: Partial<LlmConfig> = {}, heartbeatMs?: number) {
  const model = fakeModel(answer);
  const rest = heartbeatMs === undefined ? {} : { heartbeatMs };
  const server: TestServer = await testServer({
    broker: (deps) =>
      createServerBroker({ ...LLM, ...llm }, { ...deps, provider: (_llm, key) => model.provider(key), ...rest }),
  });
  ends.push(() => server.end());
  return { ...server, asked: model.asked };
}

const eventsOf = async (response: Response): Promise<ChatEvent[]> =>
  (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ChatEvent);

const post = (server: TestServer, body: unknown = CHAT, headers: Record<string, string> = {}): Promise<Response> =>
  server.raw('POST', '/v1/llm/chat', JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });

const callsLogged = (server: TestServer): Record<string, unknown>[] =>
  server.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['message'] === 'model call');

describe('POST /v1/llm/chat', () => {
  test('LLM-66: text comes while the model writes, and the whole answer at the end', async () => {
    let goOn = (): void => undefined;
    const server = await serve(async ({ options }) => {
      options.onText?.('{"choice"');
      await new Promise<void>((resolve) => (goOn = resolve));
      options.onText?.(':"A"}');
      return saying('{"choice":"A"}');
    });
    const response = await post(server, { ...CHAT, schema: { name: 'choice', schema: { type: 'object' } }, seed: 4 });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe('{"type":"text","delta":"{\\"choice\\""}\n');
    goOn();
    let rest = '';
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
      rest += new TextDecoder().decode(piece.value);
    const events = rest
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ChatEvent);
    expect(events.map((event) => event.type)).toEqual(['text', 'done']);
    expect(events[1]).toEqual({ type: 'done', response: (saying('{"choice":"A"}') as { value: unknown }).value });
    const [asked] = server.asked;
    expect(asked).toMatchObject({ key: 'sk-marker-fixed', messages: CHAT.messages, tools: undefined });
    expect(asked?.options).toMatchObject({ maxTokens: 50, temperature: 0.4, seed: 4, timeoutMs: 120_000 });
    expect(asked?.options.schema?.name).toBe('choice');
  });

  test('LLM-66: a failure of the model is the last line, with its code, and no address', async () => {
    const server = await serve(() =>
      fail(failure('rate_limited', 'http://models.internal:8000/v1 is busy.', { retryAfterMs: 5000 })),
    );
    const [event, ...more] = await eventsOf(await post(server));
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: 'failed', failure: { code: 'rate_limited', retryAfterMs: 5000 } });
    expect(JSON.stringify(event)).not.toContain('models.internal');
  });

  test('LLM-66: a provider that throws is a failure, told without its words', async () => {
    const server = await serve(() => {
      throw new Error('sk-marker-fixed in a stack');
    });
    expect(await eventsOf(await post(server))).toMatchObject([{ type: 'failed', failure: { code: 'model_error' } }]);
    expect(server.logged.join('\n')).not.toContain('marker');
  });

  test('LLM-67: who hangs up ends the question to the model', async () => {
    const server = await serve(hanging);
    const stop = new AbortController();
    const response = await fetch(`${server.url}/v1/llm/chat`, {
      method: 'POST',
      body: JSON.stringify(CHAT),
      headers: { Authorization: 'Bearer test-token-of-the-admin', 'Content-Type': 'application/json' },
      signal: stop.signal,
    });
    await expect.poll(() => server.asked.length).toBe(1);
    expect(server.asked[0]?.options.signal?.aborted).toBe(false);
    stop.abort();
    await response.text().catch(() => undefined);
    await expect.poll(() => server.asked[0]?.options.signal?.aborted).toBe(true);
    await expect.poll(() => callsLogged(server)).toMatchObject([{ status: 'cancelled', user: 'admin' }]);
  });

  test('LLM-67: a server that stops ends them all', async () => {
    const server = await serve(hanging);
    const answer = eventsOf(await post(server));
    await expect.poll(() => server.asked.length).toBe(1);
    const since = performance.now();
    await server.close();
    expect(performance.now() - since).toBeLessThan(1500);
    expect(await answer).toMatchObject([{ type: 'failed', failure: { code: 'cancelled' } }]);
  });

  test('LLM-66: a model that thinks long is waited for, with empty lines', async () => {
    let answer = (): void => undefined;
    const server = await serve(
      async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        return saying('A');
      },
      {},
      10,
    );
    const reader = (await post(server)).body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader?.read())?.value ?? '';
    expect(text).toMatch(/^\n+$/);
    answer();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) text += next.value;
    expect(text).toMatch(/^\n+\{"type":"done".*\}\n$/);
  });

  test.each([
    ['no message', { ...CHAT, messages: [] }, 'body "messages": a chat has a message.'],
    ['too many', { ...CHAT, messages: Array(401).fill(CHAT.messages[0]) }, '400 messages at most'],
    ['a role', { ...CHAT, messages: [{ role: 'god', content: '' }] }, 'body "messages.0.role"'],
    [
      'both bindings',
      { ...CHAT, tools: [{ name: 'x', description: '', parameters: {} }], schema: { name: 'x', schema: {} } },
      'not both',
    ],
    ['no length', { messages: CHAT.messages }, 'body "max_tokens"'],
  ])('LLM-68: %s is 400 and named', async (_what, body, words) => {
    const server = await serve(() => saying('A'));
    const answer = await server.api<ErrorAnswer>('POST', '/v1/llm/chat', body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } });
    expect(answer.body.error.message).toContain(words);
    expect(server.asked).toEqual([]);
  });

  test('LLM-68: a body of more than two megabytes is 413', async () => {
    const server = await serve(() => saying('A'));
    const answer = await server.api<ErrorAnswer>('POST', '/v1/llm/chat', {
      ...CHAT,
      messages: [{ role: 'user', content: 'x'.repeat(2_200_000) }],
    });
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'too_large' } } });
  });

  test('LLM-69: it wants the permission, and a model', async () => {
    const server = await serve(() => saying('A'));
    await server.addToken('reader-token', 'reader', 'Other');
    for (const [method, path, scope] of [
      ['POST', '/v1/llm/chat', 'Work'],
      ['GET', '/v1/llm/models', 'Work'],
      ['GET', '/v1/config', 'ReadCatalog'],
    ] as const) {
      const body = method === 'POST' ? CHAT : undefined;
      const refused = await server.api<ErrorAnswer>(method, path, body, { Authorization: 'Bearer reader-token' });
      expect([refused.status, refused.body.error.message]).toEqual([403, `This needs the permission ${scope}.`]);
      expect(refused.body.error['remedy']).toBe(`Ask an administrator for the permission ${scope}.`);
      expect((await server.api(method, path, body, { Authorization: 'Bearer unknown' })).status).toBe(401);
    }
    // A worker's token has that permission and no more; an editor's has it with its own.
    await server.addToken('worker-token', 'worker', 'Work');
    await server.addToken('editor-token', 'editor', 'EditCatalog');
    for (const token of ['worker-token', 'editor-token'])
      expect((await server.api('POST', '/v1/llm/chat', CHAT, { Authorization: `Bearer ${token}` })).status).toBe(200);
    const off = await testServer();
    ends.push(() => off.end());
    expect((await off.api<ErrorAnswer>('POST', '/v1/llm/chat', CHAT)).body.error.message).toContain(
      'No model is set up',
    );
    expect((await off.api('GET', '/v1/llm/models')).status).toBe(404);
    expect((await off.api<ServerDefaults>('GET', '/v1/config')).body).toEqual(USUAL_DEFAULTS);
  });
});

describe('to whom the model is lent', () => {
  const lendOf = async (server: TestServer) => (await server.api<ServerDefaults>('GET', '/v1/config')).body.lend;

  test('API-87: an administrator sets it on for all, before what accession.toml says; it is kept, and in the log', async () => {
    const server = await serve(() => saying('A'));
    expect(await lendOf(server)).toBe('ask');
    const set = { lend: 'all' };
    expect(await server.api('PUT', '/v1/llm/lend', set)).toMatchObject({ status: 200, body: set });
    expect(await lendOf(server)).toBe('all');
    const { body } = await server.api<{ items: unknown[] }>('GET', '/v1/audit');
    expect(body.items[0]).toMatchObject({ action: 'model.lent', details: set });
    expect((await server.api('PUT', '/v1/llm/lend', { lend: 'ask' })).status).toBe(200);
    expect(await lendOf(server)).toBe('ask');
  });

  test('API-87: nobody else may, and nothing else is taken', async () => {
    const server = await serve(() => saying('A'));
    await server.addToken('editor-token', 'editor', 'EditCatalog');
    const as = { Authorization: 'Bearer editor-token' };
    expect((await server.api('PUT', '/v1/llm/lend', { lend: 'all' }, as)).status).toBe(403);
    expect((await server.api('PUT', '/v1/llm/lend', { lend: 'everybody' })).status).toBe(400);
    expect(await lendOf(server)).toBe('ask');
  });
});

describe('the limits of a user', () => {
  test('LLM-70: requests a minute: 429 with when to come back, for this user alone', async () => {
    const server = await serve(() => saying('A'));
    await server.addToken('other-token', 'other', 'EditCatalog');
    for (let n = 0; n < 3; n += 1) {
      expect((await post(server)).status).toBe(200);
      server.time.now += 10_000;
    }
    const refused = await server.api<ErrorAnswer>('POST', '/v1/llm/chat', CHAT);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(refused.headers.get('retry-after')).toBe('30');
    expect((await post(server, CHAT, { Authorization: 'Bearer other-token' })).status).toBe(200);
    server.time.now += 30_000;
    expect((await post(server)).status).toBe(200);
    expect((await post(server)).status).toBe(429);
    expect(server.asked).toHaveLength(5);
  });

  test('LLM-70: requests a minute are counted across the processes of one database, at once, too', async () => {
    const server = await serve(() => saying('A'));
    const store = await openTestStore(server.data);
    const provider = () => fakeModel(() => saying('A')).provider(() => Promise.resolve(null));
    const other = createServerBroker(LLM, { ...server.deps, store, provider });
    const chat = { messages: [], max_tokens: 1 };
    const own = server.deps.broker;
    if (own === null) throw new Error('the server has no broker');
    const opened = await Promise.all([other, own, other, own, other].map((broker) => broker.open('eva', chat)));
    expect(opened.filter((one) => one.ok)).toHaveLength(3);
    const refused = opened.filter((one) => !one.ok);
    expect(refused).toEqual(Array(2).fill({ ok: false, limit: 'requests_per_minute', retryAfterMs: 60_000 }));
    await other.close();
    await store.close();
  });

  test('LLM-71: tokens a day: what was used counts, also after a restart, until the day is over (UTC)', async () => {
    const server = await serve(() => saying('A', [900, 99]));
    server.time.now = DAY * 20_000 + DAY / 2;
    await eventsOf(await post(server));
    await expect.poll(() => callsLogged(server).length).toBe(1);
    await eventsOf(await post(server));
    await expect
      .poll(async () => (await server.store.db.selectFrom('model_usage').selectAll().execute())[0])
      .toEqual({
        user_id: 'admin',
        day: 20_000,
        tokens: 1998,
        requests: 2,
      });
    const refused = await server.api<ErrorAnswer>('POST', '/v1/llm/chat', CHAT);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String(DAY / 2 / 1000));
    // The minute's requests are over, the day's tokens are not.
    server.time.now += 60_000;
    const store = await openTestStore(server.data);
    const restarted = createServerBroker(LLM, {
      ...server.deps,
      store,
      provider: () => fakeModel(() => saying('A')).provider(() => Promise.resolve(null)),
    });
    expect(await restarted.open('admin', { ...CHAT, messages: [] })).toMatchObject({
      ok: false,
      limit: 'tokens_per_day',
    });
    await store.close();
    server.time.now += DAY / 2;
    expect((await post(server)).status).toBe(200);
  });

  test('LLM-71, LLM-94: calls under way count by what they may take; an upstream that does not count is counted by length', async () => {
    let end = (): void => undefined;
    const server = await serve(async () => {
      await new Promise<void>((resolve) => (end = resolve));
      return saying('x'.repeat(400), [null, null]);
    });
    const first = await post(server, { ...CHAT, max_tokens: 2000 });
    expect((await post(server)).status).toBe(429);
    end();
    await eventsOf(first);
    await expect.poll(() => callsLogged(server).length).toBe(1);
    const rows = await server.store.db.selectFrom('model_usage').selectAll().execute();
    expect(rows[0]?.tokens).toBeGreaterThan(100);
    expect(rows[0]?.tokens).toBeLessThan(200);
    server.time.now += 60_000;
    expect((await post(server)).status).toBe(200);
    end();
  });
});

describe('what is told', () => {
  test('LLM-72: a call is logged with user, model, tokens, time and status, and nothing else', async () => {
    const server = await serve(({ options }) => {
      options.onText?.('secret words');
      server.time.now += 40;
      return saying('secret words');
    });
    await eventsOf(await post(server));
    await expect.poll(() => callsLogged(server).length).toBe(1);
    const { time, ...line } = callsLogged(server)[0] ?? {};
    expect(time).toBeTypeOf('string');
    expect(line).toEqual({
      level: 'info',
      message: 'model call',
      user: 'admin',
      model: 'fake-model',
      tokens_in: 7,
      tokens_out: 3,
      ms: 40,
      status: 'done',
    });
    expect(server.logged.join('\n')).not.toContain('secret words');
  });

  test('LLM-73: GET /v1/llm/models names provider, model and what it can do; no address, no key', async () => {
    const server = await serve(() => saying('A'));
    const { status, body } = await server.api<ModelsAnswer>('GET', '/v1/llm/models');
    expect([status, body]).toEqual([
      200,
      {
        provider: 'openai',
        models: [{ id: 'fake-model', capabilities: FAKE_CAPABILITIES }],
        embedding: null,
        failure: null,
      },
    ]);
  });

  test('LLM-74: [ingestion] enabled = false keeps uploads and commits waiting', async () => {
    const server = await testServer({ deps: { defaults: { ...USUAL_DEFAULTS, ingestion: false } } });
    ends.push(() => server.end());
    for (const path of ['/v1/uploads', '/v1/ingestion/commits']) {
      const answer = await server.api<ErrorAnswer>('POST', path, {});
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '300']);
      expect(answer.body.error.message).toContain('switched off');
    }
    expect((await server.api('GET', '/v1/ingestion/jobs')).status).toBe(200);
    expect((await server.api<ServerDefaults>('GET', '/v1/config')).body.ingestion).toBe(false);
  });
});
