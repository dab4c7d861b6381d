/** An answer to more faults than are written at once: in parts, so that others get their turn. */
import { afterEach, expect, test } from 'vitest';
import { PART, type Answered } from '#lanes/guide/core/app/answers.ts';
import { DEFAULT_RUN_SETTINGS } from '#lanes/guide/core/run/run.types.ts';
import { guideTestServer, type GuideTestServer } from '../fixtures/guide-server.ts';
import type { ErrorAnswer } from '../fixtures/server.ts';

const COUNT = 2 * PART + 10;
const GUIDE = [
  '<tv><channel id="one"><display-name>One</display-name></channel>',
  // Off air is never numbered: the only faults are channels that are not declared.
  ...Array.from({ length: COUNT }, (_, n) => {
    const at = `start="20260310000000 +0000" stop="20260310010000 +0000" channel="s${n}"`;
    return `<programme ${at}><title>Harbour</title><category>News</category></programme>`;
  }),
  '</tv>',
].join('');

let server: GuideTestServer;
afterEach(() => server.end());

/** Rows written by each transaction of an answer; the one of this number fails. */
async function start(): Promise<{ written: number[]; fail: { at: number } }> {
  const written: number[] = [];
  const fail = { at: -1 };
  server = await guideTestServer({ runs: DEFAULT_RUN_SETTINGS }, {}, ({ store }) => {
    const watched: typeof store = Object.create(store) as typeof store;
    watched.write = (work) =>
      store.write(async (tx) => {
        const count = async (): Promise<number> =>
          (await tx.selectFrom('guide_mends').select('id').execute()).length +
          (await tx.selectFrom('guide_dismissals').select('id').execute()).length;
        const before = await count();
        const value = await work(tx);
        const rows = (await count()) - before;
        if (rows > 0 && fail.at-- === 0) throw new Error('no space');
        if (rows > 0) written.push(rows);
        return value;
      });
    return { store: watched };
  });
  expect((await server.put(GUIDE)).status).toBe(200);
  await server.service.settled();
  return { written, fail };
}
const answer = (said: string, key?: string) =>
  server.api<Answered & ErrorAnswer>(
    ...(['POST', '/v1/guide/answers', { type: 'XMLTV_VALIDATION_ERROR', code: 'unknownid', answer: said }] as const),
    key === undefined ? {} : { 'Idempotency-Key': key },
  );
const lines = async (): Promise<number[]> => {
  const log = await server.api<{ items: { action: string; details: { changed: number } }[] }>('GET', '/v1/audit');
  return log.body.items.filter(({ action }) => action === 'guide.answered').map(({ details }) => details.changed);
};

test.each(['mend', 'as-it-should-be'])(
  'GUIDE-182 an answer (%s) to many faults is written a part at a time, each with its line in the log, once a key',
  async (said) => {
    const { written } = await start();
    const { status, body } = await answer(said, 'k1');
    expect([status, body.changed, body.left]).toEqual([200, COUNT, 0]);
    expect(Math.max(...written)).toBeLessThanOrEqual(PART);
    expect((await lines()).toSorted((a, b) => a - b)).toEqual([10, PART, PART]);
    expect((await answer(said, 'k1')).body).toEqual(body);
    expect((await lines()).length).toBe(3);
    if (said !== 'mend') return;
    expect((await server.api('POST', '/v1/guide/undo', { mends: body.mends })).body).toMatchObject({ undone: COUNT });
  },
);

test('GUIDE-182 where a part cannot be written, what was holds and the rest is left; a first one that fails is said', async () => {
  const { fail } = await start();
  fail.at = 1;
  const given = await answer('mend');
  expect([given.status, given.body.changed, given.body.left]).toEqual([200, PART, COUNT - PART]);
  expect(given.body.mends).toHaveLength(PART);
  fail.at = 0;
  expect((await answer('mend')).status).toBeGreaterThanOrEqual(500);
  fail.at = -1;
  expect((await answer('mend')).body).toMatchObject({ changed: COUNT - PART, left: 0 });
});
