import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChangesPage } from '#lanes/music/core/catalog.ts';
import type { ImportResult } from '#core/sync/fields.ts';
import type { ShowChangesPage, Show, ShowHead } from '#lanes/video/core/show-catalog.ts';
import { SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

type Answer = Show & { version: number } & ErrorAnswer;

const ANCHOR = {
  id: 'sh_anchor',
  title: 'Anchor Street',
  titles: ['Ankerstraße', '錨通り'],
  year: 2014,
  seasons: [
    {
      number: 2,
      title: 'Low Tide',
      episodes: [{ number: 1, title: 'Back', air_date: '2015-03-01', absolute: 3 }],
    },
    { number: 1, episodes: [{ number: 2, title: 'Second' }, { number: 1 }] },
    { number: 0, episodes: [{ number: 1, title: 'Behind it' }] },
  ],
};

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  const made = await server.api('POST', '/v1/catalog/shows', ANCHOR);
  if (made.status !== 201) throw new Error(`the show was not made: ${made.status}`);
});
afterEach(() => server.end());

const show = (path = '', id = ANCHOR.id) => `/v1/catalog/shows/${id}${path}`;
const get = (id = ANCHOR.id) => server.api<Answer>('GET', show('', id));
const list = async (query = '') =>
  (await server.api<{ items: ShowHead[]; next_cursor: string | null }>('GET', `/v1/catalog/shows${query}`)).body;
const feed = async (cursor = '', limit = 500) =>
  (await server.api<ShowChangesPage>('GET', `/v1/catalog/changes/shows?limit=${limit}&cursor=${cursor}`)).body;
const numbers = ({ seasons }: Show) =>
  seasons.map((season) => [season.number, ...season.episodes.map((e) => e.number)]);

describe('reading', () => {
  test('SHOW-1: a show has its seasons and episodes in order, and what was left out is null', async () => {
    const { headers, body } = await get();
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toMatchObject({ title: 'Anchor Street', titles: ['Ankerstraße', '錨通り'], year: 2014, version: 1 });
    expect(numbers(body)).toEqual([
      [0, 1],
      [1, 1, 2],
      [2, 1],
    ]);
    expect(body.seasons[1]).toEqual({
      number: 1,
      title: null,
      episodes: [
        { number: 1, title: null, air_date: null, absolute: null },
        { number: 2, title: 'Second', air_date: null, absolute: null },
      ],
    });
    expect((await get('nobody')).status).toBe(404);
  });

  test('SHOW-3: shows are listed by title page by page, and found by any title, mistyped', async () => {
    await server.api('POST', '/v1/catalog/shows', { id: 'sh_z', title: 'Zebra' });
    await server.api('POST', '/v1/catalog/shows', { id: 'sh_m', title: 'Moon', year: 2001 });
    const first = await list('?limit=2');
    expect(first.items.map(({ id }) => id)).toEqual(['sh_anchor', 'sh_m']);
    expect(first.items[0]).toMatchObject({ seasons: 2, episodes: 3 });
    const rest = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([rest.items.map(({ id }) => id), rest.next_cursor]).toEqual([['sh_z'], null]);
    for (const [words, id] of [
      ['ancor stret', 'sh_anchor'],
      ['ankerstrasse', 'sh_anchor'],
      ['錨通り', 'sh_anchor'],
      ['moon 2001', 'sh_m'],
      ['zeb', 'sh_z'],
    ] as const)
      expect((await list(`?q=${encodeURIComponent(words)}`)).items[0]?.id, words).toBe(id);
    expect((await list('?q=qqqq')).items).toEqual([]);
  });
});

