/**
 * Items of media servers in the shapes that their makers document (Plex Media Server 1.2 OpenAPI; Jellyfin's
 * BaseItemDtoQueryResult and its ItemsController): a fake server answers them. No real server was tried.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { mediaServerOver, type MediaServer } from '#lanes/guide/server/world/media-items.ts';

type Kind = MediaServer['kind'];
const KINDS = ['plex', 'jellyfin'] as const;

let server: Server | null = null;
let asked: { path: string; query: URLSearchParams; headers: IncomingMessage['headers'] }[] = [];
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  [server, asked] = [null, []];
});

async function media(
  kind: Kind,
  answer: (of: { path: string; from: number }, response: ServerResponse) => void,
  { patienceMs, base = '' }: { patienceMs?: number; base?: string } = {},
) {
  server = createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://media');
    asked.push({ path, query, headers: request.headers });
    if (path === '/library/sections') {
      const Directory = [
        { key: '1', type: 'movie', title: 'Movies', agent: 'tv.plex.agents.movie', Location: [{ id: 1, path: '/m' }] },
        { key: '2', type: 'show', title: 'TV Shows' },
        { key: '3', type: 'artist', title: 'Music' },
      ];
      return void response.end(JSON.stringify({ MediaContainer: { size: 3, allowSync: false, Directory } }));
    }
    answer({ path, from: Number(query.get('X-Plex-Container-Start') ?? query.get('StartIndex')) }, response);
  });
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return mediaServerOver({ kind, url: `http://127.0.0.1:${port}${base}`, tokenCommand: 'printf secret' }, patienceMs);
}

/** A page of `all`, as the kind says it. */
function say(kind: Kind, rows: object[], total: number | undefined, shared: object = {}): string {
  if (kind === 'jellyfin') return JSON.stringify({ Items: rows, TotalRecordCount: total, StartIndex: 0 });
  const pages = total === undefined ? {} : { totalSize: total, offset: 0 };
  return JSON.stringify({ MediaContainer: { size: rows.length, ...pages, ...shared, Metadata: rows } });
}
const episode = (kind: Kind, n: number): object =>
  kind === 'plex'
    ? {
        ...{ ratingKey: `${n}`, key: `/library/metadata/${n}`, type: 'episode', title: `Part ${n}` },
        ...{ grandparentTitle: 'Harbour', parentTitle: 'Season 1', parentIndex: 1, index: n, year: 2020 },
        ...{ originallyAvailableAt: '2020-05-02', duration: 1_500_000, Media: [{ id: 1, Part: [{ id: 1 }] }] },
      }
    : {
        ...{ Id: `e${n}`, Name: `Part ${n}`, Type: 'Episode', SeriesName: 'Harbour', SeasonName: 'Season 1' },
        ...{ ParentIndexNumber: 1, IndexNumber: n, ProductionYear: 2020, RunTimeTicks: 15_000_000_000 },
        ...{ PremiereDate: '2020-05-02T00:00:00.0000000Z', LocationType: 'FileSystem', UserData: { Played: false } },
      };

test.each(KINDS)('GUIDE-178 items of %s are read as documented, signed in as it wants', async (kind) => {
  const of = await media(kind, ({ path, from }, response) => {
    const film =
      kind === 'plex'
        ? { ratingKey: '900', type: 'movie', title: 'Lantern', year: 1987, originallyAvailableAt: '1987-02-03' }
        : { Id: 'f900', Type: 'Movie', Name: 'Lantern', ProductionYear: 1987, PremiereDate: '1987-02-03T00:00:00Z' };
    const rows = kind === 'plex' ? (path.includes('/1/') ? [film] : [episode(kind, 2)]) : [film, episode(kind, 2)];
    response.end(say(kind, from === 0 ? rows : [], rows.length));
  });
  expect(await of.items()).toEqual([
    {
      ...{ id: kind === 'plex' ? '900' : 'f900', show: null, title: 'Lantern', season: null, episode: null },
      ...{ year: 1987, aired: '1987-02-03' },
    },
    {
      ...{ id: kind === 'plex' ? '2' : 'e2', show: 'Harbour', title: 'Part 2', season: 1, episode: 2 },
      ...{ year: 2020, aired: '2020-05-02' },
    },
  ]);
  const paths = asked.map(({ path }) => path);
  if (kind === 'plex') {
    expect(paths).toEqual(['/library/sections', '/library/sections/1/all', '/library/sections/2/all']);
    expect(asked.map(({ query }) => query.get('type'))).toEqual([null, '1', '4']);
    expect(asked[1]?.headers).toMatchObject({
      ...{ accept: 'application/json', 'x-plex-token': 'secret', 'x-plex-client-identifier': 'accession' },
    });
  } else {
    expect(paths).toEqual(['/Items']);
    // Pages of a list without an order are in none.
    expect(Object.fromEntries(asked[0]?.query ?? [])).toMatchObject({
      ...{ Recursive: 'true', IncludeItemTypes: 'Episode,Movie', SortBy: 'SortName', CollapseBoxSetItems: 'false' },
      ...{ StartIndex: '0', Limit: '500' },
    });
    expect(asked[0]?.headers.authorization).toBe('MediaBrowser Token="secret"');
  }
  expect(JSON.stringify(asked.map(({ path, query }) => [path, `${query}`]))).not.toContain('secret');
});

