/** Guides from an address: what is asked, how often, and what is refused. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import { guideTestServer, guideXml, programme, SOUND, type GuideTestServer } from '../fixtures/guide-server.ts';
import type { ErrorAnswer } from '../fixtures/server.ts';

const GUIDE = guideXml([programme(1, SOUND)]);

let asked: IncomingMessage[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let server: GuideTestServer;
let end: () => void;

beforeEach(async () => {
  asked = [];
  answer = (_request, response) => void response.end(GUIDE);
  const source = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => void source.listen(0, '127.0.0.1', resolve));
  const { port } = source.address() as AddressInfo;
  end = () => {
    source.closeAllConnections();
    source.close();
  };
  const wire = {
    resolve: (host: string) =>
      Promise.resolve(
        host === 'nowhere.example' ? [] : [{ address: host === 'inside.example' ? '192.168.1.9' : '93.184.216.34' }],
      ),
    connect: () => connect({ host: '127.0.0.1', port }),
  };
  server = await guideTestServer(undefined, { wire, idleMs: 300 });
});
afterEach(async () => {
  await server.end();
  end();
});

type Fetched = { changed: boolean; guide: GuideRecord } & ErrorAnswer;
const fetchIt = (url: string, headers?: Record<string, string>) =>
  server.api<Fetched>('POST', '/v1/guide/guides/g/fetch', { url }, headers);

test('GUIDE-121 an administrator has a guide fetched; what its server calls the same is not taken in again', async () => {
  answer = (request, response) => {
    const same = request.headers['if-none-match'] === '"a"';
    response.writeHead(same ? 304 : 200, { ETag: '"a"' }).end(same ? undefined : GUIDE);
  };
  await server.addToken('the-token-of-ed', 'ed', 'EditCatalog');
  const url = 'http://ann:secret@guides.example/tv.xml?key=hidden';
  expect((await fetchIt(url, { Authorization: 'Bearer the-token-of-ed' })).status).toBe(403);
  const first = await fetchIt(url);
  expect(first.body).toMatchObject({
    changed: true,
    guide: { kind: 'address', name: 'http://guides.example/tv.xml', programmes: 1, revision: 1 },
  });
  expect(asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ann:secret').toString('base64')}`);
  expect((await fetchIt(url)).body).toMatchObject({ changed: false, guide: { revision: 1 } });
  expect((await fetchIt('http://guides.example/other.xml')).body).toMatchObject({
    changed: true,
    guide: { revision: 2 },
  });
  const said = JSON.stringify([
    first.body,
    (await server.api('GET', '/v1/guide/guides')).body,
    (await server.api('GET', '/v1/audit')).body,
    server.logged,
  ]);
  expect(said).not.toMatch(/secret|hidden/);
});

test('GUIDE-122 five redirects are followed, the sign-in goes to its own host alone', async () => {
  answer = (request, response) => {
    const hop = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    if (hop === 0) response.end(GUIDE);
    else response.writeHead(302, { Location: `http://other.example/${hop - 1}` }).end();
  };
  expect((await fetchIt('http://ann:x@guides.example/5')).body.changed).toBe(true);
  expect(asked.map(({ headers }) => headers.authorization !== undefined)).toEqual([
    true,
    ...Array<boolean>(5).fill(false),
  ]);
  const far = await fetchIt('http://guides.example/6');
  expect([far.status, far.body.error.message]).toEqual([
    502,
    'other.example leads on too often; the guide is what it was.',
  ]);
});

test('GUIDE-173 a sign-in stays at its host as long as that stays as safe, and a stray % in it is said', async () => {
  const ways: [from: string, to: string, kept: boolean][] = [
    ['http://ann:x@guides.example/a', 'http://guides.example/b', true],
    ['http://ann:x@guides.example/a', 'https://guides.example/b', true],
    ['https://ann:x@guides.example/a', 'http://guides.example/b', false],
    ['https://ann:x@guides.example/a', 'https://guides.example:8443/b', false],
  ];
  for (const [from, to, kept] of ways) {
    asked = [];
    answer = (request, response) =>
      void (request.url === '/a' ? response.writeHead(302, { Location: to }).end() : response.end(GUIDE));
    expect((await fetchIt(from)).status).toBe(200);
    expect(asked.map(({ headers }) => headers.authorization !== undefined)).toEqual([true, kept]);
  }
  asked = [];
  const stray = await fetchIt('http://ann:50%@guides.example/a');
  expect([stray.status, stray.body.error.message]).toEqual([400, expect.stringContaining('"%"')]);
  expect(asked).toEqual([]);
});

test('GUIDE-122 only http and https at public addresses are asked, a redirect as well', async () => {
  for (const url of ['ftp://guides.example/x', 'file:///etc/passwd', 'nonsense'])
    expect((await fetchIt(url)).status, url).toBe(400);
  expect((await fetchIt('http://inside.example/x')).status).toBe(403);
  expect((await fetchIt('http://nowhere.example/x')).status).toBe(502);
  expect(asked).toEqual([]);
  answer = (_request, response) => void response.writeHead(301, { Location: 'http://inside.example/' }).end();
  expect((await fetchIt('http://guides.example/x')).status).toBe(403);
  expect(asked).toHaveLength(1);
});

test.each([
  ['that answers 503', (response: ServerResponse) => void response.writeHead(503).end(), /answered 503/],
  ['that is silent', () => undefined, /gave no answer within/],
  [
    'that falls silent on the way',
    (response: ServerResponse) => void response.writeHead(200).write(GUIDE.slice(0, 80)),
    /was silent|broke off/,
  ],
  [
    'that breaks off',
    (response: ServerResponse) => {
      response.writeHead(200, { 'Content-Length': '9999' });
      response.write(GUIDE.slice(0, 80), () => void response.destroy());
    },
    /broke off|gave no answer/,
  ],
])('GUIDE-123 an address %s is a sentence, and the guide is what it was', async (_name, act, sentence) => {
  await fetchIt('http://guides.example/tv.xml');
  answer = (_request, response) => act(response);
  const { status, body } = await fetchIt('http://guides.example/new.xml');
  expect([status, body.error.code]).toEqual([502, 'offline']);
  expect(body.error.message).toMatch(sentence);
  expect(await server.service.store.guide('g')).toMatchObject({ revision: 1, programmes: 1 });
});
