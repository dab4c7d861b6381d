import { embedByBroker } from '#adapters/llm/embed-broker.ts';
import { embedByOllama, embedByOpenAi } from '#adapters/llm/embed-wires.ts';
import { createOpenAi } from '#adapters/llm/openai.ts';
import { embedInBrowser } from '#adapters/models/embed-local.ts';
import { EngineHost } from '#adapters/models/engine-host.ts';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { createServerBroker } from '#server/llm/broker.ts';
import { describe, expect, test } from 'vitest';
import { startEmbeddingServer } from '../fixtures/embedding-server.ts';
import { TOKEN, testServer, type ErrorAnswer } from '../fixtures/server.ts';
import { embedderConformance } from './embedder.ts';

const clock = { now: () => Date.now() };

embedderConformance('Ollama', async (reply) => {
  const server = await startEmbeddingServer(reply);
  const embedder = embedByOllama({ baseUrl: server.url, model: 'tiny', clock });
  return { embedder, asked: server.asked, end: server.close };
});

embedderConformance('an OpenAI-compatible server', async (reply) => {
  const server = await startEmbeddingServer(reply);
  const embedder = embedByOpenAi({ baseUrl: `${server.url}/v1`, model: 'tiny', clock });
  return { embedder, asked: server.asked, end: server.close };
});

/** A catalog server in front of an OpenAI-compatible one. */
async function lending(baseUrl: string, limits = { requests_per_minute: 1000, tokens_per_day: 1_000_000 }) {
  return testServer({
    broker: (deps) =>
      createServerBroker(
        {
          ...{ provider: 'openai', base_url: baseUrl, model: 'chat', embedding_model: 'tiny', temperature: 0 },
          ...{ timeout_secs: 30, context_length: 4096, key: { kind: 'none' }, limits },
        },
        {
          ...deps,
          provider: (llm, key) =>
            createOpenAi({
              baseUrl: llm.base_url,
              model: llm.model,
              contextLength: 4096,
              clock,
              key,
              asksToFind: false,
            }),
          embedder: (llm, key) =>
            embedByOpenAi({ baseUrl: llm.base_url, model: llm.embedding_model ?? '', clock, key }),
        },
      ),
  });
}

embedderConformance("the catalog server's model", async (reply) => {
  const vectors = await startEmbeddingServer(reply);
  const server = await lending(`${vectors.url}/v1`);
  const embedder = embedByBroker({ baseUrl: server.url, token: () => Promise.resolve(TOKEN), model: 'tiny' });
  const end = async (): Promise<void> => {
    await server.end();
    await vectors.close();
  };
  return { embedder, asked: vectors.asked, end };
});

embedderConformance(
  'a model in this browser',
  (reply) => {
    const asked: string[][] = [];
    const host = new EngineHost(() =>
      Promise.resolve(
        ok({
          contextLength: 2048,
          answer: () => Promise.resolve(fail(failure('model_error', 'It answers nothing.'))),
          async embed(text: string) {
            asked.push([text]);
            const said = reply([text], asked.length);
            if ('hang' in said) return new Promise<never>(() => undefined);
            if ('vectors' in said) return ok(said.vectors[0] as number[]);
            if ('status' in said)
              return fail(failure(said.status === 429 ? 'rate_limited' : 'model_error', `It said ${said.error}.`));
            return fail(failure('model_error', 'The model "tiny" made no vector.'));
          },
          close: () => Promise.resolve(),
        }),
      ),
    );
    const open = () => ({ api: host, died: new Promise<Error>(() => undefined), terminate: () => undefined });
    return Promise.resolve({ embedder: embedInBrowser({ id: 'tiny', open }), asked, end: () => Promise.resolve() });
  },
  { oneByOne: true },
);

describe('POST /v1/llm/embed', () => {
  test('LIBRARY-99: it wants Work and a model, counts like a chat, says which model, and keeps the address to itself', async () => {
    const vectors = await startEmbeddingServer();
    const server = await lending(`${vectors.url}/v1`, { requests_per_minute: 2, tokens_per_day: 1000 });
    const off = await testServer();
    try {
      await server.addToken('reader-token', 'reader', 'Other');
      const reader = { Authorization: 'Bearer reader-token' };
      expect((await server.api('POST', '/v1/llm/embed', { texts: ['a'] }, reader)).status).toBe(403);
      expect((await server.api('POST', '/v1/llm/embed', { texts: [] })).status).toBe(400);
      expect((await off.api('POST', '/v1/llm/embed', { texts: ['a'] })).status).toBe(404);
      const answer = await server.api<{ model: string }>('POST', '/v1/llm/embed', { texts: ['a', 'b'] });
      expect(answer).toMatchObject({ status: 200, body: { model: 'tiny', vectors: [{ length: 8 }, { length: 8 }] } });
      expect((await server.api('POST', '/v1/llm/embed', { texts: ['a'] })).status).toBe(200);
      expect((await server.api('POST', '/v1/llm/embed', { texts: ['a'] })).status).toBe(429);
      await vectors.close();
      expect(server.logged.join('\n')).not.toContain(vectors.url);
    } finally {
      await server.end();
      await off.end();
    }
  });

  test("LIBRARY-99: what the model's server fails with is 502 with a sentence, without its address", async () => {
    const vectors = await startEmbeddingServer(() => ({ status: 500, error: 'out of memory' }));
    const server = await lending(`${vectors.url}/v1`);
    try {
      const { status, body } = await server.api<ErrorAnswer>('POST', '/v1/llm/embed', { texts: ['a'] });
      expect([status, body.error.code]).toEqual([502, 'model_error']);
      expect(JSON.stringify(body)).not.toContain(new URL(vectors.url).port);
    } finally {
      await server.end();
      await vectors.close();
    }
  });
});
