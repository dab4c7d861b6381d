/** A person's word on guides over real HTTP: the grid, edits of programmes, and answers to all faults of a kind. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answered } from '#lanes/guide/core/app/answers.ts';
import type { GridPage } from '#lanes/guide/core/app/grid.ts';
import { DEFAULT_RUN_SETTINGS } from '#lanes/guide/core/run/run.types.ts';
import { lineupOut } from '#lanes/guide/server/out/lineup-out.ts';
import { FAULTY, guideTestServer, guideXml, programme, SOUND, type GuideTestServer } from '../fixtures/guide-server.ts';
import type { ErrorAnswer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';

const HOUR = 3_600_000;
const DAY = Date.UTC(2026, 2, 10);
const GUIDE = guideXml(
  [programme(1, FAULTY(1)), programme(2, SOUND), programme(2, SOUND, 'two'), programme(3, SOUND, 'stray')],
  ['one', 'two'],
);
const LINEUP = JSON.stringify([
  { GuideNumber: '5', GuideName: 'One', EpgId: 'one' },
  { GuideNumber: '5', GuideName: 'Gone', EpgId: 'gone' },
]);

onBothStores('a person and the guides of a server', () => {
  let server: GuideTestServer;
  beforeEach(async () => {
    server = await guideTestServer({ runs: DEFAULT_RUN_SETTINGS });
    expect((await server.put(GUIDE)).status).toBe(200);
    await server.service.settled();
  });
  afterEach(() => server.end());

  const edit = (edits: object[], guide = 'g') =>
    server.api<{ changed: number; mends: string[] } & ErrorAnswer>('POST', '/v1/guide/edits', { guide, edits });
  const answer = (code: string | null, said = 'mend', type = 'LINEUP_MISMATCH') =>
    server.api<Answered>('POST', '/v1/guide/answers', { type, code, answer: said });
  const faults = async (): Promise<string[]> =>
    (
      await server.api<{ items: { where: string; type: string; code: string | null }[] }>('GET', '/v1/guide/faults')
    ).body.items
      .map(({ where, type, code }) => `${where} ${code ?? type}`)
      .sort();
  const grid = (query: string) => server.api<GridPage & ErrorAnswer>('GET', `/v1/guide/guides/g/grid?${query}`);
  const lineup = async () =>
    (await lineupOut(server.service.store, 'g', null)).map(({ guideNumber, epgId }) => `${guideNumber} ${epgId}`);

  test('GUIDE-169 the grid says what is on in its hours, what is wrong with it and what was mended', async () => {
    const hours = `from=${DAY + HOUR}&to=${DAY + 2 * HOUR}`;
    const { body } = await grid(hours);
    expect(body.channels).toBe(3);
    expect(body.rows.map(({ channel, cells }) => [channel, cells.length])).toEqual([
      ['one', 1],
      ['two', 0],
      ['stray', 0],
    ]);
    expect(body.rows[0]?.cells[0]).toMatchObject({ title: 'Harbour', start: DAY + HOUR, mended: [] });
    expect(body.rows[0]?.cells[0]?.faults.map(({ type }) => type)).toEqual(['EPISODE_NUM_MISSING']);
    expect((await grid(`${hours}&offset=1&limit=1`)).body.rows.map(({ channel }) => channel)).toEqual(['two']);
    for (const bad of [
      '',
      `from=${DAY}`,
      `from=${DAY}&to=${DAY}`,
      `from=${DAY}&to=${DAY + 15 * 24 * HOUR}`,
      'from=x&to=y',
    ])
      expect((await grid(bad)).status).toBe(400);
    expect((await server.api('GET', `/v1/guide/guides/none/grid?${hours}`)).status).toBe(404);
  });

  test('GUIDE-170 a person says what is right: it beats the source, survives an import, and is taken back', async () => {
    const before = await server.exported();
    const place = { channel: 'one', start: DAY + HOUR };
    const said = await edit([
      { ...place, field: 'title', after: 'Harbor' },
      { ...place, field: 'episode-num', after: 'S2 E7' },
    ]);
    expect([said.status, said.body.changed]).toEqual([200, 2]);
    const text = await server.exported();
    expect(text).toContain('<title>Harbor</title>');
    expect(text).toContain('<episode-num system="xmltv_ns">1.6.</episode-num>');
    await server.put(GUIDE);
    expect(await server.exported()).toBe(text);
    expect((await edit([{ ...place, field: 'date', after: 'soon' }])).body.error.message).toContain('1987');
    expect((await edit([{ ...place, field: 'episode-num', after: 'five' }])).status).toBe(400);
    expect((await edit([{ ...place, start: DAY, field: 'title', after: 'x' }])).status).toBe(404);
    expect((await edit([{ ...place, field: 'title', after: 'x' }], 'none')).status).toBe(404);
    expect((await edit([{ ...place, field: 'start', after: 'x' }])).status).toBe(400);
    await server.addToken('the-token-of-rita', 'rita', 'ReadCatalog');
    const asRita = { Authorization: 'Bearer the-token-of-rita' };
    const wish = { guide: 'g', edits: [{ ...place, field: 'title', after: 'x' }] };
    expect((await server.api('POST', '/v1/guide/edits', wish, asRita)).status).toBe(403);
    expect((await server.api('POST', '/v1/guide/undo', { mends: said.body.mends })).body).toMatchObject({ undone: 2 });
    expect(await server.exported()).toBe(before);
  });

  test("GUIDE-171 faults that are somebody's claim are answered all at once, and the answer is taken back", async () => {
    await server.raw('PUT', '/v1/guide/guides/g/lineup', LINEUP, { 'Content-Type': 'application/json' });
    const before = await faults();
    expect(before).toEqual([
      'gone duplicate GuideNumber',
      'gone lineup channel without guide data',
      'one@20260310010000 +0000 EPISODE_NUM_MISSING',
      'stray@20260310030000 +0000 unknownid',
      'two channel has guide data, not in lineup',
    ]);
    const given = [
      await answer('unknownid', 'mend', 'XMLTV_VALIDATION_ERROR'),
      await answer('duplicate GuideNumber'),
      await answer('channel has guide data, not in lineup'),
      await answer('lineup channel without guide data'),
      await answer(null, 'as-it-should-be', 'EPISODE_NUM_MISSING'),
    ];
    expect(given.map(({ status, body }) => [status, body.changed])).toEqual(
      [1, 1, 1, 1, 1].map((count) => [200, count]),
    );
    // A channel that the guide has by now belongs into the lineup, too.
    expect(await faults()).toEqual([]);
    expect(await lineup()).toEqual(['5 one', '7 two']);
    const mends = given.flatMap(({ body }) => body.mends);
    expect((await server.api('POST', '/v1/guide/undo', { mends })).body).toMatchObject({ undone: 4 });
    for (const id of given[4]?.body.dismissals ?? []) await server.api('DELETE', `/v1/guide/dismissals/${id}`);
    expect(await faults()).toEqual(before);
    expect(await lineup()).toEqual(['5 one', '5 gone']);
  });
});