describe('changing', () => {
  test('SHOW-4, SHOW-15: a patch changes what it names; seasons, where given, are all seasons', async () => {
    const titled = await server.api<Answer>('PATCH', show(), { title: 'Anchor Road', year: null });
    expect([titled.status, titled.body.version, titled.body.year]).toEqual([200, 2, null]);
    expect(numbers(titled.body)).toHaveLength(3);
    const seasons = [{ number: 1, episodes: [{ number: 7 }] }];
    expect(numbers((await server.api<Answer>('PATCH', show(), { seasons })).body)).toEqual([[1, 7]]);
    expect((await list('?q=anchor%20road')).items[0]?.id).toBe(ANCHOR.id);
    // Nothing new is no new version.
    expect((await server.api<Answer>('PATCH', show(), { title: 'Anchor Road' })).body.version).toBe(3);
  });

  test('SHOW-5: seasons and episodes are put and taken away by their numbers', async () => {
    const put = (path: string, body: object) => server.api<Answer>('PUT', show(path), body);
    expect(numbers((await put('/seasons/1/episodes/3', { title: 'Third' })).body)[1]).toEqual([1, 1, 2, 3]);
    expect(numbers((await put('/seasons/3/episodes/1', {})).body)[3]).toEqual([3, 1]);
    const named = await put('/seasons/1', { title: 'High Tide' });
    expect(named.body.seasons[1]).toMatchObject({ title: 'High Tide', episodes: { length: 3 } });
    const gone = await server.api<Answer>('DELETE', show('/seasons/1/episodes/2'));
    expect(numbers(gone.body)[1]).toEqual([1, 1, 3]);
    expect(numbers((await server.api<Answer>('DELETE', show('/seasons/0'))).body)[0]).toEqual([1, 1, 3]);
    for (const path of ['/seasons/9', '/seasons/1/episodes/99', '/seasons/9/episodes/1'])
      expect((await server.api('DELETE', show(path))).status, path).toBe(404);
    for (const path of ['/seasons/x', '/seasons/-1', '/seasons/99999', '/seasons/1/episodes/1.5'])
      expect((await put(path, {})).status, path).toBe(400);
  });

  test('SHOW-4: a change to another version than was read is refused, and nothing is changed', async () => {
    const stale = { 'If-Match': '"1"' };
    await server.api('PATCH', show(), { year: 2015 }, stale);
    const before = (await get()).body;
    for (const [method, path, body] of [
      ['PATCH', '', { title: 'Mine' }],
      ['PUT', '/seasons/1', { title: 'Mine', episodes: [] }],
      ['PUT', '/seasons/1/episodes/1', { title: 'Mine' }],
      ['DELETE', '/seasons/1', undefined],
      ['DELETE', '/seasons/1/episodes/1', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      const answer = await server.api<ErrorAnswer>(method, show(path), body, stale);
      expect([answer.status, answer.body.error.code], `${method} ${path}`).toEqual([412, 'conflict']);
    }
    expect((await get()).body).toEqual(before);
  });

  test('SHOW-1: a number twice, a day that is none and an id that is taken are refused by name', async () => {
    const twice = { seasons: [{ number: 1, episodes: [{ number: 4 }, { number: 4 }] }] };
    const answer = await server.api<ErrorAnswer>('PATCH', show(), twice);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('"seasons.0.episodes.1": number 4 stands there twice');
    const day = await server.api<ErrorAnswer>('PUT', show('/seasons/1/episodes/1'), { air_date: '2020-13-01' });
    expect([day.status, day.body.error.message]).toEqual([400, 'body "air_date": there is no such day.']);
    expect((await server.api('POST', '/v1/catalog/shows', ANCHOR)).status).toBe(409);
  });

  test('SHOW-6: every change is in the log with who did it', async () => {
    await server.addToken('a-token-of-ed', 'ed', 'EditCatalog');
    const as = { Authorization: 'Bearer a-token-of-ed' };
    await server.api('PATCH', show(), { title: 'Renamed', seasons: [] }, as);
    await server.api('DELETE', show(), undefined, as);
    const rows = server.store.db.selectFrom('audit').selectAll().where('kind', '=', 'show').orderBy('id');
    const lines = (await rows.execute()).map(({ user_id, action, entity_id }) => `${user_id} ${action} ${entity_id}`);
    expect(lines).toEqual(['admin show.created sh_anchor', 'ed show.changed sh_anchor', 'ed show.deleted sh_anchor']);
    expect((await rows.execute())[1]?.details).toBe('{"title":"Renamed"}');
  });
});

describe('the feed', () => {
  test('SHOW-7: it tells of shows alone, whole or gone, each once, and the music hears nothing of them', async () => {
    await server.importCatalog(SMALL_CATALOG);
    await server.api('POST', '/v1/catalog/shows', { id: 'sh_z', title: 'Zebra' });
    const first = await feed('', 1);
    expect(first).toMatchObject({ more: true, items: [{ kind: 'show', id: ANCHOR.id, op: 'put' }] });
    expect(first.items[0]?.record).toEqual(
      expect.objectContaining({ id: ANCHOR.id, seasons: expect.objectContaining({ length: 3 }) }),
    );
    expect(first.items[0]?.record).not.toHaveProperty('version');
    const second = await feed(first.next_cursor);
    expect([second.items.map(({ id }) => id), second.more]).toEqual([['sh_z'], false]);
    await server.api('PATCH', show(), { year: 1999 });
    await server.api('DELETE', show());
    expect((await feed(second.next_cursor)).items).toEqual([
      { kind: 'show', id: ANCHOR.id, op: 'delete', record: null },
    ]);
    expect((await list('?q=anchor')).items).toEqual([]);
    const music = await server.api<ChangesPage>('GET', '/v1/catalog/changes?limit=5000');
    expect(new Set(music.body.items.map(({ kind }) => kind))).toEqual(new Set(['artist', 'album', 'track']));
    expect((await server.raw('GET', '/v1/catalog/changes/shows?cursor=abcdef01.5')).status).toBe(410);
  });
});

describe('the import', () => {
  const load = (file: object) => server.api<ImportResult & ErrorAnswer>('POST', '/v1/catalog/import', file);

  test('SHOW-10: says what it made; the same file again changes nothing and tells nobody', async () => {
    const zebra = { id: 'sh_z', title: 'Zebra', seasons: [{ number: 1, episodes: [{ number: 1 }] }] };
    const file = { shows: [{ ...ANCHOR, year: 2016 }, zebra] };
    const first = await load(file);
    expect([first.status, first.body.shows]).toEqual([200, { created: 1, updated: 1, unchanged: 0 }]);
    const { next_cursor } = await feed();
    expect((await load(file)).body.shows).toEqual({ created: 0, updated: 0, unchanged: 2 });
    expect((await feed(next_cursor)).items).toEqual([]);
  });

  test('SHOW-10: music and shows go together; a file of music alone says nothing of shows', async () => {
    const both = await load({ ...SMALL_CATALOG, shows: [{ id: 'sh_z', title: 'Zebra' }] });
    expect(both.body).toMatchObject({ tracks: { created: 6 }, shows: { created: 1 } });
    expect(await load(SMALL_CATALOG).then(({ body }) => body)).not.toHaveProperty('shows');
    for (const file of [{}, { artists: [], albums: [] }]) expect((await load(file)).status).toBe(400);
  });

  test('SHOW-10, SHOW-17: what the file does not name of a show stays', async () => {
    const seasons = [
      { number: 1, title: 'New', episodes: [{ number: 2, title: 'Other' }, { number: 3 }] },
      { number: 4, episodes: [{ number: 1 }] },
    ];
    await load({ shows: [{ id: ANCHOR.id, title: ANCHOR.title, seasons }] });
    const { body } = await get();
    expect(numbers(body)).toEqual([
      [0, 1],
      [1, 1, 2, 3],
      [2, 1],
      [4, 1],
    ]);
    expect(body.seasons[1]).toMatchObject({ title: 'New', episodes: [{}, { title: 'Other' }, {}] });
  });

  test('SHOW-10: a bad row is named, and nothing at all is imported then', async () => {
    const bad = { id: 'sh_b', title: 'B', seasons: [{ number: 1, episodes: [{ number: 'one' }] }] };
    const answer = await load({ ...SMALL_CATALOG, shows: [{ id: 'sh_a', title: 'A' }, bad, { id: 'sh_c' }] });
    expect(answer.status).toBe(422);
    expect(answer.body.error.message).toContain('shows[1] "seasons.0.episodes.0.number"');
    expect(answer.body.error.message).toContain('shows[2] "title"');
    const twice = await load({ shows: [ANCHOR, ANCHOR] });
    expect([twice.status, twice.body.error.message]).toEqual([409, expect.stringContaining('shows[1] "id"')]);
    expect((await get('sh_a')).status).toBe(404);
    expect((await server.api('GET', '/v1/catalog/artists/ar_bjork')).status).toBe(404);
  });
});
