/** What watches the server: health, metrics, and its end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalogApp } from '#server/app.ts';
import { checkDisk } from '#adapters/node/atomic-file.ts';
import { SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterAll(() => server.end());

const health = async (deps: TestServer['deps']) => {
  const answer = await createCatalogApp(deps).request('/health', {}, {});
  return [answer.status, ((await answer.json()) as { broken?: string[] }).broken];
};

test('OPS-1: health says which part is broken, with 503, and says nothing else', async () => {
  expect(await health(server.deps)).toEqual([200, undefined]);
  const disk = { ...server.deps, checkDisk: () => Promise.reject(new Error('EROFS /secret/path')) };
  const answer = await createCatalogApp(disk).request('/health', {}, {});
  expect(answer.status).toBe(503);
  expect(await answer.text()).not.toContain('/secret/path');
  expect(await health(disk)).toEqual([503, ['disk']]);
  expect(server.logged.join('\n')).toContain('not healthy');

  const other = await testServer();
  const { deps } = other;
  await other.end();
  const works = { checkDisk: () => Promise.resolve(), checkOriginals: () => Promise.resolve() };
  expect(await health({ ...deps, ...works })).toEqual([503, ['database']]);
});

test('API-99 while a new answer takes long, health gives the one before, and none that is older than ten seconds', async () => {
  let end = (): void => undefined;
  let slow = false;
  const checkDisk = () => (slow ? new Promise<void>((resolve) => (end = resolve)) : Promise.resolve());
  const app = createCatalogApp({ ...server.deps, checkDisk });
  const ask = async () => (await app.request('/health', {}, {})).status;
  expect(await ask()).toBe(200);
  slow = true;
  server.time.now += 5000;
  expect(await ask()).toBe(200);
  server.time.now += 6000;
  const waits = ask();
  expect(await Promise.race([waits, new Promise((resolve) => setImmediate(() => resolve('waits')))])).toBe('waits');
  end();
  expect(await waits).toBe(200);
});

test('API-99 nor does health wait for what is known of damage, while others keep the database busy', async () => {
  let slow = false;
  const { store } = server.deps;
  const never = new Promise<never>(() => undefined);
  const waiting: object = new Proxy(
    {},
    { get: (_, call) => (String(call).startsWith('execute') ? () => never : () => waiting) },
  );
  const db = new Proxy(store.db, {
    get(of, name) {
      if (slow && name === 'selectFrom') return () => waiting;
      const value: unknown = Reflect.get(of, name);
      return typeof value === 'function' ? (value.bind(of) as unknown) : value;
    },
  });
  const app = createCatalogApp({ ...server.deps, store: { ...store, db } });
  expect((await app.request('/health', {}, {})).status).toBe(200);
  slow = true;
  server.time.now += 2000;
  expect((await app.request('/health', {}, {})).status).toBe(200);
});

test('OPS-22: a directory of uploads or a database that takes no writes is named', async () => {
  const { deps } = server;
  const uploads = { ...deps, checkOriginals: () => Promise.reject(new Error('ENOSPC')) };
  expect(await health(uploads)).toEqual([503, ['uploads']]);
  const store = { ...deps.store, checkWritable: () => Promise.reject(new Error('a standby')) };
  expect(await health({ ...deps, store })).toEqual([503, ['database']]);
});

test('OPS-1: the disk is really written to', async () => {
  await expect(checkDisk(server.data)).resolves.toBeUndefined();
  await expect(checkDisk(`${server.data}/nowhere`)).rejects.toThrow('ENOENT');
});

test('OPS-1: being asked often costs one look a second', async () => {
  let looks = 0;
  const app = createCatalogApp({ ...server.deps, checkDisk: () => Promise.resolve(void (looks += 1)) });
  for (let at = 0; at < 20; at += 1) await app.request('/health', {}, {});
  expect(looks).toBe(1);
  server.time.now += 1000;
  await app.request('/health', {}, {});
  expect(looks).toBe(2);
});

test('OPS-2: metrics count requests by route, jobs, work, tracks, sockets and the process; for an admin', async () => {
  await server.api('GET', '/v1/catalog/tracks/tr_h1');
  await server.api('GET', '/v1/catalog/tracks/nothing');
  const answer = await server.raw('GET', '/metrics');
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const text = await answer.text();
  expect(text).toContain('accession_requests_total{method="GET",route="/v1/catalog/tracks/:id",status="404"} 1');
  expect(text).toContain('accession_rows{table="tracks",state="missing"} 6');
  for (const name of ['accession_sockets 0', 'accession_uploads 0', 'accession_request_seconds_bucket', 'process_cpu'])
    expect(text).toContain(name);
  expect(text).not.toContain(TOKEN);
  await server.addToken('an-editor', 'ed', 'EditCatalog');
  expect((await server.raw('GET', '/metrics', null, { Authorization: 'Bearer an-editor' })).status).toBe(403);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
});

test('OPS-48: the whole database is read once an hour, and damage that is found is said from then on', async () => {
  let asked = 0;
  let said: string | null = null;
  const quickCheck = (): Promise<string | null> => {
    asked += 1;
    return Promise.resolve(said);
  };
  const time = { now: 1_000_000 };
  const deps = { ...server.deps, clock: { now: () => time.now }, store: { ...server.deps.store, quickCheck } };
  const app = createCatalogApp(deps);
  const status = async (): Promise<number> => {
    // Who asks more often may be given the answer before; after ten seconds nobody is, however slow the disk.
    time.now += 11_000;
    return (await app.request('/health', {}, {})).status;
  };
  expect([await status(), asked]).toEqual([200, 0]);
  time.now += 3_600_000;
  said = 'row 3 missing from index';
  expect([await status(), asked]).toEqual([200, 1]);
  expect([await status(), asked]).toEqual([503, 1]);
  expect(server.logged.join('\n')).toContain('the database is damaged: row 3 missing');
  time.now += 3_600_000;
  said = null;
  await status();
  expect([await status(), asked]).toEqual([200, 2]);
});
