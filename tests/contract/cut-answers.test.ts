/** An answer that fails on its way is cut off over the real wire, and never looks whole. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { expect, test } from 'vitest';
import { streamOf } from '#server/http/stream.ts';

const PART = 128 * 1024;

test('API-91 what fails while what came before is still on its way cuts the answer off', async ({ onTestFinished }) => {
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let part = 0; part < 5; part += 1) {
      await turn();
      yield new Uint8Array(PART);
    }
    throw new Error('a secret of the server');
  }
  const answer = getRequestListener(() => new Response(streamOf(parts())));
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  const whole: string[] = [];
  for (let time = 0; time < 100; time += 1) {
    const text = await fetch(`http://127.0.0.1:${address.port}/`)
      .then((got) => got.text())
      .catch(() => null);
    if (text !== null) whole.push(text.slice(-40));
  }
  expect(whole).toEqual([]);
});
