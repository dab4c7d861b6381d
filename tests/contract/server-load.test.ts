/** One person cannot stop the rest: the short form of `npm run bench -- load`. How long anything takes is not asked here. */
import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { crowd, type HostileRequest } from '../../scripts/bench/server/crowd.ts';
import { fill, titleOf } from '../../scripts/bench/server/fill.ts';
import { hostileRequests } from '../../scripts/bench/server/hostile.ts';
import { leaseOf } from '../../scripts/bench/server/hostile-saves.ts';
import { testServer, TOKEN, type ErrorAnswer } from '../fixtures/server.ts';

const MB = 1024 * 1024;

test('API-98 readers, uploaders and sockets are all answered while one person sends the worst that is let in', async ({
  onTestFinished,
}) => {
  const server = await testServer();
  onTestFinished(() => server.end());
  await fill(server.store, 1200);
  const people = { readers: 12, uploaders: 4, sockets: 6 };
  for (let at = 0; at < people.readers; at += 1)
    await server.addToken(`reader-token-${at}`, `reader-${at}`, 'ReadCatalog');
  for (let at = 0; at < people.uploaders; at += 1)
    await server.addToken(`editor-token-${at}`, `editor-${at}`, 'EditCatalog');
  await server.addToken('hostile-token-of-one', 'hostile', 'EditCatalog');
  let requests: HostileRequest[] = [];
  const { said, errors, reads, commits, hostile, sockets } = await crowd({
    ...{ url: server.url, tracks: 1200, titleOf, ms: 1000, ...people, pauses: { reader: 100, uploader: 200 } },
    token: {
      reader: (at) => `reader-token-${at % people.readers}`,
      uploader: (at) => `editor-token-${at}`,
      hostile: 'hostile-token-of-one',
    },
    hostile: async () => (requests = hostileRequests(0.008, await leaseOf(server.url, 'hostile-token-of-one'))),
  });
  expect([said, errors]).toEqual([[], 0]);
  expect([reads >= people.readers, commits >= people.uploaders, sockets]).toEqual([true, true, people.sockets]);
  expect(hostile).toBe(requests.length);
});

test('API-96 what an import may have depends on the scope, and is refused before anything of it is read', async ({
  onTestFinished,
}) => {
  const server = await testServer();
  onTestFinished(() => server.end());
  await server.addToken('token-of-an-editor', 'ed', 'EditCatalog');
  /** The answer to the head of a request whose body never comes. */
  const answerTo = async (token: string, bytes: number): Promise<number | undefined> => {
    const sent = request(`${server.url}/v1/catalog/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Content-Length': bytes },
    });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    const [{ statusCode }] = (await once(sent, 'response')) as [{ statusCode?: number }];
    sent.destroy();
    return statusCode;
  };
  expect(await answerTo('token-of-an-editor', 32 * MB + 1)).toBe(413);
  expect(await answerTo(TOKEN, 128 * MB + 1)).toBe(413);
  // Without a length it is counted as it comes.
  const row = `${JSON.stringify({ id: 'ar_1', name: 'x'.repeat(900) })},`;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(sent === 0 ? '{"artists":[' : row.repeat(1000)));
      sent += 1;
      if (sent > 200) controller.close();
    },
  });
  const answer = await fetch(`${server.url}/v1/catalog/import`, {
    ...{ method: 'POST', body, duplex: 'half', headers: { Authorization: 'Bearer token-of-an-editor' } },
  }).then(
    async (got) => ({ status: got.status, body: (await got.json()) as ErrorAnswer }),
    // Whoever goes on sending may find the connection closed before the answer.
    () => null,
  );
  if (answer !== null) expect([answer.status, answer.body.error.code]).toEqual([413, 'too_large']);
  expect(sent).toBeLessThan(120);
});

test('API-95 an import of megabytes is the same as a small one: counted, replayed by its key, refused by the row', async ({
  onTestFinished,
}) => {
  const server = await testServer();
  onTestFinished(() => server.end());
  const artists = Array.from({ length: 3000 }, (_, at) => ({
    id: `ar_${at}`,
    name: `Ünïcode "${at}" ${'y'.repeat(50)}`,
  }));
  const file = { artists, albums: [], tracks: [] };
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await server.api('POST', '/v1/catalog/import', file, key);
  expect(first.body).toMatchObject({ artists: { created: 3000, updated: 0, unchanged: 0 } });
  const again = await server.api('POST', '/v1/catalog/import', file, key);
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
  const other = await server.api('POST', '/v1/catalog/import', { ...file, albums: [{}] }, key);
  expect(other.status).toBe(422);
  const bad = artists.map((artist, at) => (at === 2222 ? { ...artist, id: 'no id' } : artist));
  const refused = await server.api<ErrorAnswer>('POST', '/v1/catalog/import', { ...file, artists: bad });
  expect([refused.status, refused.body.error.message]).toEqual([422, expect.stringContaining('artists[2222] "id"')]);
  const noJson = await server.raw('POST', '/v1/catalog/import', `${JSON.stringify(file).slice(0, -1)},}`);
  expect(noJson.status).toBe(400);
});
