/** The catalog server asks metadata sources for pages: over the real wire, against sources that are invented. */
import { afterEach, describe, expect, test } from 'vitest';
import { failed } from '#core/errors.ts';
import { memoryCache } from '#lanes/documents/core/lookup/cache.ts';
import { createLookup, type MetadataWire } from '#lanes/documents/core/lookup/lookup.ts';
import { metadataWire } from '#lanes/documents/http/metadata-wire.ts';
import { askRelay } from '#lanes/documents/http/ask-relay.ts';
import { lookupRoutes } from '#lanes/documents/server/lookup.route.ts';
import { crossrefWork, startMetadataServer, type SourceReply } from '../fixtures/metadata-server.ts';
import { LANES, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

type Reply = { outcome: string; status?: number; body?: string; why?: string } & ErrorAnswer;

describe('POST /v1/documents/lookup', () => {
  const open: { server: TestServer; sources: Awaited<ReturnType<typeof startMetadataServer>> }[] = [];
  afterEach(async () => {
    for (const { server, sources } of open.splice(0)) {
      await server.end();
      await sources[Symbol.asyncDispose]();
    }
  });

  async function serve(
    replies: Record<string, SourceReply[]>,
    {
      sources: allowed = null as string[] | null,
      contact = null as string | null,
      patienceMs = 20_000,
      wire = null as MetadataWire | null,
    } = {},
  ) {
    const sources = await startMetadataServer(replies);
    let now = 0;
    const lookup = createLookup({
      clock: { now: () => now },
      wait: (ms) => Promise.resolve(void (now += ms)),
      random: () => 0.5,
      cancel: { aborted: false },
      cache: memoryCache(),
      wire: wire ?? metadataWire({ fetch: sources.fetch }),
      contact,
    });
    const lanes = LANES.map((lane) =>
      lane.id === 'documents'
        ? { ...lane, routes: () => lookupRoutes({ sources: allowed }, lookup, patienceMs) }
        : lane,
    );
    const server = await testServer({ lanes: () => Promise.resolve(lanes) });
    open.push({ server, sources });
    const post = (body: unknown, headers?: Record<string, string>) =>
      server.api<Reply>('POST', '/v1/documents/lookup', body, headers);
    return { server, asked: sources.asked, post };
  }
  const doi = (value: string, source = 'crossref') => ({ source, kind: 'doi', value });

  test('DOCUMENT-67 a source is asked once for all, with the contact, and its answer comes as it is', async () => {
    const body = crossrefWork('10.5555/a');
    const { post, asked } = await serve({ 'api.crossref.org': [{ body }] }, { contact: 'library@example.org' });
    expect(await post(doi('10.5555/A'))).toMatchObject({
      status: 200,
      body: { outcome: 'answered', status: 200, body },
    });
    expect(await post(doi('10.5555/a'))).toMatchObject({ status: 200, body: { outcome: 'answered', body } });
    expect(asked.map(({ host, path }) => host + path)).toEqual([
      'api.crossref.org/works/10.5555%2Fa?mailto=library%40example.org',
    ]);
  });

  test('DOCUMENT-67 a 404 is an answer, what is none is later, another document’s record too', async () => {
    const { post } = await serve({
      'doi.org': [{ status: 404, body: '' }],
      'api.crossref.org': [{ status: 403, body: '' }, { body: crossrefWork('10.5555/other') }],
    });
    expect((await post(doi('10.5555/a', 'doi.org'))).body).toMatchObject({ outcome: 'answered', status: 404 });
    expect((await post(doi('10.5555/a'))).body).toMatchObject({ outcome: 'later', why: /403/ });
    expect((await post(doi('10.5555/a'))).body).toMatchObject({ outcome: 'later', why: /another one/ });
    expect((await post(doi('10.5555/a', 'arxiv'))).body).toMatchObject({ outcome: 'later', why: /no such/ });
  });

  test('DOCUMENT-67 a source that accession.toml leaves out, what is no identifier, and who may not ask', async () => {
    const { post, asked, server } = await serve({}, { sources: ['arxiv'] });
    expect(await post(doi('10.5555/a'))).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect((await post({ source: 'arxiv', kind: 'arxiv', value: '../../etc' })).status).toBe(400);
    for (const body of [
      { source: 'evil.example', kind: 'doi', value: '10.5555/a' },
      { source: 'arxiv', kind: 'url', value: 'http://127.0.0.1/' },
      { source: 'arxiv', kind: 'arxiv', value: 'x'.repeat(1_001) },
      { source: 'arxiv', kind: 'arxiv' },
    ])
      expect((await post(body)).status, JSON.stringify(body).slice(0, 80)).toBe(400);
    expect((await post(doi('10.5555/a'), { Authorization: 'Bearer nobody' })).status).toBe(401);
    await server.addToken('the-token-of-vera', 'vera', 'Work');
    expect((await post(doi('10.5555/a'), { Authorization: 'Bearer the-token-of-vera' })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test('DOCUMENT-67 a slow source is later, and answered when it is asked again; of too many at once some wait', async () => {
    let answer: (reply: { status: number; headers: Record<string, string>; body: string }) => void = () => undefined;
    const slow: MetadataWire = { get: () => new Promise((resolve) => (answer = resolve)) };
    const { post } = await serve({}, { patienceMs: 30, wire: slow });
    expect((await post(doi('10.5555/a'))).body).toMatchObject({ outcome: 'later', why: /no answer within/ });
    answer({ status: 200, headers: {}, body: crossrefWork('10.5555/a') });
    await expect.poll(async () => (await post(doi('10.5555/a'))).body.outcome).toBe('answered');
    const many = await Promise.all(Array.from({ length: 20 }, (_, i) => post(doi(`10.5555/m${i}`))));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  test('DOCUMENT-67 the page asks through it, and hears why there is no answer', async () => {
    const { server } = await serve({ 'export.arxiv.org': [{ status: 403, body: '' }] }, { sources: ['arxiv'] });
    const options = { baseUrl: server.url, token: () => Promise.resolve(TOKEN) };
    const identifier = { kind: 'arxiv', value: '2101.00001' } as const;
    expect(await askRelay(options, { source: 'arxiv', identifier })).toEqual({ why: expect.stringContaining('403') });
    const asked = await askRelay(options, { source: 'crossref', identifier: { kind: 'doi', value: '10.5555/a' } });
    expect(asked).toEqual({ why: expect.stringContaining('does not ask crossref') });
    const away = { ...options, fetch: () => Promise.reject(failed('offline', 'away')) };
    expect(await askRelay(away, { source: 'arxiv', identifier })).toEqual({ why: expect.any(String) });
  });
});
