/** Every refusal is called what it is, and says what helps in this very case. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createOpenAi } from '#adapters/llm/openai.ts';
import { createSend } from '#adapters/http/request.ts';
import { curlForm } from '../fixtures/worker.ts';
import { testServer, TOKEN, type ErrorAnswer } from '../fixtures/server.ts';
import { asked, QUESTION } from './llm-provider.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serve(deps: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer(deps);
  ends.push(() => server.end());
  return server;
}

describe('API-78 what is refused is named as what it is', () => {
  test('an unknown route, with the list of those that there are; the app says the same', async () => {
    const server = await serve();
    const { body } = await server.api<ErrorAnswer>('GET', '/v1/ingestion/batches');
    expect(body.error).toMatchObject({
      message: 'The API has no such route.',
      remedy: 'GET /v1/openapi.json, or the page /v1/docs, lists the routes that there are.',
    });
    const send = createSend({ baseUrl: server.url, token: () => Promise.resolve(TOKEN) });
    const answer = await send({ method: 'GET', path: '/v1/ingestion/batches' });
    expect(answer).toMatchObject({ ok: false, failure: body.error });
  });

  test('a model that is switched off, and one that is not there', async () => {
    const message = async (deps: Parameters<typeof testServer>[0]) =>
      (await (await serve(deps)).api<ErrorAnswer>('GET', '/v1/llm/models')).body.error.message;
    expect(await message({ deps: { brokerOff: true } })).toBe(
      'No model is set up on this server: its accession.toml says [agent] enabled = false.',
    );
    expect(await message({})).toBe('No model is set up on this server: it has no [agent] in its accession.toml.');
  });

  test('an answer that never ends, with its size', async () => {
    const endless = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const piece = `data: ${JSON.stringify({ choices: [{ delta: { content: 'la '.repeat(20_000) } }] })}\n\n`;
      const write = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', write);
      write();
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => endless.close(resolve).closeAllConnections()));
    const baseUrl = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/v1`;
    const model = createOpenAi({ baseUrl, model: 'tiny', contextLength: 8192, clock: { now: () => Date.now() } });
    const result = await model.complete(QUESTION, undefined, asked());
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'model_error', message: `What answers at ${baseUrl} answered more than 8000 kB.` },
    });
  });
});

describe('API-101 advice is about whoever can do something', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

  test('a full or failing disk of the server: its own, over HTTP and in the app', async () => {
    for (const [error, code, words] of [
      [full, 'storage_full', 'Whoever runs the server frees space on its disk'],
      [
        Object.assign(new Error('EROFS'), { code: 'EROFS' }),
        'storage_failed',
        'Whoever runs the server looks at its disk',
      ],
    ] as const) {
      const server = await serve({
        wrap: ({ originals }) => ({ originals: { ...originals, put: () => Promise.reject(error) } }),
      });
      const { body, headers } = curlForm([{ name: 'a.flac', bytes: new Uint8Array(60_000) }], {});
      const answer = await server.raw('POST', '/v1/ingestion/upload', body, headers);
      const said = ((await answer.json()) as ErrorAnswer).error;
      expect([said.code, said['remedy']]).toEqual([code, expect.stringContaining(words)]);
      expect(said['remedy']).not.toContain('this device');
      const send = createSend({ baseUrl: server.url, token: () => Promise.resolve(TOKEN) });
      const form = new Uint8Array(body);
      const heard = await send({ method: 'POST', path: '/v1/ingestion/upload', body: form, headers });
      expect(heard).toMatchObject({ ok: false, failure: { code: 'server_error', remedy: said['remedy'] } });
    }
  });

  test('a permission that is missing: that one', async () => {
    const server = await serve();
    await server.addToken('token-of-a-reader', 'reader', 'ReadCatalog');
    await server.addToken('token-of-a-worker', 'worker', 'Work');
    await server.addToken('token-of-an-editor', 'editor', 'EditCatalog');
    const remedy = async (token: string, method: string, path: string, body?: object) => {
      const as = { Authorization: `Bearer ${token}` };
      const answer = await server.api<ErrorAnswer>(method, path, body, as);
      return [answer.status, answer.body.error['remedy']];
    };
    expect(await remedy('token-of-a-reader', 'POST', '/v1/ingestion/claims', { worker: 'x' })).toEqual([
      403,
      'Ask an administrator for the permission Work.',
    ]);
    expect(await remedy('token-of-a-worker', 'POST', '/v1/catalog/import', {})).toEqual([
      403,
      'Ask an administrator for the permission EditCatalog.',
    ]);
    expect(await remedy('token-of-a-worker', 'GET', '/v1/audit')).toEqual([
      403,
      'Ask an administrator to do it, or sign in as one.',
    ]);
    expect(await remedy('token-of-an-editor', 'POST', '/v1/tokens', { label: 'more', scope: 'Admin' })).toEqual([
      403,
      'Ask an administrator to do it, or sign in as one.',
    ]);
  });
});
