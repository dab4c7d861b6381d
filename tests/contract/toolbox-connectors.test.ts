/** Connectors over real connections to invented hosts: what sources answer, what they do wrong, and what is never asked. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CONNECTORS } from '#core/toolbox/connectors/connectors.ts';
import type { ConnectorTool } from '#core/toolbox/connectors/connector-tool.ts';
import { declaredTool, readDeclared } from '#core/toolbox/connectors/declared.ts';
import type { Net } from '#core/toolbox/connectors/net.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { toolNamed } from '#core/toolbox/tools.ts';
import { publicNet, type PublicNetOptions } from '#adapters/toolbox/node/public-net.ts';
import { recordingNet, rememberingNet, replayingNet, type Recorded } from '#adapters/toolbox/recordings.ts';
import { inventedWeb, PUBLIC, type InventedWeb } from '../fixtures/invented-web.ts';
import { answerAsSources } from '../fixtures/toolbox/sources.ts';

const cage = { run: () => Promise.reject(new Error('a cage was reached')), close: () => undefined };
const NOW = Date.UTC(2026, 10, 27, 12);

let web: InventedWeb;
let seen: IncomingMessage[];
let waits: number[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
beforeEach(async () => {
  [seen, waits, answer] = [[], [], answerAsSources];
  web = await inventedWeb((request, response) => {
    seen.push(request);
    answer(request, response);
  });
});
afterEach(() => web.close());

const net = (more: Partial<PublicNetOptions> = {}): Net =>
  publicNet({
    ...{ clock: { now: () => NOW }, allow: null, wire: web },
    wait: (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
    ...more,
  });

async function call(
  tool: string | ConnectorTool,
  input: unknown,
  { domains = null as string[] | null, over = net() } = {},
): Promise<Record<string, unknown>> {
  const run = new ToolboxRun({ cage, net: over, domains });
  const asked = typeof tool === 'string' ? toolNamed(tool, CONNECTORS) : tool;
  const answered = await run.call(asked, input);
  return answered.ok ? answered.answer.whole : { ...answered.failure };
}

/** Memory for what is recorded. */
function kept(): {
  rows: Map<string, Recorded>;
  get(key: string): Promise<Recorded | null>;
  put(row: Recorded): Promise<void>;
} {
  // prettier-ignore
  const rows = new Map<string, Recorded>();
  return {
    rows,
    get: (key) => Promise.resolve(rows.get(key) ?? null),
    put(row) {
      rows.set(row.key, row);
      return Promise.resolve();
    },
  };
}

