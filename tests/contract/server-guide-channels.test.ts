/** Channels of ours on the server: schedules over what the video lane recognised, derived anew. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeptVideo } from '#lanes/video/core/records/video-record.ts';
import { writeVideos } from '#lanes/video/server/records/record-rows.ts';
import { guideTestServer, type GuideTestServer } from '../fixtures/guide-server.ts';
import type { ErrorAnswer } from '../fixtures/server.ts';

const SHOW = {
  id: 'sh_harbour',
  title: 'Harbour',
  titles: [],
  year: 2020,
  seasons: [
    {
      number: 1,
      title: null,
      episodes: [1, 2, 3].map((number) => ({
        number,
        title: `Part ${number}`,
        air_date: `2020-01-0${number}`,
        absolute: null,
      })),
    },
  ],
};
const CHANNEL = {
  ...{ id: 'ours', number: '5', name: 'Ours', zone: 'UTC', from: '2023-11-01' },
  blocks: [
    {
      id: 'b',
      days: [1, 2, 3, 4, 5, 6, 7],
      at: '20:00',
      until: '22:00',
      shows: ['sh_harbour'],
      order: 'aired',
      pad: 0,
    },
  ],
};

let server: GuideTestServer;
beforeEach(async () => {
  server = await guideTestServer();
  expect((await server.api('POST', '/v1/catalog/import', { shows: [SHOW] })).status).toBe(200);
  await recognised(1, 2, 3);
});
afterEach(() => server.end());

/** Episodes of season 1, in the records of the video lane. */
async function recognised(...numbers: number[]): Promise<void> {
  const file = { schema_version: 1, folder: '/tv/Harbour', size: 1, modified: 1 } as const;
  const show = { id: SHOW.id, title: 'Harbour', year: 2020 };
  const by = { confidence: 1, plan_id: 'p', confirmed_at: 1, confirmed_by: 'Ann' };
  const put = numbers.map((n): KeptVideo => ({
    ...{ ...file, id: `v${n}`, path: `/tv/Harbour/${n}.mkv`, seconds: 3599.2 },
    claims: [{ ...by, show, season: 1, part: null, source: 'rules', episodes: [n], title: `Part ${n}` }],
  }));
  await server.store.write((tx) => writeVideos(tx, { put, gone: [] }));
}

const put = (channel: object, id = 'ours', days = 2) =>
  server.api<ErrorAnswer>('PUT', `/v1/guide/channels/${id}`, { channel, days });
const schedule = async () =>
  (
    await server.api<{ programmes: { start: string; video: string }[]; conflicts: string[] }>(
      'GET',
      '/v1/guide/channels/ours/schedule',
    )
  ).body;

test('GUIDE-124 a channel is derived from recognised videos, with all that is known of each, and is a guide of its own', async () => {
  expect((await put(CHANNEL)).status).toBe(200);
  await server.service.settled();
  expect((await schedule()).programmes.map(({ start, video }) => `${start} ${video}`)).toEqual([
    '2023-11-14T20:00:00Z v3',
    '2023-11-14T21:00:00Z v1',
    '2023-11-15T20:00:00Z v2',
    '2023-11-15T21:00:00Z v3',
  ]);
  const text = await server.exported('schedule');
  expect(text).toContain(
    '<channel id="ours"><display-name>Ours</display-name><display-name>5</display-name></channel>',
  );
  expect(text).toContain(
    '<title>Harbour</title><sub-title>Part 3</sub-title><date>20200103</date><category lang="en">Series</category><length units="seconds">3600</length><episode-num system="xmltv_ns">0.2.</episode-num><episode-num system="onscreen">S01E03</episode-num>',
  );
  const faults = await server.api<{ total: number }>('GET', '/v1/guide/faults');
  expect(faults.body.total).toBe(0);
});

test('GUIDE-125 a schedule is derived anew with the day, and not where nothing changed; its ids stay with another number and name', async () => {
  await put(CHANNEL);
  await server.service.settled();
  const revision = async () => (await server.service.store.guide('schedule'))?.revision;
  expect(await revision()).toBe(1);
  server.time.now += 301_000;
  expect(await server.service.tick()).toBe(true);
  expect(await revision()).toBe(1);
  server.time.now += 86_400_000;
  await server.service.tick();
  expect(await revision()).toBe(2);
  await put({ ...CHANNEL, number: '6.1', name: 'Other' });
  await server.service.settled();
  expect(await server.exported('schedule')).toContain('<channel id="ours"><display-name>Other</display-name>');
  expect((await server.api('DELETE', '/v1/guide/channels/ours')).status).toBe(204);
  await server.service.settled();
  expect(await server.service.store.guide('schedule')).toBeNull();
});

test('GUIDE-167 what is recognised, or known of it since, is played at once', async () => {
  await put(CHANNEL);
  await server.service.settled();
  server.service.watch();
  await recognised(4);
  const later = {
    ...SHOW,
    seasons: [
      {
        ...SHOW.seasons[0],
        episodes: SHOW.seasons[0]?.episodes.map((episode) => ({ ...episode, air_date: '2021-05-05' })),
      },
    ],
  };
  expect((await server.api('POST', '/v1/catalog/import', { shows: [later] })).status).toBe(200);
  await server.service.settled();
  const text = await server.exported('schedule');
  expect(text).toContain('<date>20210505</date>');
  expect(text).toContain('<sub-title>Part 4</sub-title>');
});

test('GUIDE-126 conflicts are sentences, and what is no channel is refused with one', async () => {
  const late = { ...CHANNEL.blocks[0], id: 'late', at: '21:30', until: null, shows: ['nobody'] };
  await put({ ...CHANNEL, blocks: [...CHANNEL.blocks, late] });
  await server.service.settled();
  const { conflicts } = await schedule();
  expect(conflicts.length).toBeGreaterThan(0);
  for (const sentence of conflicts) expect(sentence).toMatch(/\w+ .+/);
  expect((await put({ ...CHANNEL, id: 'two' }, 'two')).status).toBe(409);
  const zone = await put({ ...CHANNEL, zone: 'Mars/Olympus' });
  expect([zone.status, zone.body.error.message]).toEqual([400, expect.stringContaining('Mars/Olympus')]);
  expect((await put(CHANNEL, 'another')).status).toBe(400);
  expect((await put(CHANNEL, 'ours', 15)).status).toBe(400);
  expect((await server.api('GET', '/v1/guide/channels/none/schedule')).status).toBe(404);
});
