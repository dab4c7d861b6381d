import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBroker } from '#adapters/llm/broker.ts';
import { brokerServer } from '../fixtures/broker-server.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { TOKEN } from '../fixtures/server.ts';
import { asked, QUESTION } from './llm-provider.ts';

const token = () => Promise.resolve(TOKEN);
let folder: string;
const ends: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accession-secret-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await rm(folder, { recursive: true, force: true });
});

/** A command that prints what the file holds and notes that it ran. */
const command = () => `echo ran >> ${folder}/runs; echo sk-noise-marker >&2; cat ${folder}/key`;
const runs = async (): Promise<number> => (await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n').length;
const setKey = (key: string): Promise<void> => writeFile(join(folder, 'key'), `${key}\n`);

/** An upstream that answers by hand. */
async function upstream(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function through(base_url: string, limitMs?: number) {
  const server = await brokerServer({ base_url, key: { kind: 'command', command: command() } }, limitMs);
  ends.unshift(() => server.end());
  const heard: string[] = [];
  const broker = createBroker({ baseUrl: server.url, token });
  return {
    server,
    async ask() {
      const result = await broker.complete(QUESTION, undefined, asked({ onText: (delta) => heard.push(delta) }));
      return { result, everything: JSON.stringify(result) + heard.join('') + server.logged.join('\n') };
    },
  };
}

describe('the key of the model server', () => {
  test('LLM-64: the command runs once; after a 401 once more, and the question is asked again', async () => {
    await setKey('sk-marker-1');
    const models = await startModelServer({ key: 'sk-marker-1' });
    const { port } = new URL(models.url);
    const { ask } = await through(models.url);
    expect((await ask()).result.ok).toBe(true);
    expect((await ask()).result.ok).toBe(true);
    expect(await runs()).toBe(1);
    await models.close();
    // The key is rotated: the same server asks for another one.
    const rotated = await startModelServer({ key: 'sk-marker-2', port: Number(port) });
    ends.push(rotated.close);
    await setKey('sk-marker-2');
    const { result, everything } = await ask();
    expect(result.ok).toBe(true);
    expect(await runs()).toBe(2);
    expect(rotated.requests).toHaveLength(1);
    expect((await ask()).result.ok).toBe(true);
    expect(await runs()).toBe(2);
    expect(everything).not.toContain('marker');
  });

  test('LLM-64: a key that stays refused ends in words for the administrator, after one repetition', async () => {
    await setKey('sk-marker-1');
    let asks = 0;
    const base = await upstream((_request, response) => {
      asks += 1;
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    });
    const { ask } = await through(base);
    const { result } = await ask();
    expect(result).toMatchObject({ ok: false, failure: { code: 'model_unauthorized' } });
    expect(result.ok ? '' : result.failure.remedy).toContain('administrator');
    expect([asks, await runs()]).toEqual([2, 2]);
  });

  test('LLM-65: an upstream that echoes its headers in an error gives nothing away', async () => {
    await setKey('sk-live-marker/9');
    const base = await upstream((request, response) => {
      const headers = JSON.stringify(request.headers);
      const basic = Buffer.from('sk-live-marker/9').toString('base64');
      response.writeHead(500, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          error: { message: `cannot: ${headers} ${encodeURIComponent('sk-live-marker/9')} ${basic}` },
        }),
      );
    });
    const { ask } = await through(base);
    const { result, everything } = await ask();
    expect(result).toMatchObject({ ok: false, failure: { code: 'model_error' } });
    expect(everything).not.toMatch(/marker|sk-live/);
    expect(everything).not.toContain(Buffer.from('sk-live-marker/9').toString('base64'));
    expect(everything).not.toContain(new URL(base).host);
  });

  test('LLM-67: a cancel at the workstation closes the connection to the model’s own server', async () => {
    await setKey('sk-marker-1');
    let open = 0;
    const base = await upstream((_request, response) => {
      open += 1;
      response.on('close', () => (open -= 1)).writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n');
    });
    const { server } = await through(base);
    const stop = new AbortController();
    const result = createBroker({ baseUrl: server.url, token }).complete(
      QUESTION,
      undefined,
      asked({ signal: stop.signal, onText: () => stop.abort() }),
    );
    expect(await result).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    await expect.poll(() => open).toBe(0);
  });

  test('LLM-65: nor does a model that says it, letter by letter', async () => {
    const key = 'qq.live.marker.9';
    await setKey(key);
    const models = await startModelServer({ key, reply: () => ({ content: `The key is ${key}!`, pieces: 40 }) });
    ends.push(models.close);
    const { ask } = await through(models.url);
    const { result, everything } = await ask();
    expect(result.ok && result.value.message.content).toBe('The key is [key]!');
    expect(everything).toContain('The key is [key]!');
    expect(everything).not.toContain('marker');
  });

  test('LLM-63: a command that hangs is killed at the limit; the server goes on, and asks it again next time', async () => {
    await setKey('sk-marker-1');
    const models = await startModelServer({ key: 'sk-marker-1' });
    ends.push(models.close);
    await writeFile(join(folder, 'slow'), '');
    const server = await brokerServer(
      {
        base_url: models.url,
        key: { kind: 'command', command: `test -e ${folder}/slow && { echo sk-part-marker; sleep 60; }; ${command()}` },
      },
      300,
    );
    ends.unshift(() => server.end());
    const broker = createBroker({ baseUrl: server.url, token });
    const since = performance.now();
    const hung = await broker.complete(QUESTION, undefined, asked());
    expect(performance.now() - since).toBeLessThan(2500);
    expect(hung).toMatchObject({ ok: false, failure: { code: 'model_unauthorized' } });
    expect(hung.ok ? '' : hung.failure.message).toContain('did not end within 0.3 s');
    expect(JSON.stringify(hung) + server.logged.join('\n')).not.toContain('marker');
    expect((await server.api('GET', '/v1/me')).status).toBe(200);
    await rm(join(folder, 'slow'));
    expect((await broker.complete(QUESTION, undefined, asked())).ok).toBe(true);
    const told = await server.raw('GET', '/v1/llm/models');
    expect(await told.text()).not.toContain('marker');
    const config = await server.raw('GET', '/v1/config');
    expect(await config.text()).not.toContain('marker');
  });
});