describe('wikipedia', () => {
  const title = 'Iris flower data set';

  test('TOOLBOX-41 search, summary, text by heading and tables, each with its revision and source', async () => {
    expect(await call('wikipedia', { what: 'search', query: 'iris' })).toMatchObject({
      columns: ['title', 'page_id', 'words', 'changed', 'snippet'],
      rows: [[title, 4203254, 1200, '2026-10-01T08:00:00Z', 'The iris & more']],
    });
    const summary = await call('wikipedia', { what: 'summary', title });
    expect(summary).toMatchObject({
      ...{ title, revision: 1234567890, changed: '2026-10-01T08:00:00Z' },
      text: 'The iris data set is a multivariate data set by Ronald Fisher.',
      sources: [
        {
          address: expect.stringMatching(/^https:\/\/en\.wikipedia\.org\/w\/api\.php\?action=query&/),
          ...{ fetched_at: '2026-11-27T12:00:00.000Z', licence: 'CC BY-SA 4.0', recorded: null },
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    });
    expect(await call('wikipedia', { what: 'text', title })).toMatchObject({
      sections: [
        { heading: '', level: 1 },
        { heading: 'Data set', level: 2, text: 'It has 150 records.' },
        { heading: 'Uses', level: 3, text: 'Often for clustering.' },
      ],
    });
    expect(await call('wikipedia', { what: 'tables', title })).toMatchObject({
      revision: 1234567890,
      tables: [
        {
          ...{ caption: 'Iris data', columns: ['Species name', 'Sepal length', 'Sepal width'] },
          rows: [['setosa', '5.1', '3.5'], ['setosa', '4.9', '3.0'], ['virginica', '6.3', '3.3']], // prettier-ignore
        },
      ],
    });
  });

  test('TOOLBOX-41 an article that there is not, and fields that are missing, are named', async () => {
    for (const what of ['summary', 'text', 'tables'])
      expect(await call('wikipedia', { what, title: 'Nothing' })).toMatchObject({
        code: 'tool_input',
        subject: 'title',
      });
    expect(await call('wikipedia', { what: 'search', title })).toMatchObject({ code: 'tool_input', subject: 'query' });
    expect(await call('wikipedia', { what: 'text' })).toMatchObject({ code: 'tool_input', subject: 'title' });
    expect(await call('wikipedia', { what: 'summary', title, language: 'en.evil.com/' })).toMatchObject({
      code: 'tool_input',
      subject: 'language',
    });
  });
});

describe('declared connectors', () => {
  test('TOOLBOX-42 Wikidata, OpenAlex, World Bank give rows over their pages', async () => {
    expect(await call('wikidata', { endpoint: 'search', text: 't-test', pages: 5 })).toMatchObject({
      rows: [['Q846604', "Student's t-test", 'a test', expect.any(String)], ['Q2', expect.any(String), 'a test', expect.any(String)]], // prettier-ignore
      ...{ pages: 2, truncated: false },
    });
    expect(await call('wikidata', { endpoint: 'facts', id: 'Q1' })).toMatchObject({
      rows: [
        ['P31', 'Q1203', null, null, null, null, null, expect.any(String), 'normal'],
        ['P1082', null, null, '+8', null, null, null, expect.any(String), 'preferred'],
      ],
    });
    const one = await call('openalex', { endpoint: 'works', search: 'variance' });
    expect(one).toMatchObject({ total: 1, truncated: true, types: expect.arrayContaining(['BIGINT', 'VARCHAR']) });
    expect(await call('openalex', { endpoint: 'works', search: 'variance', pages: 9 })).toMatchObject({
      rows: [
        ['https://openalex.org/W1', 'On variance', 1925, null, 'book', 7, 'R. A. Fisher; Another', 'Biometrika'],
        ['https://openalex.org/W2', 'On variance', 1925, null, 'book', 7, 'R. A. Fisher; Another', 'Biometrika'],
      ],
      truncated: false,
      sources: [{ licence: 'CC0 1.0' }, { licence: 'CC0 1.0' }],
    });
    expect(
      await call('world_bank', { endpoint: 'values', indicator: 'SP.POP.TOTL', country: 'CHE', pages: 10 }),
    ).toMatchObject({
      rows: [
        ['Switzerland', 'CHE', '2001', 2001000, 'SP.POP.TOTL'],
        ['Switzerland', 'CHE', '2000', 2000000, 'SP.POP.TOTL'],
        ['Switzerland', 'CHE', '1999', 1999000, 'SP.POP.TOTL'],
      ],
      pages: 3,
    });
  });

  test('TOOLBOX-43 registers: RDAP behind its redirect, DNS over HTTPS, certificates, the Wayback Machine', async () => {
    expect(await call('osint', { endpoint: 'domain', domain: 'example.com' })).toMatchObject({
      rows: [['EXAMPLE.COM', '1_DOMAIN_COM-VRSN', 'active; locked', 'registration', '1995-08-14T04:00:00Z', 'A.IANA-SERVERS.NET; B.IANA-SERVERS.NET', '376']], // prettier-ignore
      sources: [{ address: 'https://rdap.verisign.com/com/v1/domain/example.com' }],
    });
    expect(await call('osint', { endpoint: 'dns', name: 'example.org' })).toMatchObject({
      rows: [['example.org', 1, 300, '93.184.215.14']],
    });
    expect(await call('osint', { endpoint: 'certificates', name: 'example.org' })).toMatchObject({
      rows: [[9, 'example.org', 'example.org\nwww.example.org', 'C=US, O=CA', '2026-01-01T00:00:00', '2026-04-01T00:00:00']], // prettier-ignore
    });
    expect(await call('osint', { endpoint: 'snapshots', url: 'example.org' })).toMatchObject({
      rows: [
        ['20020120142510', 'http://example.org:80/', 'text/html', '200', 'HT2DYGA5UKZCPBSFVCV3JOBXGW2G5UUA', '1792'],
      ],
    });
    expect(await call('osint', { endpoint: 'dns', domain: 'example.org' })).toMatchObject({ subject: 'domain' });
    expect(await call('osint', { endpoint: 'dns' })).toMatchObject({ subject: 'name', code: 'tool_input' });
    expect(await call('osint', { endpoint: 'domain', domain: '..' })).toMatchObject({ code: 'tool_input' });
  });

  test('TOOLBOX-42 any API is declared with the call, without a secret', async () => {
    const { example } = toolNamed('http_api', CONNECTORS) as ConnectorTool<{ api: string }>;
    expect(await call('http_api', example)).toMatchObject({
      columns: ['year', 'population'],
      rows: [[2023, 332387540]],
    });
    expect(await call('http_api', { ...example, endpoint: 'no' })).toMatchObject({ subject: 'endpoint' });
    expect(await call('http_api', { ...example, with: { x: 1 } })).toMatchObject({ subject: 'with' });
    const spy = `${example.api}secret: { name: OWNERS, header: X-Key }\n`;
    expect(await call('http_api', { api: spy })).toMatchObject({ code: 'tool_refused', subject: 'api' });
    expect(await call('http_api', { api: 'name: [' })).toMatchObject({ code: 'tool_input', subject: 'api' });
    expect(await call('http_api', example, { domains: ['example.org'] })).toMatchObject({ code: 'tool_refused' });
  });

  test('TOOLBOX-42 a secret goes to its own origin alone, as header or field, and stands in no answer', async () => {
    const declared = (how: string): ConnectorTool =>
      declaredTool(
        readDeclared(
          `name: mine\nabout: Mine\nbase: https://a.example.org\nhosts: [a.example.org, b.example.org]\nlicence: mine\nattribution: me\nsecret: { name: MINE, ${how} }\nendpoints:\n  one: { about: x, path: /one, rows: '$', columns: { key: $.key } }\n`,
          'mine.yaml',
        ),
      );
    answer = (request, response) =>
      request.headers.host === 'a.example.org'
        ? void response.writeHead(302, { Location: 'https://b.example.org/two' }).end()
        : void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"key":1}');
    const over = net({ secret: (name) => Promise.resolve(name === 'MINE' ? 'hush' : null) });
    const said = await call(declared("header: X-Key, prefix: 'Key '"), {}, { over });
    expect(said).toMatchObject({ rows: [[1]] });
    expect(seen.map(({ headers }) => headers['x-key'])).toEqual(['Key hush', undefined]);
    answer = (_request, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"key":1}');
    const asked = await call(declared('query: api_key'), {}, { over });
    expect(seen.at(-1)?.url).toBe('/one?api_key=hush');
    expect(JSON.stringify([said, asked])).not.toContain('hush');
    expect(await call(declared('query: api_key'), {})).toMatchObject({
      code: 'tool_unavailable',
      remedy: expect.stringContaining('ACCESSION_SECRET_MINE'),
    });
  });

  test.each([
    ['no YAML', 'a: [', /is no YAML/],
    ['an alias', 'name: &a x\nabout: *a', /no YAML/],
    ['a field that there is not', 'name: x\nabout: y\nbase: https://x.org\nlicence: l\nattribution: a\nrun: rm', /run/],
    ['plain http', 'name: x\nabout: y\nbase: http://x.org\nlicence: l\nattribution: a\nendpoints: {}', /base must be/],
    ['a wrong path', "name: x\nabout: y\nbase: https://x.org\nlicence: l\nattribution: a\nendpoints: { e: { about: a, path: /, rows: '$[?(@.x)]', columns: { a: $ } } }", /rows is no JSONPath/], // prettier-ignore
    ['a field that is not of the input', "name: x\nabout: y\nbase: https://x.org\nlicence: l\nattribution: a\nendpoints: { e: { about: a, path: '/{id}', rows: $, columns: { a: $ } } }", /"\{id\}" is no field/], // prettier-ignore
  ])('TOOLBOX-42 a declaration with %s is refused with its place', (_, text, why) =>
    expect(() => readDeclared(text, 'x.yaml')).toThrow(why),
  );
});

describe('scrape', () => {
  test('TOOLBOX-44 a page as text, tables and links; its robots.txt is kept, and a second lies between two questions', async () => {
    const page = await call('scrape', { url: 'https://shop.example.org/prices/today' });
    expect(page).toMatchObject({
      title: 'Shop',
      text: expect.stringMatching(/^# Prices\nAll is here\./),
      tables: [{ columns: ['a', 'b'], rows: [['1', '2']] }],
      links: [{ text: 'More', address: 'https://shop.example.org/more?x=1' }],
    });
    expect(JSON.stringify(page)).not.toMatch(/bad\(\)|javascript:|Menu/);
    expect(seen.map(({ url }) => url)).toEqual(['/robots.txt', '/prices/today']);
    expect(waits).toEqual([1000, 1000]);
    const over = net();
    for (const [path, code] of [
      ['private/x', 'tool_refused'],
      ['private/open', undefined],
    ] as const)
      // prettier-ignore
      expect((await call('scrape', { url: `https://shop.example.org/${path}` }, { over }))['code']).toBe(code);
    expect(seen.filter(({ url }) => url === '/robots.txt')).toHaveLength(2);
  });

  test('TOOLBOX-44 a robots.txt that cannot be had forbids all, one that there is not nothing; a redirect asks that of its host', async () => {
    answer = (request, response) => {
      if (request.url === '/robots.txt') {
        const status = request.headers.host === 'b.example.org' ? 500 : 404;
        return void response.writeHead(status).end();
      }
      if (request.url === '/on') return void response.writeHead(302, { Location: 'https://b.example.org/x' }).end();
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('read');
    };
    expect(await call('scrape', { url: 'https://a.example.org/x' })).toMatchObject({ text: 'read' });
    expect(await call('scrape', { url: 'https://a.example.org/on' })).toMatchObject({ code: 'tool_unavailable' });
    expect(seen.some(({ url, headers }) => headers.host === 'b.example.org' && url === '/x')).toBe(false);
  });
});

test('TOOLBOX-58 features of an ArcGIS FeatureServer, a WFS and an OGC API over their pages', async () => {
  const maps = 'https://maps.example.org';
  const arcgis = { kind: 'arcgis', url: `${maps}/arcgis/rest/services/towns/FeatureServer`, pages: 5 };
  expect(await call('gis_service', { ...arcgis, where: "name = 'x'", bounds: [6, 45, 10, 48] })).toMatchObject({
    ...{ bounds: [7, 46, 7, 46], truncated: false, sources: [{}, {}] },
    rows: [['Point', 7, 46, 1, 'town 0'], ['Point', 7, 46, 1, 'town 1']], // prettier-ignore
  });
  expect(seen[0]?.url).toContain('outSR=4326');
  expect(await call('gis_service', { ...arcgis, pages: 1 })).toMatchObject({ truncated: true, total: 1 });
  expect(await call('gis_service', { kind: 'wfs', url: `${maps}/wfs`, layer: 'ns:towns', pages: 5 })).toMatchObject({
    rows: [['Point', 8, 47, 'ns:towns 0'], ['Point', 8, 47, 'ns:towns 1']], // prettier-ignore
  });
  expect(await call('gis_service', { kind: 'ogc', url: `${maps}/ogc`, layer: 'towns', pages: 5 })).toMatchObject({
    rows: [['Point', 9, 48, '0'], ['Point', 9, 48, '1']], // prettier-ignore
    geojson: { type: 'FeatureCollection' },
  });
  expect(await call('gis_service', { kind: 'ogc', url: `${maps}/ogc` })).toMatchObject({ subject: 'layer' });
  expect(await call('gis_service', { kind: 'arcgis', url: `${maps}/broken` })).toMatchObject({
    code: 'tool_unavailable',
    message: expect.stringMatching(/no such layer/),
  });
  expect(await call('gis_service', arcgis, { domains: ['*.wikipedia.org'] })).toMatchObject({ code: 'tool_refused' });
});

/** What another side does wrong, and what is said. */
const title = 'Iris flower data set';
const FAULTS: [name: string, act: (response: ServerResponse) => void, code: string, said: RegExp][] = [
  ['429 with a long wait', (response) => void response.writeHead(429, { 'Retry-After': '3600' }).end(), 'tool_unavailable', /asks to wait 3600 s/], // prettier-ignore
  ['429 without a wait', (response) => void response.writeHead(429).end(), 'tool_unavailable', /asks to wait/],
  ['500', (response) => void response.writeHead(500).end('oops'), 'tool_unavailable', /answered 500/],
  ['an answer that is cut', (response) => { response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '999' }); response.write('{"query":', () => void response.destroy()); }, 'tool_unavailable', /gave no answer/], // prettier-ignore
  ['half an answer', (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"query":'), 'tool_unavailable', /no JSON/], // prettier-ignore
  ['an answer of another form', (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end('[1]'), 'tool_unavailable', /another form/], // prettier-ignore
  ['an image', (response) => void response.writeHead(200, { 'Content-Type': 'image/png' }).end('png'), 'tool_refused', /not taken \(image\/png\)/], // prettier-ignore
  ['a program', (response) => void response.writeHead(200, { 'Content-Type': 'video/mp4' }).end('x'), 'tool_refused', /not taken/], // prettier-ignore
  ['a huge answer', (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(Buffer.alloc(5 * 1024 * 1024, 32)), 'tool_limit', /more than 4 MiB/], // prettier-ignore
  ['a circle of redirects', (response) => void response.writeHead(302, { Location: '/w/api.php' }).end(), 'tool_refused', /leads on too often/], // prettier-ignore
  ['a redirect to another domain', (response) => void response.writeHead(302, { Location: 'https://evil.example.com/' }).end(), 'tool_refused', /evil\.example\.com is not among/], // prettier-ignore
  ['a redirect to this machine', (response) => void response.writeHead(302, { Location: 'https://127.0.0.1/' }).end(), 'tool_refused', /no name of a host/], // prettier-ignore
  ['a redirect to plain http', (response) => void response.writeHead(302, { Location: 'http://en.wikipedia.org/' }).end(), 'tool_refused', /only https/], // prettier-ignore
];

describe('faults', () => {
  test.each(FAULTS)('TOOLBOX-45 %s is a failure with a sentence', async (_, act, code, said) => {
    answer = (_request, response) => act(response);
    const failed = await call('wikipedia', { what: 'summary', title });
    expect(failed).toMatchObject({ code, message: expect.stringMatching(said) });
  });

  test('TOOLBOX-45 a short wait that is asked for is kept, once', async () => {
    answer = (request, response) =>
      seen.length === 1
        ? void response.writeHead(429, { 'Retry-After': '2' }).end()
        : answerAsSources(request, response);
    expect(await call('wikipedia', { what: 'summary', title })).toMatchObject({ title });
    expect(waits).toContain(2000);
    answer = (_request, response) => void response.writeHead(503, { 'Retry-After': '2' }).end();
    seen = [];
    expect(await call('wikipedia', { what: 'summary', title })).toMatchObject({ code: 'tool_unavailable' });
    expect(seen).toHaveLength(2);
  });

  test('TOOLBOX-50 who gives up in the queue of a host leaves at once, and the next one is asked', async () => {
    const { promise: paused, resolve: goOn } = Promise.withResolvers<undefined>();
    const over = net({ wait: () => paused });
    const [{ connector } = expect.fail()] = CONNECTORS;
    const ask = (signal?: AbortSignal) =>
      over.ask({ connector, url: 'https://en.wikipedia.org/w/api.php', accept: '*/*', domains: null }, signal);
    const stop = new AbortController();
    const [first, second, third] = [ask(), ask(stop.signal), ask()];
    expect(await first).toMatchObject({ ok: true });
    stop.abort();
    expect(await second).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    expect(seen).toHaveLength(1);
    goOn(undefined);
    expect(await third).toMatchObject({ ok: true });
  });

  test('TOOLBOX-45 one that is silent, before or in its answer, ends at its time', async () => {
    const slow = (tool: ConnectorTool): ConnectorTool =>
      declaredTool({ ...readDeclared(`name: slow\nabout: s\nbase: https://slow.example.org\nlicence: l\nattribution: a\nendpoints: { e: { about: a, path: /, rows: $, columns: { a: $.a } } }`, 'slow'), limits: { every_ms: 0, bytes: 1000, seconds: 0.2, pages: 1 }, version: tool.version }); // prettier-ignore
    for (const act of [
      () => undefined,
      (response: ServerResponse) => void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{'),
    ]) {
      // prettier-ignore
      answer = (_request, response) => act(response);
      expect(await call(slow(CONNECTORS[0] as ConnectorTool), {})).toMatchObject({ code: 'tool_timeout' });
    }
  });

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.1.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fc00::1',
  ])('TOOLBOX-46 a name that resolves to %s is not asked, at first or behind a redirect', async (address) => {
    web.names['en.wikipedia.org'] = [[PUBLIC, address]];
    expect(await call('wikipedia', { what: 'summary', title })).toMatchObject({ code: 'tool_refused' });
    expect(web.connected).toEqual([]);
    delete web.names['en.wikipedia.org'];
    web.names['inside.example.org'] = [[address]];
    answer = (request, response) =>
      request.url === '/robots.txt'
        ? void response.writeHead(404).end()
        : void response.writeHead(301, { Location: 'https://inside.example.org/x' }).end();
    expect(await call('scrape', { url: 'https://a.example.org/' })).toMatchObject({ code: 'tool_refused' });
    expect(web.connected.some((one) => one.includes('inside'))).toBe(false);
  });

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://localhost/',
    'https://a.example.org:8443/',
    'https://u:p@a.example.org/',
    'https://a.example.org@127.0.0.1/',
    'https://127.1/', // prettier-ignore
    'https://a.example.org\\@127.0.0.1/',
    'https://１２７.0.0.1/',
    'http://a.example.org/',
    'file:///etc/passwd',
  ])('TOOLBOX-46 %s is not asked', async (url) => {
    web.names['127.0.0.1'] = [['127.0.0.1']];
    expect((await call('scrape', { url }))['code']).toMatch(/^tool_(?:refused|input)$/);
    const asked = await net().ask({ connector: toolConnector('scrape'), url, accept: '*/*', domains: null });
    expect(asked.ok).toBe(false);
    expect(web.connected).toEqual([]);
  });

  test('TOOLBOX-46 what the run and what the server allow are both kept', async () => {
    expect(await call('wikipedia', { what: 'summary', title }, { domains: ['*.example.org'] })).toMatchObject({
      code: 'tool_refused',
      subject: 'domains',
    });
    expect(await call('wikipedia', { what: 'summary', title }, { domains: ['*.wikipedia.org'] })).toMatchObject({
      title,
    });
    const url = 'https://shop.example.org/';
    expect(await call('scrape', { url }, { over: net({ allow: ['other.example.org'] }) })).toMatchObject({ code: 'tool_refused' }); // prettier-ignore
    expect(await call('scrape', { url }, { over: net({ allow: ['*.example.org'] }) })).toMatchObject({ title: 'Shop' });
  });
});

const toolConnector = (name: string) => (toolNamed(name, CONNECTORS) as ConnectorTool).connector;

describe('recordings', () => {
  test('TOOLBOX-47 what was recorded answers the same without a network, with its day; the rest is unavailable', async () => {
    const rows = kept();
    const live = await call('wikipedia', { what: 'summary', title }, { over: recordingNet(net(), rows) });
    await web.close();
    const over = replayingNet(rows);
    const played = await call('wikipedia', { what: 'summary', title }, { over });
    expect(played).toEqual({
      ...live,
      sources: [{ ...(live['sources'] as object[])[0], recorded: '2026-11-27' }],
    });
    expect(await call('wikipedia', { what: 'search', query: 'other' }, { over })).toMatchObject({
      code: 'tool_unavailable',
      message: expect.stringMatching(/no recorded answer/),
    });
  });

  test('TOOLBOX-47 without a network what was answered before is answered, with its day; a refusal is none', async () => {
    const rows = kept();
    const over = rememberingNet(net(), rows);
    await call('wikipedia', { what: 'summary', title }, { over });
    web.names['en.wikipedia.org'] = [[]];
    expect(await call('wikipedia', { what: 'summary', title }, { over })).toMatchObject({
      sources: [{ recorded: '2026-11-27' }],
    });
    expect(await call('wikipedia', { what: 'text', title }, { over })).toMatchObject({ code: 'tool_unavailable' });
    web.names['en.wikipedia.org'] = [[PUBLIC]];
    answer = (_request, response) => void response.writeHead(500).end();
    expect(await call('wikipedia', { what: 'summary', title }, { over })).toMatchObject({ code: 'tool_unavailable' });
  });

  test('TOOLBOX-40 an answer says where it is from, and computed again it is the same', async () => {
    const run = new ToolboxRun({ cage, net: net() });
    const answered = await run.call(toolNamed('wikipedia', CONNECTORS), { what: 'summary', title });
    expect(answered).toMatchObject({
      ok: true,
      answer: {
        provenance: [
          { source: 'tool', ref: 'wikipedia@1' },
          { source: 'address' },
          { source: 'fetched', ref: '2026-11-27T12:00:00.000Z' },
          { source: 'sha256' },
          { source: 'licence', ref: 'CC BY-SA 4.0' },
        ],
      },
    });
    expect(await run.verify()).toEqual([]);
    answer = (_request, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"query":{"pages":[]}}');
    expect(await run.verify()).toEqual(['r1']);
  });
});
