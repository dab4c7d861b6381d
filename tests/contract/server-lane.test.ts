/** A lane that is here alone: what the server does for it beside music and video, without knowing of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { backup, rootsOf } from '#cli/backup/backup.ts';
import { restore } from '#cli/backup/restore.ts';
import { changesPageOf, IdSchema } from '#core/sync/fields.ts';
import { randomIds } from '#core/ids.ts';
import { json, route } from '#server/api/route.ts';
import { onFirstStart } from '#server/start.ts';
import { checkRows, Problems, WriteCounts } from '#server/import/import-file.ts';
import type { LaneServer } from '#server/lane-server.ts';
import { ask } from '#server/search/question.ts';
import { indexEntries } from '#server/search/search-index.ts';
import { appendChanges } from '#server/store/feed.ts';
import { findRow, findRows, upsert, writeOf } from '#server/store/rows.ts';
import { openStore, type Store } from '#server/store/store.ts';
import { LANES, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

interface ParcelTable {
  id: string;
  label: string;
  version: number;
}
declare module '#server/store/schema.ts' {
  interface Database {
    parcels: ParcelTable;
  }
}
declare module '#server/audit/audit.ts' {
  interface AuditActions {
    parcels: 'parcel.sent';
  }
}

const ParcelSchema = v.object({ id: IdSchema, label: v.pipe(v.string(), v.minLength(1)) });

const parcels: LaneServer = {
  id: 'parcels',
  tables: { parcels: ['id'] },
  migrations: {
    '0017-parcels': {
      up: (db) =>
        db.schema
          .createTable('parcels')
          .addColumn('id', 'text', (c) => c.primaryKey())
          .addColumn('label', 'text', (c) => c.notNull())
          .addColumn('version', 'integer', (c) => c.notNull())
          .execute(),
    },
  },
  audit: ['parcel.sent'],
  feeds: [
    {
      path: '/v1/catalog/changes/parcels',
      summary: 'The change feed of the parcels.',
      kinds: ['parcel'],
      limit: { usual: 10, most: 20 },
      page: changesPageOf(v.literal('parcel')),
      read: (db, _kind, ids) => findRows(db, 'parcels', ids),
    },
  ],
  imports: [
    {
      lists: ['parcels'],
      async run(tx, { parcels: list = [] }) {
        const problems = new Problems();
        const rows: v.InferOutput<typeof ParcelSchema>[] = [];
        await checkRows('parcels', ParcelSchema, list, problems, (row) => rows.push(row));
        problems.refuse();
        const writes = [];
        const counts = new WriteCounts();
        for (const row of rows) {
          const write = writeOf((await findRow(tx, 'parcels', row.id)) ?? null, { ...row, version: 1 });
          counts.count(write);
          if (write !== null) writes.push(write);
        }
        const known = writes.map(({ row }) => row);
        await upsert(tx, 'parcels', known);
        await appendChanges(
          tx,
          known.map(({ id }) => ({ kind: 'parcel', entity_id: id })),
        );
        const entries = known.map(({ id, label }) => ({ kind: 'parcel', id, texts: [label] }));
        await indexEntries(tx, { known: entries }, () => Promise.resolve());
        return { parcels: counts.counts() };
      },
    },
  ],
  routes: ({ store }) => [
    route('GET /v1/parcels', {
      scope: 'ReadCatalog',
      tag: 'Parcels',
      summary: 'Parcels that words find.',
      query: { q: { description: 'The words.', schema: v.string() } },
      replies: { 200: json(v.object({ items: v.array(v.looseObject({ id: IdSchema })) }), 'The parcels.') },
      async answer(c) {
        const asked = await ask(store.db, c.req.query('q') ?? '');
        const found = await findRows(store.db, 'parcels', await asked.candidates('parcel'));
        const fields = ({ label }: ParcelTable) => [{ text: label, weight: 1 }];
        return c.json({ items: asked.rank([...found.values()], fields, 5) });
      },
    }),
  ],
  demo: async (tx) => {
    await tx.insertInto('parcels').values({ id: 'p0', label: 'A first one', version: 1 }).execute();
    return true;
  },
};

let data: string;
let store: Store;
let server: TestServer;
const lanes = [...LANES, parcels];
const load = (list: unknown[]) => server.api<ErrorAnswer>('POST', '/v1/catalog/import', { parcels: list });

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'accession-parcels-'));
  store = await openStore(sqliteFile(join(data, 'catalog.db')), () => 'of-parcels', lanes);
  server = await testServer({ deps: { store, lanes } });
});
afterAll(async () => {
  await server.end();
  await rm(data, { recursive: true, force: true });
});

describe('a further lane', () => {
  test('API-10 brings tables, a list of the import, a feed and routes', async () => {
    const sent = [
      { id: 'p1', label: 'Blue vase' },
      { id: 'p2', label: 'Books' },
    ];
    expect((await load(sent)).body).toEqual({
      artists: { created: 0, updated: 0, unchanged: 0 },
      albums: { created: 0, updated: 0, unchanged: 0 },
      tracks: { created: 0, updated: 0, unchanged: 0 },
      parcels: { created: 2, updated: 0, unchanged: 0 },
    });
    const refused = await load([{ id: 'p3', label: '' }]);
    expect([refused.status, refused.body.error.message]).toEqual([422, expect.stringContaining('parcels[0] "label"')]);
    const feed = await server.api<{ items: object[]; more: boolean }>('GET', '/v1/catalog/changes/parcels?limit=1');
    expect(feed.body).toMatchObject({
      items: [{ kind: 'parcel', id: 'p1', op: 'put', record: { label: 'Blue vase' } }],
      more: true,
    });
    expect((await server.api<{ items: object[] }>('GET', '/v1/catalog/changes')).body.items).toEqual([]);
    const found = await server.api<{ items: object[] }>('GET', '/v1/parcels?q=blue');
    expect(found.body.items).toMatchObject([{ id: 'p1' }]);
    const document = await server.api<{ paths: object; tags: object[] }>('GET', '/v1/openapi.json');
    expect(document.body.paths).toHaveProperty('/v1/parcels');
    expect(document.body.tags).toContainEqual({ name: 'Parcels' });
    expect((await server.raw('GET', '/v1/audit?action=parcel.sent')).status).toBe(200);
  });

  test('fills what is empty at the very first start', async () => {
    const fresh = await openStore(sqliteFile(join(data, 'fresh.db')), () => 'fresh', lanes);
    const using = { ids: randomIds, clock: { now: () => 1 } };
    expect([await onFirstStart(fresh, using, [parcels]), await onFirstStart(fresh, using, [parcels])]).toEqual([
      true,
      false,
    ]);
    expect((await findRow(fresh.db, 'parcels', 'p0'))?.label).toBe('A first one');
    await fresh.close();
  });

  test('is in a backup with its rows, which are restored', async () => {
    const out = join(data, 'all.tar');
    const using = { say: () => undefined, sync: () => Promise.resolve() };
    const written = await backup(store, rootsOf(data, join(data, 'uploads')), out, { ...using, lanes });
    expect(written.tables).toMatchObject({ parcels: 2, tracks: 0 });
    const other = await openStore(sqliteFile(join(data, 'other.db')), () => 'other', lanes);
    const to = join(data, 'to');
    await restore(other, rootsOf(to, join(to, 'uploads')), to, out, {
      ...{ newId: () => 'new', clock: { now: () => 1 }, lanes },
      sync: using.sync,
    });
    expect((await findRow(other.db, 'parcels', 'p2'))?.label).toBe('Books');
    await other.close();
  });
});
