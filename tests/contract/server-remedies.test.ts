/** Every refusal is called what it is, and says what helps in this very case. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createOpenAi } from '#adapters/llm/openai.ts';
import { createSend } from '#adapters/http/request.ts';
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
