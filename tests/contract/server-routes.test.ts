/** The table of routes against the server: what is generated from it covers a new route by itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogRoutes } from '#server/api/routes.ts';
import { openApi } from '#server/api/openapi.ts';
import type { RouteSpec } from '#server/api/route.ts';
import { createCatalogApp } from '#server/app.ts';
import { createLimits } from '#server/rates/limits.ts';
import { SCOPES } from '#server/auth/principal.ts';
import { Metrics } from '#server/watch/metrics.ts';
import { SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

let server: TestServer;
let specs: RouteSpec[];
let app: ReturnType<typeof createCatalogApp>;

beforeAll(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
  app = createCatalogApp(server.deps);
  specs = catalogRoutes(server.deps, createLimits(server.store), new Metrics(server.deps)).map(({ spec }) => spec);
  await server.addToken('a-token-of-nothing', 'stranger', 'Listen');
  await server.addToken('a-token-that-was-revoked', 'former', 'EditCatalog Admin');
  await server.store.write((tx) =>
    tx.updateTable('tokens').set({ revoked_at: server.time.now }).where('user_id', '=', 'former').execute(),
  );
  for (const scope of SCOPES) await server.addToken(`a-token-of-${scope}`, `user-of-${scope}`, scope);
});
afterAll(() => server.end());

/** The address with a value in place of each parameter. */
const address = (spec: RouteSpec): string => spec.path.replace(/:\w+/g, 'x');

let asked = 0;

async function ask(spec: RouteSpec, authorization: string | null): Promise<[number, string | null]> {
  // Refusals of the minute before are forgotten: this is about each route, not about guessing.
  asked += 1;
  if (asked % 200 === 0) server.time.now += 61_000;
  const headers = authorization === null ? {} : { Authorization: authorization };
  const response = await app.request(address(spec), { method: spec.method, headers }, {});
  const text = await response.text();
  if (response.status < 400 || text === '') return [response.status, null];
  return [response.status, (JSON.parse(text) as ErrorAnswer).error.code];
}

