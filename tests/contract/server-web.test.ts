/** The network for tools of a question: attacks on a real wire, against hosts that are invented. */
import { gzipSync } from 'node:zlib';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CancelSource } from '#core/cancel.ts';
import { isPublicAddress } from '#adapters/node/public-address.ts';
import { webFetch } from '#lanes/library/node/web-fetch.ts';
import { webRoutes } from '#lanes/library/server/web.route.ts';
import { inventedWeb, PUBLIC, type InventedWeb } from '../fixtures/invented-web.ts';
import { LANES, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

const PAGE = '<h1>Tides</h1><p>Spring tides come after full moon.</p>';

type Answers = Record<string, (response: ServerResponse, request: IncomingMessage) => void>;
const html: Answers[string] = (response) =>
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(PAGE);
const leads =
  (to: string, status = 302): Answers[string] =>
  (response) =>
    response.writeHead(status, { Location: to }).end();

const ANSWERS: Answers = {
  'wiki.example.org/page': html,
  'evil.example.com/page': html,
  'wiki.example.org/on': leads('/page', 301),
  'wiki.example.org/out': leads('https://evil.example.com/page'),
  'wiki.example.org/plain': leads('http://wiki.example.org/page', 307),
  'wiki.example.org/inside': leads('https://inside.example.org/page', 308),
  'wiki.example.org/number': leads('https://127.0.0.1/'),
  'wiki.example.org/port': leads('https://wiki.example.org:8443/page'),
  'wiki.example.org/file': leads('file:///etc/passwd'),
  'wiki.example.org/nowhere': leads('https://['),
  'wiki.example.org/round': leads('/round'),
  'wiki.example.org/large': (response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    response.write('x'.repeat(600_000));
    response.end('x'.repeat(600_000));
  },
  'wiki.example.org/bomb': (response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(40_000_000))),
  'wiki.example.org/packed': (response) =>
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }).end(gzipSync('packed')),
  'wiki.example.org/torn': (response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
      .end(gzipSync('packed'.repeat(999)).subarray(0, 20)),
  'wiki.example.org/image': (response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end('png'),
  'wiki.example.org/untyped': (response) => response.writeHead(200).end('what'),
  'wiki.example.org/gone': (response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('gone'),
  'wiki.example.org/headers': (response) =>
    response.writeHead(200, { 'Content-Type': 'text/plain', 'X-Long': 'x'.repeat(60_000) }).end('x'),
  'wiki.example.org/old': (response) =>
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0x66, 0xfc, 0x72])),
  'wiki.example.org/endless': (response) =>
    void response.writeHead(200, { 'Content-Type': 'text/plain' }).write('and '),
  'wiki.example.org/silent': () => undefined,
};

let web: InventedWeb;
let seen: IncomingMessage[];
beforeEach(async () => {
  seen = [];
  web = await inventedWeb((request, response) => {
    seen.push(request);
    const answer = ANSWERS[`${request.headers.host ?? ''}${request.url ?? ''}`];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, request);
  });
});
afterEach(() => web.close());

