/** What the app and the worker ask of the server, beside the table of routes: methods, addresses, bodies, answers. */
import { readdir, readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import { createShowClient } from '#lanes/video/http/show-client.ts';
import { createPeopleClient } from '#adapters/http/people-client.ts';
import { createUploader } from '#adapters/http/upload.ts';
import { createWorkClient } from '#adapters/http/work-client.ts';
import { isSchema, type RouteSpec } from '#server/api/route.ts';
import { routeOf, routeTable } from '../fixtures/answer-check.ts';
import { sampleOf } from '../fixtures/schema-sample.ts';
import { testServer, type TestServer } from '../fixtures/server.ts';

let server: TestServer;
let table: RouteSpec[];
beforeAll(async () => {
  server = await testServer();
  table = routeTable(server.deps);
});
afterAll(() => server.end());

interface Asked {
  method: string;
  path: string;
  spec: RouteSpec | null;
  body: unknown;
}

/** A server that answers each request with the smallest answer that its route describes. */
function described(asked: Asked[]): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    const spec = routeOf(table, method, url.pathname);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body;
    asked.push({ method, path: url.pathname, spec, body });
    const [status, reply] = Object.entries(spec?.replies ?? {})[0] ?? ['404', undefined];
    const tus = { 'upload-offset': '4', 'upload-length': '4' };
    const none = reply?.schema === undefined && reply?.type === undefined;
    const text = reply?.schema === undefined ? 'text' : JSON.stringify(sampleOf(reply.schema));
    return Promise.resolve(new Response(none ? null : text, { status: Number(status), headers: tus }));
  };
}

/** Every method with arguments that are good for most; `special` for the others. */
async function callAll(client: object, special: Record<string, unknown[]>): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, method] of Object.entries(client)) {
    const called: unknown = await (method as (...args: unknown[]) => unknown)(...(special[name] ?? ['x']));
    const ok = typeof called === 'object' && called !== null && 'ok' in called && called.ok === true;
    if (!ok) failed.push(`${name}: ${JSON.stringify(called)}`);
  }
  return failed;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HASH = '0'.repeat(64);

describe('a method of the client', () => {
  const asked: Asked[] = [];
  const http = () => ({
    baseUrl: 'http://server.test',
    token: () => Promise.resolve('token'),
    fetch: described(asked),
  });

  test('API-51 of the catalog client asks what the table has, and understands the answer that the table describes', async () => {
    const mirror = { jobs: [], steps: [], reviews: [] };
    const special = {
      albums: [{}],
      changes: [null, 5],
      snapshot: [null],
      search: ['x', 5],
      downloadRequests: [{}],
      jobs: [{}],
      reviews: [{}],
      commit: [sampleBody('POST', '/v1/ingestion/commits'), 'key'],
      mirror: [mirror],
      importCatalog: [{ artists: [], albums: [], tracks: [] }, 'key'],
      createArtist: [sampleBody('POST', '/v1/catalog/artists'), 'key'],
      createAlbum: [sampleBody('POST', '/v1/catalog/albums'), 'key'],
      createTrack: [sampleBody('POST', '/v1/catalog/tracks'), 'key'],
      patchArtist: ['x', {}],
      patchAlbum: ['x', {}],
      patchTrack: ['x', {}],
      putCover: ['x', new Blob(['x'], { type: 'image/png' })],
      chooseCover: ['x', null],
      mergeAlbum: ['x', 'y', 'key'],
      mergeTrack: ['x', 'y', 'key'],
      moveTracks: [['x'], 'y', 'key'],
      createDownloadRequest: [{ album_id: 'x' }, 'key'],
      answerReview: ['x', { selected_option: 'none' }, 'key'],
      config: [],
      me: [],
      snapshotFile: ['x'],
      sign: ['/v1/x'],
      signedUrl: ['/v1/x'],
    };
    expect(await callAll(createCatalogClient(http()), { ...special, restore: ['x', HASH] })).toEqual([]);
    const shows = {
      createShow: [sampleBody('POST', '/v1/catalog/shows'), 'key'],
      patchShow: ['x', {}],
      showChanges: [null, 5],
    };
    expect(await callAll(createShowClient(http()), shows)).toEqual([]);
  });

  test('API-51 of the people client, too', async () => {
    const special = {
      audit: [null],
      accept: ['x', 'key'],
      patchPerson: ['x', { role: 'editor' }],
      invite: ['x', 'editor'],
      setLend: ['all'],
    };
    expect(await callAll(createPeopleClient(http()), special)).toEqual([]);
  });

  test('API-51 of the worker’s client and of the uploader, too', async () => {
    const save = sampleBody('PUT', '/v1/ingestion/claims/:lease_id');
    const signal = new AbortController().signal;
    expect(
      await callAll(createWorkClient(http()), {
        ...{ save: ['x', save], file: ['x', 'y', signal] },
        learned: ['x', { lane: 'music', kind: 'memory', keys: ['y'] }],
      }),
    ).toEqual([]);
    const bytes = new Uint8Array(4);
    const blobs = {
      size: () => Promise.resolve(4),
      read: async function* () {
        yield await Promise.resolve(bytes);
      },
    };
    const upload = createUploader({ ...http(), blobs });
    expect((await upload({ sha256: HASH, size: 4, name: 'x', fresh: true })).ok).toBe(true);
  });

  test('API-51, API-68 was compared with the table: no address beside it, and every body is one that its route reads', () => {
    expect(asked.length).toBeGreaterThan(45);
    for (const { method, path, spec, body } of asked) {
      expect(spec, `${method} ${path}`).not.toBeNull();
      if (spec?.body === undefined || !isSchema(spec.body)) continue;
      const read = v.safeParse(spec.body, body);
      expect(read.success || v.getDotPath(read.issues[0]), `${method} ${path}`).toBe(true);
    }
  });

  test('API-51 or any other address of the API in the app, the worker and the command line, is in the table', async () => {
    const known = (path: string): boolean => METHODS.some((method) => routeOf(table, method, path) !== null);
    const found: string[] = [];
    for (const folder of ['adapters', 'cli', 'lanes', 'routes', 'ui', 'service-worker']) {
      const root = new URL(`../../src/${folder}/`, import.meta.url);
      for (const file of await readdir(root, { recursive: true })) {
        if (!/\.(ts|svelte)$/.test(file)) continue;
        const text = await readFile(new URL(file, root), 'utf8');
        // Addresses in quotes; what is put into one stands for a parameter.
        for (const [, path = ''] of text.matchAll(/['`](\/v1\/[^'`\s]*)['`]/g))
          found.push(
            path
              .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x')
              .replace(/(?<=\w)x$/, '')
              .replace(/\?.*$/, ''),
          );
      }
    }
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter((path) => !known(path) && path !== '/v1/')).toEqual([]);
  });

  function sampleBody(method: string, path: string): unknown {
    const body = table.find((spec) => spec.method === method && spec.path === path)?.body;
    if (body === undefined || !isSchema(body)) throw new Error(`${method} ${path} takes no JSON`);
    return sampleOf(body);
  }
});
