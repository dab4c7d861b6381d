/** Look-ups in a media server: a fake one here, asked with GET alone. Plex and Jellyfin themselves are untried. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunRecord, RunStep } from '#lanes/guide/core/run/run.types.ts';
import type { Gates } from '#lanes/guide/core/run/runs-protocol.ts';
import { mediaServerOver } from '#lanes/guide/server/world/media-items.ts';
import { guideTestServer, guideXml, ON, programme, SOUND, type GuideTestServer } from '../fixtures/guide-server.ts';

interface Item {
  id: string;
  title: string;
  season: number;
  episode: number;
}
const items = (count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({ id: `i${n}`, title: `Part ${n}`, season: 1, episode: n + 1 }));

let asked: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[];
let there: Item[];
let away: boolean;
let url: string;
let server: GuideTestServer | null = null;
let end: () => void;

beforeEach(async () => {
  [asked, there, away] = [[], items(3), false];
  const media = createServer((request, response) => {
    asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://media');
    const token = request.headers['x-plex-token'] ?? /Token="(.*)"/.exec(request.headers.authorization ?? '')?.[1];
    if (away) return void response.writeHead(503).end();
    if (token !== 'media-secret') return void response.writeHead(401).end();
    const from = Number(searchParams.get('X-Plex-Container-Start') ?? searchParams.get('StartIndex') ?? 0);
    const page = there.slice(from, from + 500);
    response.setHeader('Content-Type', 'application/json');
    if (pathname === '/library/sections')
      response.end(
        JSON.stringify({
          MediaContainer: {
            Directory: [
              { key: '2', type: 'show' },
              { key: '3', type: 'photo' },
            ],
          },
        }),
      );
    else if (pathname === '/library/sections/2/all')
      response.end(
        JSON.stringify({
          MediaContainer: {
            Metadata: page.map(({ id, title, season, episode }) => ({
              ...{ ratingKey: id, title, grandparentTitle: 'Harbour', parentIndex: season, index: episode, year: 2020 },
            })),
          },
        }),
      );
    else if (pathname === '/Items')
      response.end(
        JSON.stringify({
          TotalRecordCount: there.length,
          Items: page.map(({ id, title, season, episode }) => ({
            ...{
              Id: id,
              Type: 'Episode',
              Name: title,
              SeriesName: 'Harbour',
              ParentIndexNumber: season,
              IndexNumber: episode,
            },
          })),
        }),
      );
    else response.end('{}');
  });
  await new Promise<void>((resolve) => void media.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(media.address() as AddressInfo).port}`;
  end = () => {
    media.closeAllConnections();
    media.close();
  };
});
afterEach(async () => {
  await server?.end();
  server = null;
  end();
});

async function start(kind: 'plex' | 'jellyfin', tokenCommand = 'printf media-secret'): Promise<GuideTestServer> {
  server = await guideTestServer({ runs: ON, mediaServer: { kind, url, tokenCommand } });
  return server;
}
/** Three of ten are named as the media server names them, without a number. */
const GUIDE = guideXml([
  ...[0, 1, 2].map((n) =>
    programme(n + 1, `<title>Harbour</title><sub-title>Part ${n}</sub-title><category>Series</category>`),
  ),
  ...[4, 5, 6, 7, 8, 9, 10].map((n) => programme(n, SOUND)),
]);
const latest = async (of: GuideTestServer): Promise<RunRecord & { steps: RunStep[] }> => {
  const found = await of.api<{ items: (RunRecord & { steps: RunStep[] })[] }>('GET', '/v1/guide/runs');
  const [run] = found.body.items;
  if (run === undefined) throw new Error('no run');
  return run;
};

test.each(['plex', 'jellyfin'] as const)(
  'GUIDE-130 of a larger %s 50,000 items are read, and nothing behind them is asked for',
  async (kind) => {
    there = items(50_700);
    const found = await mediaServerOver({ kind, url, tokenCommand: 'printf media-secret' }).items();
    expect([found.length, new Set(found.map(({ id }) => id)).size]).toEqual([50_000, 50_000]);
    expect(asked.filter(({ url: path }) => path?.includes('Start') ?? false).length).toBeLessThanOrEqual(101);
  },
);