describe('a page of the web', () => {
  const fetched = async (
    url: string,
    { allow = null as string[] | null, lists = [['*.example.org']], timeMs = 4000 } = {},
  ) => {
    const answer = await webFetch({ allow, wire: web, timeMs }).fetch(url, lists, undefined);
    return answer.ok ? answer.value : `${answer.failure.code}: ${answer.failure.message}`;
  };

  test('ASK-78 is text of a domain that may be reached, behind redirects within it', async () => {
    expect(await fetched('https://wiki.example.org/page')).toEqual({
      url: 'https://wiki.example.org/page',
      type: 'text/html',
      text: PAGE,
    });
    expect(await fetched('https://wiki.example.org/on')).toMatchObject({
      url: 'https://wiki.example.org/page',
      text: PAGE,
    });
    expect(await fetched('https://wiki.example.org/packed')).toMatchObject({ text: 'packed' });
    expect(await fetched('https://wiki.example.org/old')).toMatchObject({ text: 'für' });
    expect(new Set(web.connected)).toEqual(new Set([`wiki.example.org ${PUBLIC}`]));
    for (const { headers } of seen)
      expect(Object.keys(headers).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });

  test.each([
    ['plain http', 'http://wiki.example.org/page', /only https/],
    ['a file', 'file:///etc/passwd', /only https/],
    ['a password', 'https://u:p@wiki.example.org/page', /a name or a password/],
    ['a port', 'https://wiki.example.org:8443/page', /names a port/],
    ['another domain', 'https://evil.example.com/page', /not among the domains/],
    ['a domain behind it', 'https://wiki.example.org.evil.com/page', /not among the domains/],
    ['a domain that ends the same', 'https://xexample.org/page', /not among the domains/],
    ['a trick of slashes', 'https://evil.example.com\\@wiki.example.org/page', /not among the domains/],
    ['the machine itself', 'https://127.0.0.1/', /not among the domains/],
    ['the machine as a number', 'https://2130706433/', /not among the domains/],
    ['the machine in hex', 'https://0x7f.1/', /not among the domains/],
    ['the machine as IPv6', 'https://[::1]/', /not among the domains/],
    ['a bare name', 'https://localhost/', /not among the domains/],
    ['no address', 'https://', /no address/],
  ])('ASK-78 %s is refused before any connection', async (_, url, why) => {
    expect(await fetched(url)).toMatch(why);
    expect(web.connected).toEqual([]);
  });

  test.each([
    ['another domain', 'out', /evil\.example\.com is not among/],
    ['plain http', 'plain', /only https/],
    ['a private address behind a name', 'inside', /inside\.example\.org is no host of the public internet/],
    ['the machine itself', 'number', /not among/],
    ['a port', 'port', /names a port/],
    ['a file', 'file', /only https/],
    ['nowhere', 'nowhere', /no address/],
    ['itself', 'round', /leads on too often/],
  ])('ASK-78 a redirect to %s is not followed', async (_, path, why) => {
    web.names['inside.example.org'] = [['10.0.0.7']];
    expect(await fetched(`https://wiki.example.org/${path}`)).toMatch(why);
    expect(new Set(web.connected)).toEqual(new Set([`wiki.example.org ${PUBLIC}`]));
  });

  test('ASK-78 a name of which any address is not public is refused; one that changes gets the address that was checked', async () => {
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:0:4136::1',
      'fec0::1',
      'ff02::1',
    ]) {
      web.names['wiki.example.org'] = [[PUBLIC, address]];
      expect(await fetched('https://wiki.example.org/page'), address).toMatch(/no host of the public internet/);
    }
    expect(web.connected).toEqual([]);
    web.names['wiki.example.org'] = [[PUBLIC], ['127.0.0.1']];
    expect(await fetched('https://wiki.example.org/page')).toMatchObject({ text: PAGE });
    expect(web.connected).toEqual([`wiki.example.org ${PUBLIC}`]);
    expect(await fetched('https://wiki.example.org/page')).toMatch(/no host of the public internet/);
    web.names['wiki.example.org'] = [[]];
    expect(await fetched('https://wiki.example.org/page')).toMatch(/has no address/);
  });

  test('ASK-78 what is too large, packed to burst, torn, no text, or gone is refused', async () => {
    expect(await fetched('https://wiki.example.org/large')).toMatch(/^too_large/);
    expect(await fetched('https://wiki.example.org/bomb')).toMatch(/^too_large/);
    expect(await fetched('https://wiki.example.org/torn')).toMatch(/^offline/);
    expect(await fetched('https://wiki.example.org/image')).toMatch(/no text \(image\/png\)/);
    expect(await fetched('https://wiki.example.org/untyped')).toMatch(/no text/);
    expect(await fetched('https://wiki.example.org/gone')).toMatch(/^not_found/);
    expect(await fetched('https://wiki.example.org/headers')).toMatch(/^offline/);
  });

  test('ASK-78 what does not end is given up, and a cancelled one at once', async () => {
    expect(await fetched('https://wiki.example.org/endless', { timeMs: 200 })).toMatch(/took longer than 0.2 s/);
    expect(await fetched('https://wiki.example.org/silent', { timeMs: 200 })).toMatch(/took longer/);
    const cancel = new CancelSource();
    const waiting = webFetch({ allow: null, wire: web }).fetch(
      'https://wiki.example.org/silent',
      [['*.example.org']],
      cancel,
    );
    cancel.abort();
    expect(await waiting).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  });

  test('ASK-78 only addresses that are given out are public', () => {
    for (const address of [PUBLIC, '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])
      expect(isPublicAddress(address)).toBe(true);
    for (const address of [
      '',
      'localhost',
      '8.8.8',
      '0x8.8.8.8',
      '010.8.8.8',
      '192.0.2.1',
      '198.18.0.1',
      '203.0.113.9',
      '240.0.0.1',
      '2001:db8::1',
      '100::1',
    ])
      expect(isPublicAddress(address), address).toBe(false);
  });
});

describe('POST /v1/tools/fetch', () => {
  let server: TestServer;
  const serve = async (allow: string[]): Promise<void> => {
    const tools = { allow, search: { kind: 'searxng', url: 'https://search.example.org/search' } as const };
    const lanes = LANES.map((lane) =>
      lane.id === 'library' ? { ...lane, routes: () => webRoutes(tools, web) } : lane,
    );
    server = await testServer({ lanes: () => Promise.resolve(lanes) });
  };
  afterEach(() => server.end());
  const post = (body: unknown, headers?: Record<string, string>) =>
    server.api<{ text: string } & ErrorAnswer>('POST', '/v1/tools/fetch', body, headers);

  test('API-120 a page of a domain that accession.toml and the run let through; any other is refused by its name', async () => {
    await serve(['*.example.org']);
    expect(await post({ url: 'https://wiki.example.org/page', lists: [['wiki.example.org']] })).toMatchObject({
      status: 200,
      body: { text: PAGE, type: 'text/html' },
    });
    for (const body of [
      { url: 'https://evil.example.com/page', lists: [['evil.example.com']] },
      { url: 'https://wiki.example.org/page', lists: [['*.example.org'], ['other.example.org']] },
      { url: 'https://wiki.example.org/page', lists: [[]] },
      { url: 'https://wiki.example.org/out', lists: [['*.example.org', 'evil.example.com']] },
    ])
      expect(await post(body), JSON.stringify(body)).toMatchObject({
        status: 403,
        body: { error: { code: 'forbidden' } },
      });
    expect((await post({ url: 'https://wiki.example.org/large', lists: [['*.example.org']] })).status).toBe(413);
    expect((await post({ url: 'https://wiki.example.org/gone', lists: [['*.example.org']] })).status).toBe(404);
    web.names['dark.example.org'] = [[]];
    expect((await post({ url: 'https://dark.example.org/', lists: [['*.example.org']] })).status).toBe(502);
  });

  test('API-120 what is no such question is refused before anything is asked, and so is who may not ask', async () => {
    await serve(['*.example.org']);
    const good = { url: 'https://wiki.example.org/page', lists: [['*.example.org']] };
    for (const body of [
      { ...good, lists: [] },
      { url: good.url },
      { ...good, url: 'http://wiki.example.org/' },
      { ...good, lists: [['*']] },
      { ...good, headers: {} },
      { ...good, url: `https://wiki.example.org/${'x'.repeat(5000)}` },
    ])
      expect((await post(body)).status, JSON.stringify(body).slice(0, 100)).toBe(400);
    expect((await post(good, { Authorization: 'Bearer nobody' })).status).toBe(401);
    await server.addToken('the-token-of-vera', 'vera', 'ReadCatalog');
    expect((await post(good, { Authorization: 'Bearer the-token-of-vera' })).status).toBe(403);
    expect(web.connected).toEqual([]);
  });

  test('API-121 says which domains it asks; without [tools] none', async () => {
    await serve(['*.example.org']);
    expect(await server.api('GET', '/v1/tools/web')).toMatchObject({
      status: 200,
      body: { allow: ['*.example.org'], engine: { kind: 'searxng', url: 'https://search.example.org/search' } },
    });
    await server.end();
    await serve([]);
    expect((await post({ url: 'https://wiki.example.org/page', lists: [['wiki.example.org']] })).status).toBe(403);
    expect(web.connected).toEqual([]);
  });
});