test.each(KINDS)(
  'GUIDE-179 all items of %s are read where its pages are shorter than asked for, overlap, or say no total',
  async (kind) => {
    const all = Array.from({ length: 130 }, (_, n) => episode(kind, n));
    for (const total of [all.length, undefined, 0]) {
      asked = [];
      const of = await media(kind, ({ path, from }, response) => {
        // Of a page of 50 one row is held back, as Jellyfin does with what somebody may not see; total none: whole pages.
        const rows = path.includes('/1/') ? [] : all.slice(from, from + (total ? 50 : 500)).filter((_, n) => n !== 49);
        response.end(say(kind, rows, path.includes('/1/') ? 0 : total));
      });
      const found = await of.items();
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      expect(found.length).toBeGreaterThanOrEqual(total ? 127 : 129);
      expect(asked.length).toBeLessThan(10);
      server?.close();
    }
  },
);

test.each(KINDS)('GUIDE-179 a %s server that says the same page for ever is not asked for ever', async (kind) => {
  const of = await media(kind, (_, response) => response.end(say(kind, [episode(kind, 1), episode(kind, 2)], 40_000)));
  // Plex is asked section by section.
  expect(await of.items()).toHaveLength(kind === 'plex' ? 4 : 2);
  expect(asked.length).toBeLessThan(6);
});

test('GUIDE-180 what all items of a page share counts where Plex says it of the page alone', async () => {
  const { grandparentTitle: _show, parentIndex: _season, ...bare } = episode('plex', 3) as Record<string, unknown>;
  const of = await media('plex', ({ path }, response) =>
    response.end(
      path.includes('/2/')
        ? say('plex', [bare], 1, { grandparentTitle: 'Harbour', parentIndex: 4 })
        : say('plex', [], 0),
    ),
  );
  expect(await of.items()).toMatchObject([{ show: 'Harbour', season: 4, episode: 3 }]);
});

test.each(KINDS)(
  'GUIDE-180 a field of %s of another type says nothing, and a row without id or title is none',
  async (kind) => {
    const odd: Record<string, unknown> = { ...episode(kind, 1) };
    const [index, year, aired, title] =
      kind === 'plex'
        ? (['index', 'year', 'originallyAvailableAt', 'title'] as const)
        : (['IndexNumber', 'ProductionYear', 'PremiereDate', 'Name'] as const);
    Object.assign(odd, { [index]: '1', [year]: 20.5, [aired]: 7 });
    const rows = [odd, { ...odd, [title]: null }, 'text', null, {}, episode(kind, 2)];
    const of = await media(kind, ({ path }, response) =>
      response.end(path.includes('/1/') ? say(kind, [], 0) : say(kind, rows as object[], 6)),
    );
    expect(await of.items()).toMatchObject([
      { title: 'Part 1', season: 1, episode: null, year: null, aired: null },
      { title: 'Part 2', episode: 2, year: 2020 },
    ]);
  },
);

test.each<[string, Kind, number, string, RegExp]>([
  ['a web page', 'plex', 200, '<html>Sign in</html>', /is no list of items/],
  ['XML', 'plex', 200, '<MediaContainer size="0"/>', /is no list of items/],
  ['another object', 'jellyfin', 200, '{"Items":7}', /is no list of items/],
  ['no JSON at all', 'jellyfin', 200, '', /is no list of items/],
  ['a refusal', 'jellyfin', 400, 'userId is required', /answered 400/],
  ['a failure', 'plex', 503, '', /answered 503/],
])('GUIDE-181 %s (%s) is a sentence, and no item is taken for gone', async (_name, kind, status, text, sentence) => {
  const of = await media(kind, (_, response) => response.writeHead(status).end(text));
  await expect(of.items()).rejects.toThrow(sentence);
});

test.each(KINDS)('GUIDE-181 a redirect of %s is not followed and says what to do', async (kind) => {
  const of = await media(kind, (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end());
  await expect(of.items()).rejects.toMatchObject({
    failure: {
      message: expect.stringMatching(/sends to another address/) as string,
      remedy: 'Name that one as "url".',
    },
  });
});

test.each(KINDS)('GUIDE-181 a %s server that is slow, too much at once, or away, is a sentence each', async (kind) => {
  const slow = await media(kind, () => undefined, { patienceMs: 40 });
  await expect(slow.items()).rejects.toThrow(/gave no answer within 0.04 s/);
  server?.closeAllConnections();
  server?.close();
  const large = await media(kind, (_, response) => {
    response.write('x'.repeat(33 * 1024 * 1024));
    response.end();
  });
  await expect(large.items()).rejects.toThrow(/more than 32 MB at once/);
  const port = (server?.address() as AddressInfo).port;
  server?.closeAllConnections();
  await new Promise((resolve) => void server?.close(resolve));
  const away = mediaServerOver({ kind, url: `http://127.0.0.1:${port}`, tokenCommand: 'printf secret' });
  await expect(away.items()).rejects.toThrow(/cannot be reached/);
});

test('GUIDE-178 a server below a path of its host is asked there', async () => {
  const of = await media('jellyfin', (_, response) => response.end(say('jellyfin', [], 0)), { base: '/jellyfin/' });
  expect(await of.items()).toEqual([]);
  expect(asked.map(({ path }) => path)).toEqual(['/jellyfin/Items']);
});