test.each(['plex', 'jellyfin'] as const)(
  'GUIDE-130 items of %s prove numbers; they are read with GET, page by page, and the token is nowhere',
  async (kind) => {
    there = items(1203);
    const of = await start(kind);
    await of.put(GUIDE);
    await of.service.settled();
    expect(await latest(of)).toMatchObject({ outcome: 'success', ratio_after: 0 });
    expect(await of.exported()).toContain('<episode-num system="xmltv_ns">0.2.</episode-num>');
    expect(asked.filter(({ url: at }) => /all\?|Items/.test(at ?? ''))).toHaveLength(3);
    expect(asked.every(({ method }) => method === 'GET')).toBe(true);
    const said = [of.logged, (await of.api('GET', '/v1/audit')).body, await latest(of)];
    expect(JSON.stringify(said)).not.toContain('media-secret');
    const rows = await of.store.db
      .selectFrom('guide_items')
      .select((eb) => eb.fn.countAll().as('count'))
      .execute();
    expect(Number(rows[0]?.count)).toBe(1203);
  },
);

test('GUIDE-131 a refresh says what is new, changed and gone, nothing the second time, and where guide and items differ', async () => {
  const of = await start('plex');
  const { world } = of.service;
  const told = async () => (await world.refresh()).diff.map(({ where, reasons }) => `${where} ${reasons.join()}`);
  expect(await told()).toEqual(['i0 it is new', 'i1 it is new', 'i2 it is new']);
  expect(await told()).toEqual([]);
  there = [
    { id: 'i1', title: 'Part 1', season: 1, episode: 9 },
    { id: 'i7', title: 'Part 7', season: 2, episode: 1 },
  ];
  expect(await told()).toEqual(['i1 it changed', 'i7 it is new', 'i0 it is gone', 'i2 it is gone']);
  expect(await world.mismatch()).toBe(false);
  await of.put(
    GUIDE.replace(
      '<sub-title>Part 1</sub-title>',
      '<sub-title>Part 1</sub-title><episode-num system="xmltv_ns">0.1.</episode-num>',
    ),
  );
  await world.refresh();
  expect(await world.mismatch()).toBe(true);
  there = items(3);
  await world.refresh();
  expect(await world.mismatch()).toBe(false);
});

test('GUIDE-132 a media server that is away makes look-ups fail: faults of their own, three in a row open the circuit', async () => {
  const of = await start('plex');
  away = true;
  await of.put(GUIDE);
  await of.service.settled();
  const failures = async () =>
    (await of.api<{ items: { code: string }[] }>('GET', '/v1/guide/faults?type=METADATA_LOOKUP_FAILURE')).body.items;
  expect((await failures()).map(({ code }) => code)).toEqual(Array(3).fill('unreachable'));
  for (let n = 0; n < 2; n += 1) {
    of.time.now += 301_000;
    await of.service.demand(null);
    await of.service.settled();
  }
  const gates = (await of.api<Gates>('GET', '/v1/guide/gates')).body;
  expect(gates.circuit).toBe('open');
  away = false;
  of.time.now += 4_000_000;
  await of.service.demand(null);
  await of.service.settled();
  expect(await failures()).toEqual([]);
  expect((await of.api<Gates>('GET', '/v1/guide/gates')).body.circuit).toBe('closed');
});

test('GUIDE-133 without a media server a refresh is empty and says so; a wrong token is a sentence', async () => {
  const none = await guideTestServer();
  expect(await none.service.world.refresh()).toMatchObject({
    changed: 0,
    diff: [],
    skipped: [{ why: expect.stringContaining('No media server') as string }],
  });
  await none.end();
  const of = await start('jellyfin', 'printf wrong-secret');
  await expect(of.service.world.refresh()).rejects.toThrow(/answered 401/);
  // The command was asked for another one in between.
  expect(asked).toHaveLength(2);
});
