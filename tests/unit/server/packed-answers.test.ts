import { Hono } from 'hono';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Env } from '#server/deps.ts';
import { packedAnswers } from '#server/http/packed-answers.ts';
import { streamOf } from '#server/http/stream.ts';

const TAKES = { headers: { 'Accept-Encoding': 'gzip' } };

/** An answer of these chunks; `left` tells when nobody wants more. */
function answering(chunks: AsyncIterable<Uint8Array>, type = 'application/json') {
  const app = new Hono<Env>();
  app.get('/', packedAnswers(), () => new Response(streamOf(chunks), { headers: { 'Content-Type': type } }));
  return app.request('/', TAKES);
}
// Random letters: what compresses well would be held back until its end.
const piece = (n: number) => Buffer.from(Array.from({ length: 64 * 1024 }, (_, at) => (at * at * (n + 7) + n) % 251));

test('APP-11: a long answer is sent as it is made, and whoever leaves ends the making of it', async () => {
  let made = 0;
  let ended = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield piece(made++);
    } finally {
      ended = true;
    }
  }
  const { body, headers } = await answering(endless());
  expect(headers.get('content-encoding')).toBe('gzip');
  const reader = body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  expect(made).toBeLessThan(20);
  await reader?.cancel();
  await expect.poll(() => ended).toBe(true);
});

test('APP-11: an answer that fails in the middle is cut off, never whole', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield piece(1);
    throw new Error('the disk is gone');
  }
  const answer = await answering(failing());
  await expect(answer.arrayBuffer()).rejects.toThrow();
});

test('APP-11: chunks of any length come out as they went in, and other types are left alone', async () => {
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('[1,');
    yield Buffer.from('2,');
    yield Buffer.from('3]');
  }
  const short = await answering(parts());
  expect([short.headers.get('content-encoding'), await short.text()]).toEqual([null, '[1,2,3]']);
  async function* lines(): AsyncGenerator<Uint8Array> {
    yield piece(1);
  }
  const chat = await answering(lines(), 'application/x-ndjson');
  expect([chat.headers.get('content-encoding'), chat.headers.get('vary')]).toEqual([null, null]);
  async function* long(): AsyncGenerator<Uint8Array> {
    yield piece(1);
    yield piece(2);
  }
  const packed = Buffer.from(await (await answering(long())).arrayBuffer());
  expect(gunzipSync(packed).equals(Buffer.concat([piece(1), piece(2)]))).toBe(true);
});