describe('every route of the table', () => {
  test('API-10: is one that the server has, and the server has no other', () => {
    const there = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
    const described = specs.map(({ method, path }) => `${method === 'HEAD' ? 'GET' : method} ${path}`);
    expect([...new Set(there)].sort()).toEqual(described.toSorted());
    expect(described.length).toBeGreaterThan(25);
  });

  test('API-105: may have more than 1 MB only where it is one of these, each with its bound by scope', () => {
    const most = ({ maxBody }: RouteSpec): number =>
      typeof maxBody === 'object' && maxBody !== null ? Math.max(...Object.values(maxBody)) : (maxBody ?? 0);
    const large = specs.filter((spec) => spec.maxBody === null || most(spec) > 1024 * 1024);
    const MB = 1024 * 1024;
    expect(Object.fromEntries(large.map(({ method, path, maxBody }) => [`${method} ${path}`, maxBody]))).toEqual({
      // Written to the disk as they come.
      'PATCH /v1/uploads/:sha256': null,
      'POST /v1/ingestion/upload': null,
      'POST /v1/ingestion/bundles': null,
      // Papers of everybody who may edit, named by their content.
      'PUT /v1/documents/contents/:sha256': 200_000_000,
      'POST /v1/documents/folders/:folder/plan': 4 * MB,
      'POST /v1/documents/records': 4 * MB,
      // Into the database as it comes, in turns.
      'PUT /v1/guide/guides/:id': null,
      'PUT /v1/guide/guides/:id/lineup': 4 * MB,
      // In a process of its own (API-102).
      'POST /v1/catalog/import': { EditCatalog: 32 * MB, Admin: 128 * MB },
      // In pieces and turns (API-95).
      'PUT /v1/ingestion/mirror': 32 * MB,
      'PUT /v1/ingestion/claims/:lease_id': 128 * MB,
      'POST /v1/ingestion/claims/:lease_id/learned': 8 * MB,
      'POST /v1/catalog/albums': 8 * MB,
      // A picture, held while it is written.
      'PUT /v1/catalog/albums/:id/cover': 8 * MB,
      'POST /v1/catalog/shows': 8 * MB,
      'PATCH /v1/catalog/shows/:id': 8 * MB,
      'PUT /v1/catalog/shows/:id/seasons/:season': 8 * MB,
      'PUT /v1/catalog/shows/:id/seasons/:season/episodes/:episode': 8 * MB,
      'POST /v1/playbooks/claims/:lease_id/end': 10 * MB,
      'POST /v1/playbooks/claims/:lease_id/lines': 10 * MB,
      'PUT /v1/playbooks/claims/:lease_id/file': 10 * MB,
      'POST /v1/playbooks/runs': 32 * MB,
      'POST /v1/plans': 16 * MB,
      'PATCH /v1/plans/:id': 16 * MB,
      'POST /v1/llm/chat': 2 * MB,
      'POST /v1/llm/embed': 2 * MB,
    });
  });

  test('API-1: is 401 without a token, with a wrong one, a revoked one and one of another kind', async () => {
    for (const spec of specs.filter(({ scope }) => scope !== null)) {
      for (const authorization of [null, 'Bearer wrong', 'Bearer a-token-that-was-revoked', 'Basic abc', 'Bearer ']) {
        const [status, code] = await ask(spec, authorization);
        expect(status, `${spec.method} ${spec.path} ${authorization}`).toBe(401);
        if (spec.method !== 'HEAD') expect(code).toBe('unauthorized');
      }
    }
  });

  test('API-1, API-61: is 403 for each scope that is less than the one it needs, and not for that one', async () => {
    for (const spec of specs) {
      if (spec.scope === null) continue;
      const label = `${spec.method} ${spec.path}`;
      for (const scope of ['nothing', ...SCOPES.slice(0, SCOPES.indexOf(spec.scope))]) {
        const [status, code] = await ask(spec, `Bearer a-token-of-${scope}`);
        expect(status, `${label} ${scope}`).toBe(403);
        if (spec.method !== 'HEAD') expect(code, label).toBe('forbidden');
      }
      const [status] = await ask(spec, `Bearer a-token-of-${spec.scope}`);
      expect([401, 403], label).not.toContain(status);
    }
  });

  test('API-1, API-62: those that are open are these', () => {
    const open = specs.filter(({ scope }) => scope === null).map(({ method, path }) => `${method} ${path}`);
    expect(open).toEqual([
      'GET /health',
      // Behind a key of their own (API-131).
      ...['guide.xml', 'guide.xml.gz', 'lineup.json', 'lineup.m3u'].map((name) => `GET /guide/:key/${name}`),
      ...['POST /v1/invites/accept', 'GET /v1/openapi.json', 'GET /v1/docs'],
    ]);
  });
});

describe('the document', () => {
  test('API-10, API-74: has every route with its scope, its body and its answers', async () => {
    const response = await fetch(`${server.url}/v1/openapi.json`);
    const document = (await response.json()) as ReturnType<typeof openApi> & {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string; requestBody?: unknown; responses: object }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(specs.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(specs.length);
    for (const spec of specs) {
      const operation = document.paths[spec.path.replace(/:(\w+)/g, '{$1}')]?.[spec.method.toLowerCase()];
      expect(operation, spec.path).toBeDefined();
      expect(operation?.requestBody !== undefined).toBe(spec.body !== undefined);
      for (const status of Object.keys(spec.replies)) expect(operation?.responses).toHaveProperty(status);
    }
    // The schemas are those of the wire: a field of a commit is in it.
    expect(JSON.stringify(document.paths['/v1/ingestion/commits'])).toContain('original_sha256');
  });

  test('API-50: has the form of an upload, and what the socket is asked with', async () => {
    const response = await fetch(`${server.url}/v1/openapi.json`);
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, { requestBody?: unknown; parameters: { name: string; in: string }[] }>>;
    };
    expect(paths['/v1/ingestion/upload']?.['post']?.requestBody).toMatchObject({
      content: { 'multipart/form-data': { schema: { required: ['files'], properties: { context_type: {} } } } },
    });
    const asked = paths['/v1/ws']?.['get']?.parameters.map((one) => `${one.in} ${one.name}`);
    expect(asked).toEqual(['query since', 'query all']);
  });

  test('API-10: is a page that runs and loads nothing', async () => {
    const response = await fetch(`${server.url}/v1/docs`);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).not.toMatch(/<script|src=|https?:\/\//);
    for (const spec of specs) expect(page).toContain(`<code>${spec.path}</code>`);
  });
});
