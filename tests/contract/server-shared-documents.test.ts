/** Approved records of documents: to the server by the outbox, by its feed to other workstations, their PDFs with them. */
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomIds } from '#core/ids.ts';
import { openDatabase } from '#lanes/database.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import { queueDone, queueUndone } from '#lanes/documents/browser/share/share-plan.ts';
import { sharedReplica } from '#lanes/documents/browser/share/shared-replica.ts';
import { createSharedClient } from '#lanes/documents/http/shared-client.ts';
import type { SharedDocument } from '#lanes/documents/core/share/shared-document.ts';
import { verify } from '#server/storage/verify.ts';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { manifestEntry } from '../fixtures/manifest-entry.ts';
import { droppedTree } from '#lanes/documents/browser/dropped-tree.ts';
import { LANES, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { sharedDocument } from '../fixtures/shared-document.ts';
import { onBothStores } from '../fixtures/stores.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

const PDF = new Uint8Array(makePdf([column(72, 700, ['Counting the rivers'])]));
const SHA = createHash('sha256').update(PDF).digest('hex');
const ID = 'a'.repeat(64);
const CONTENT = `/v1/documents/contents/${SHA}`;
let count = 0;

onBothStores('approved records of documents', () => {
  let server: TestServer;
  const databases: AccessionDb[] = [];
  beforeEach(async () => {
    server = await testServer();
  });
  afterEach(async () => {
    for (const db of databases.splice(0)) db.close();
    await server.end();
  });
  const post = (put: SharedDocument[], gone: { id: string; approved_at: number }[] = [], key = `key-${++count}`) =>
    server.api<{ put: number; gone: number } & ErrorAnswer>(
      'POST',
      '/v1/documents/records',
      { put, gone },
      { 'Idempotency-Key': key },
    );
  const feed = async () => {
    const { body } = await server.api<{ items: { id: string; op: string; record: SharedDocument | null }[] }>(
      'GET',
      '/v1/catalog/changes/documents',
    );
    return body.items.map(({ id, op, record }) => [id, op, record?.title ?? null]);
  };

  /** A browser with its own database; `online` false: the server cannot be reached. */
  function workstation() {
    const db = openDatabase(`shared-${process.pid}-${++count}`);
    databases.push(db);
    const network = { online: true, asked: new Array<string>() };
    const client = createSharedClient({
      baseUrl: server.url,
      token: () => Promise.resolve(TOKEN),
      fetch: (input, init) => {
        network.asked.push(`${init?.method} ${new URL(String(input)).pathname}`);
        return network.online ? fetch(input, init) : Promise.reject(new TypeError('Failed to fetch'));
      },
    });
    const replica = sharedReplica(db, client, { now: () => 1_767_225_600_000 });
    const shown = async () =>
      (await db.shared_documents.toArray()).map(({ title, content }) => [title, content?.sha256 ?? null]);
    return { db, network, client, pull: () => replica.pull(), shown };
  }
  const plan: DocumentPlan = {
    ...{ id: 'plan', task: 'apply-document-metadata', status: 'pending', mediaFolderPath: '/Papers' },
    files: [
      {
        ...{ path: '/Papers/a.pdf', to: '/Papers/river.pdf', id: ID, action: 'write' },
        record: manifestEntry({ id: ID, filename: 'river.pdf', title: 'Counting the rivers', processed: true }),
      },
      {
        ...{ path: '/Papers/b.pdf', to: '/Papers/b.pdf', id: 'b'.repeat(64), action: 'write' },
        record: manifestEntry({ id: 'b'.repeat(64), filename: 'b.pdf', processed: false }),
      },
    ],
  };
  const approve = (db: AccessionDb, part: 'records' | 'pdfs', now = 1_000) =>
    queueDone(db, droppedTree([{ path: 'river.pdf', file: new File([PDF], 'river.pdf') }], 'Linux'), {
      ...{ plan, told: { [ID]: { source: 'crossref', evidence: [] } }, part, now },
      placeOf: () => 'river.pdf',
    });

  test('DOCUMENT-84 what was approved last counts, sent twice it is done once, and the feed says it', async () => {
    const one = sharedDocument({ approved_at: 2_000 });
    expect((await post([one], [], 'same')).body).toEqual({ put: 1, gone: 0 });
    expect((await post([one], [], 'same')).body).toEqual({ put: 1, gone: 0 });
    expect((await post([{ ...one, title: 'Older', approved_at: 1_000 }])).body).toEqual({ put: 0, gone: 0 });
    expect((await post([], [{ id: one.id, approved_at: 1_000 }])).body).toEqual({ put: 0, gone: 0 });
    expect(await feed()).toEqual([[one.id, 'put', 'Counting the rivers']]);
    expect((await post([], [{ id: one.id, approved_at: 3_000 }])).body).toEqual({ put: 0, gone: 1 });
    expect(await feed()).toEqual([[one.id, 'delete', null]]);
    await server.addToken('the-token-of-vera', 'vera', 'ReadCatalog');
    const refused = await server.raw('POST', '/v1/documents/records', JSON.stringify({ put: [one], gone: [] }), {
      'Content-Type': 'application/json',
      Authorization: 'Bearer the-token-of-vera',
    });
    expect(refused.status).toBe(403);
  });

  test('DOCUMENT-86 a PDF is kept where its bytes are right, read whole or in part, and goes with its record', async () => {
    const content = { sha256: SHA, size: PDF.length };
    expect((await post([sharedDocument({ content })])).status).toBe(422);
    const put = (bytes: Uint8Array<ArrayBuffer>) =>
      server.raw('PUT', CONTENT, new Blob([bytes]), { 'Content-Type': 'application/pdf' });
    expect((await put(PDF.slice(1))).status).toBe(422);
    expect((await server.raw('GET', CONTENT)).status).toBe(404);
    expect((await put(PDF)).status).toBe(200);
    expect((await put(PDF)).status).toBe(200);
    expect((await post([sharedDocument({ content })])).status).toBe(200);
    const whole = await server.raw('GET', CONTENT);
    expect([whole.status, whole.headers.get('accept-ranges'), whole.headers.get('content-type')]).toEqual([
      200,
      'bytes',
      'application/pdf',
    ]);
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(PDF);
    const part = await server.raw('GET', CONTENT, null, { Range: 'bytes=5-9' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 5-9/${PDF.length}`]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(PDF.slice(5, 10));
    expect((await server.raw('GET', CONTENT, null, { Range: `bytes=${PDF.length}-` })).status).toBe(416);
    await post([], [{ id: ID, approved_at: 1_767_225_600_000 }]);
    expect((await server.raw('GET', CONTENT)).status).toBe(404);
  });

  test('DOCUMENT-90 a damaged PDF is not served, its right bytes take its place, and without a copy its record says that it has none', async () => {
    const put = () => server.raw('PUT', CONTENT, new Blob([PDF]), { 'Content-Type': 'application/pdf' });
    const path = join(server.data, 'documents', 'contents', SHA.slice(0, 2), `${SHA}.pdf`);
    await put();
    await post([sharedDocument({ content: { sha256: SHA, size: PDF.length } })]);
    await writeFile(path, 'no PDF');
    expect((await server.raw('GET', CONTENT)).status).toBe(500);
    expect((await server.api<{ damaged: object[] }>('GET', '/v1/storage')).body.damaged).toMatchObject([
      { name: `documents/contents/${SHA.slice(0, 2)}/${SHA}.pdf` },
    ]);
    expect((await put()).status).toBe(200);
    expect(new Uint8Array(await (await server.raw('GET', CONTENT)).arrayBuffer())).toEqual(PDF);
    expect((await server.api<{ damaged: object[] }>('GET', '/v1/storage')).body.damaged).toEqual([]);

    await rm(path);
    const { findings } = await verify({ ...server.deps, lanes: LANES, ids: randomIds }, { repair: true });
    expect(findings).toMatchObject([{ outcome: 'asked', remedy: expect.stringContaining('"Counting the rivers"') }]);
    const there = workstation();
    await there.pull();
    expect(await there.shown()).toEqual([['Counting the rivers', null]]);
    expect((await server.raw('GET', CONTENT)).status).toBe(404);
  });

  test('DOCUMENT-91 a PDF whose record never came goes at the first start after a day, and is no stranger until then', async () => {
    await server.raw('PUT', CONTENT, new Blob([PDF]), { 'Content-Type': 'application/pdf' });
    const lane = LANES.find(({ id }) => id === 'documents');
    const start = () => lane?.recover?.({ ...server.deps, lanes: LANES });
    const lying = () => Array.fromAsync(server.deps.blobs.list('documents/contents'));
    server.time.now += 86_000_000;
    await start();
    expect(await lying()).toHaveLength(1);
    expect((await verify({ ...server.deps, lanes: LANES, ids: randomIds }, { repair: false })).findings).toEqual([]);
    server.time.now += 1_000_000;
    await start();
    expect(await lying()).toEqual([]);
    await server.raw('PUT', CONTENT, new Blob([PDF]), { 'Content-Type': 'application/pdf' });
    await post([sharedDocument({ content: { sha256: SHA, size: PDF.length } })]);
    server.time.now += 100_000_000;
    await start();
    expect(await lying()).toHaveLength(1);
  });

  test('DOCUMENT-84, DOCUMENT-85 approved without a network, it waits, then reaches the server and another workstation, PDF and all; taken back, it goes there, too', async () => {
    const [here, there] = [workstation(), workstation()];
    here.network.online = false;
    await approve(here.db, 'pdfs');
    expect((await here.pull()).ok).toBe(false);
    expect(await here.db.document_outbox.count()).toBe(1);
    // What was skipped goes nowhere.
    here.network.online = true;
    expect((await here.pull()).ok).toBe(true);
    expect(await here.db.document_outbox.count()).toBe(0);
    expect(await there.pull()).toMatchObject({ ok: true });
    expect(await there.shown()).toEqual([['Counting the rivers', SHA]]);
    const read = await there.client.content(SHA);
    expect(read.ok && new Uint8Array(read.value)).toEqual(PDF);

    await queueUndone(here.db, { plan, before: [], part: 'pdfs', now: 2_000 });
    await here.pull();
    await there.pull();
    expect(await there.shown()).toEqual([]);
    expect((await server.raw('GET', CONTENT)).status).toBe(404);
  });

  test('DOCUMENT-85 records go alone where PDFs are not ticked; an answer that was lost is asked for again and is the same', async () => {
    const here = workstation();
    await approve(here.db, 'records');
    const row = await here.db.document_outbox.get(ID);
    await here.pull();
    expect(here.network.asked.slice(0, 1)).toEqual(['POST /v1/documents/records']);
    expect(await here.shown()).toEqual([['Counting the rivers', null]]);
    // Killed before the row went.
    if (row !== undefined) await here.db.document_outbox.put(row);
    await here.pull();
    expect(await here.db.document_outbox.count()).toBe(0);
    expect(await feed()).toEqual([[ID, 'put', 'Counting the rivers']]);
  });

  test('DOCUMENT-85 what the server refuses waits with the reason, and holds up nothing else', async () => {
    const here = workstation();
    await approve(here.db, 'records');
    const row = await here.db.document_outbox.get(ID);
    if (row?.record == null) throw new Error('nothing was queued');
    const wrong = { ...row.record, id: 'c'.repeat(64), content: { sha256: 'd'.repeat(64), size: 7 } };
    await here.db.document_outbox.put({ ...row, id: wrong.id, approved_at: 1, record: wrong });
    await here.pull();
    expect(await here.db.document_outbox.toArray()).toMatchObject([
      { id: wrong.id, refused: expect.stringContaining('is not here') },
    ]);
    expect(await here.shown()).toEqual([['Counting the rivers', null]]);
  });
});
