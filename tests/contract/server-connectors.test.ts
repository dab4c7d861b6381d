/** Sources that the server asks for tools in browsers: over real connections to invented hosts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { publicNet } from '#adapters/toolbox/node/public-net.ts';
import { declaredSources } from '#lanes/toolbox/node/sources.ts';
import { connectorRoutes, type ConnectorsOptions } from '#lanes/toolbox/server/connectors.route.ts';
import type { SourceAnswer } from '#core/toolbox/connectors/relay.ts';
import { inventedWeb, type InventedWeb } from '../fixtures/invented-web.ts';
import { LANES, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { answerAsSources } from '../fixtures/toolbox/sources.ts';

let web: InventedWeb;
let seen: IncomingMessage[];
let server: TestServer;
beforeEach(async () => {
  seen = [];
  web = await inventedWeb((request, response) => {
    seen.push(request);
    answerAsSources(request, response);
  });
});
afterEach(async () => {
  await server.end();
  await web.close();
});

const serve = async (options: Partial<ConnectorsOptions> = {}): Promise<void> => {
  const allow = options.allow ?? null;
  const net = publicNet({
    ...{ clock: { now: () => 0 }, allow: allow ?? [], wire: web, wait: () => Promise.resolve() },
    secret: (name) => Promise.resolve(name === 'RIVERS' ? 'hush' : null),
  });
  const lanes = LANES.map((lane) =>
    lane.id === 'toolbox'
      ? {
          ...lane,
          routes: (deps: Parameters<typeof lane.routes>[0]) =>
            connectorRoutes(deps, { sources: null, declared: [], ...options, allow, net }),
        }
      : lane,
  );
  server = await testServer({ lanes: () => Promise.resolve(lanes) });
};

const DNS = {
  url: 'https://cloudflare-dns.com/dns-query?name=example.org',
  accept: 'application/dns-json',
  domains: null,
};
const ask = (name: string, body: unknown, headers?: Record<string, string>) =>
  server.api<SourceAnswer & ErrorAnswer>('POST', `/v1/connectors/${name}`, body, headers);

test('API-160 a server asks the hosts of a connector that the request lets through, and says why not', async () => {
  await serve();
  const answered = await ask('osint', DNS);
  expect(answered).toMatchObject({
    status: 200,
    body: { outcome: 'answered', type: 'application/dns-json', url: DNS.url },
  });
  const { body } = answered.body as Extract<SourceAnswer, { outcome: 'answered' }>;
  expect(JSON.parse(Buffer.from(body, 'base64').toString())).toMatchObject({ Status: 0 });
  expect(await ask('osint', { ...DNS, domains: ['cloudflare-dns.com'] })).toMatchObject({
    body: { outcome: 'answered' },
  });
  for (const wrong of [
    { ...DNS, domains: ['*.example.org'] },
    { ...DNS, domains: [] },
    { ...DNS, url: 'https://evil.example.com/' },
    { ...DNS, url: 'https://127.0.0.1/' },
  ])
    expect(await ask('osint', wrong), JSON.stringify(wrong)).toMatchObject({
      status: 200,
      body: { outcome: 'failed', code: 'tool_refused' },
    });
  web.names['rdap.org'] = [['10.0.0.1']];
  expect(await ask('osint', { ...DNS, url: 'https://rdap.org/domain/x.com' })).toMatchObject({
    body: { outcome: 'failed', code: 'tool_refused', message: expect.stringMatching(/no host of the public internet/) },
  });
  expect((await ask('nothing', DNS)).status).toBe(404);
  const page = { url: 'https://shop.example.org/', accept: 'text/html', domains: null };
  expect(await ask('scrape', page)).toMatchObject({ body: { outcome: 'failed', code: 'tool_refused' } });
});

test('API-160 connectors without hosts of their own ask the domains of [tools] alone; others are switched off by [toolbox]', async () => {
  await serve({ allow: ['*.example.org'], sources: ['scrape'] });
  const page = { url: 'https://shop.example.org/', accept: 'text/html', domains: null };
  expect(await ask('scrape', page)).toMatchObject({ body: { outcome: 'answered', type: 'text/html' } });
  expect(await ask('scrape', { ...page, url: 'https://shop.example.org/private/x' })).toMatchObject({
    body: { outcome: 'failed', code: 'tool_refused', message: expect.stringMatching(/robots\.txt/) },
  });
  expect(await ask('scrape', { ...page, url: 'https://en.wikipedia.org/' })).toMatchObject({
    body: { outcome: 'failed' },
  });
  expect(await ask('osint', DNS)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(await server.api('GET', '/v1/connectors')).toMatchObject({
    body: { names: ['scrape'], allow: ['*.example.org'] },
  });
});

test('API-160 what is no question, and who may not ask, is refused before anything is asked', async () => {
  await serve();
  for (const body of [
    { ...DNS, url: 'http://cloudflare-dns.com/' },
    { ...DNS, url: 'https://cloudflare-dns.com:8443/' },
    { ...DNS, url: `https://cloudflare-dns.com/${'x'.repeat(5000)}` },
    { ...DNS, accept: 'text/html\r\nX-Evil: 1' },
    { ...DNS, domains: ['*'] },
    { ...DNS, headers: { Cookie: 'x' } },
    { url: DNS.url },
  ])
    expect((await ask('osint', body)).status, JSON.stringify(body).slice(0, 90)).toBe(400);
  expect((await ask('osint', DNS, { Authorization: 'Bearer nobody' })).status).toBe(401);
  await server.addToken('the-token-of-wim', 'wim', 'Work');
  expect((await ask('osint', DNS, { Authorization: 'Bearer the-token-of-wim' })).status).toBe(403);
  expect(web.connected).toEqual([]);
});

test('API-160 one person asks so often a minute, another is not held up by it', async () => {
  await serve({ perMinute: 5 });
  for (let at = 0; at < 5; at++) expect((await ask('osint', DNS)).status).toBe(200);
  const over = await ask('osint', DNS);
  expect([over.status, Number(over.headers.get('Retry-After')) > 0]).toEqual([429, true]);
  await server.addToken('the-token-of-ed', 'ed', 'EditCatalog');
  expect((await ask('osint', DNS, { Authorization: 'Bearer the-token-of-ed' })).status).toBe(200);
});

test('API-161 connectors that its operator declared are offered without their secret, which goes to the source alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-connectors-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'rivers.yaml');
  await writeFile(
    path,
    `name: rivers
about: Levels of rivers
base: https://cloudflare-dns.com
licence: CC0
attribution: Rivers
direct: true
secret: { name: RIVERS, header: X-Key }
endpoints: { levels: { about: x, path: /dns-query, rows: '$.Answer[*]', columns: { data: $.data } } }
`,
  );
  await serve({ declared: await declaredSources([path]) });
  const listed = await server.api<{ declared: string[] }>('GET', '/v1/connectors');
  expect(JSON.parse(listed.body.declared[0] ?? '')).toMatchObject({ name: 'rivers', direct: false });
  expect(listed.body.declared[0]).not.toMatch(/secret|X-Key|RIVERS/);
  const answered = await ask('rivers', { ...DNS, accept: 'application/json' });
  expect(answered.body.outcome).toBe('answered');
  expect(seen[0]?.headers['x-key']).toBe('hush');
  expect(JSON.stringify([answered.body, listed.body, server.logged])).not.toContain('hush');
  await writeFile(path, 'name: rivers\n');
  await expect(declaredSources([path])).rejects.toThrow(/rivers\.yaml/);
  await expect(declaredSources([join(folder, 'none.yaml')])).rejects.toThrow(/there is no file/);
});
