/** What one person may take of a server with guides, over real HTTP and both stores. */
import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportStored } from '#lanes/guide/core/app/export-stored.ts';
import { guideTestServer, guideXml, programme, SOUND, type GuideTestServer } from '../fixtures/guide-server.ts';
import type { ErrorAnswer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';

const SMALL = guideXml([programme(1, SOUND)]);

onBothStores('shares of guides', () => {
  let server: GuideTestServer;
  beforeEach(async () => {
    server = await guideTestServer();
  });
  afterEach(() => server.end());

  /** A guide that is begun to be sent; `end` sends the rest. */
  function begin(id: string, token: string) {
    const { hostname, port } = new URL(server.url);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/xml', Expect: '100-continue' };
    const sent = request({ hostname, port, method: 'PUT', path: `/v1/guide/guides/${id}`, headers });
    const status = new Promise<number>((resolve, reject) => {
      sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
    });
    const isSeen = new Promise<void>((resolve) => sent.on('continue', () => resolve()));
    sent.write(SMALL.slice(0, 40));
    return { status, isSeen, end: () => sent.end(SMALL.slice(40)) };
  }

  test('GUIDE-183 of one person one guide at a time is taken in, the next one waits unread; others do not wait', async () => {
    await server.addToken('the-token-of-ann', 'ann', 'EditCatalog');
    await server.addToken('the-token-of-bob', 'bob', 'EditCatalog');
    const first = begin('first', 'the-token-of-ann');
    await first.isSeen;
    // Whoever asks after it is answered after it has its place.
    await server.put(SMALL, 'by-the-admin');
    const second = begin('second', 'the-token-of-ann');
    let isSecondIn = false;
    void second.status.then(() => (isSecondIn = true));
    second.end();
    const bob = begin('third', 'the-token-of-bob');
    bob.end();
    expect(await bob.status).toBe(200);
    expect(isSecondIn).toBe(false);
    first.end();
    expect(await Promise.all([first.status, second.status])).toEqual([200, 200]);
  });

  test('GUIDE-184 a hundred guides are kept; the next one is refused with a sentence, and one that is there is replaced', async () => {
    await server.put(SMALL, 'g0');
    await server.service.settled();
    await server.store.write(async (tx) => {
      const row = await tx.selectFrom('guides').selectAll().where('id', '=', 'g0').executeTakeFirstOrThrow();
      const more = Array.from({ length: 99 }, (_, at) => ({ ...row, id: `g${at + 1}` }));
      await tx.insertInto('guides').values(more).execute();
    });
    const refused = await server.put(SMALL, 'one-more');
    const { error } = (await refused.json()) as ErrorAnswer;
    expect([refused.status, error.message]).toEqual([409, 'There are 100 guides here, and no more are kept.']);
    expect(error.remedy).toMatch(/Remove one/);
    expect((await server.put(SMALL, 'g0')).status).toBe(200);
  });

  test('GUIDE-185 a guide is written out in pieces of fifty programmes, which together are the guide', async () => {
    const minutes = Array.from({ length: 300 }, (_, at) => {
      const time = (minute: number): string =>
        `20260310${String(Math.floor(minute / 60)).padStart(2, '0')}${String(minute % 60).padStart(2, '0')}00 +0000`;
      return `<programme start="${time(at)}" stop="${time(at + 1)}" channel="one">${SOUND}</programme>`;
    });
    await server.put(guideXml(minutes));
    await server.service.settled();
    const guide = await server.service.store.guide('g');
    if (guide === null) throw new Error('the guide is gone');
    const pieces = await Array.fromAsync(exportStored(server.service.store, guide));
    const counts = pieces.map((piece) => piece.split('<programme ').length - 1);
    expect(Math.max(...counts)).toBe(50);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300);
    const answer = await server.raw('GET', '/v1/guide/guides/g/xmltv');
    expect(await answer.text()).toBe(pieces.join(''));
    // A place is nobody's who asks for the head alone.
    for (let at = 0; at < 20; at += 1) expect((await server.raw('HEAD', '/v1/guide/guides/g/xmltv')).status).toBe(200);
    const again = await server.raw('GET', '/v1/guide/guides/g/xmltv');
    expect([again.status, (await again.text()).length]).toEqual([200, pieces.join('').length]);
  });
});
