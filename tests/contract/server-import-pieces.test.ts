/** Large catalog files, which are written in pieces, on both stores. Pieces of a few tracks, so that small files have many. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ImportResult } from '#core/sync/fields.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { importCatalog } from '#lanes/music/server/catalog/import-catalog.ts';
import { prepareImport } from '#lanes/music/server/catalog/import-pieces.ts';
import { musicKeeping } from '#lanes/music/server/store/keeping.ts';
import { importInPieces } from '#server/import/import-pieces.ts';
import type { LaneImport } from '#server/import/import-file.ts';
import { searchTrouble } from '#server/search/check-search.ts';
import type { Store } from '#server/store/store.ts';
import { openTestStore, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { musicChanges } from '../fixtures/test-store.ts';

const ALBUMS = 8;
const TRACKS = 5;
const ROWS = 2 + ALBUMS + ALBUMS * TRACKS;

/** Albums of five tracks; `album`: in which one a track is, `title`: of every album. */
function catalog(title: string, album = (track: number) => Math.floor(track / TRACKS)): Required<CatalogFile> {
  const [artist_id, artist] = ['ar_1', 'Somebody'];
  const taken = new Map<number, number>();
  return {
    artists: [0, 1].map((at) => ({ id: `ar_${at}`, name: at === 1 ? artist : 'Nobody' })),
    albums: Array.from({ length: ALBUMS }, (_, at) => ({
      ...{ id: `al_${at}`, title: `${title} ${at}`, artist_id, artist, year: null },
    })),
    tracks: Array.from({ length: ALBUMS * TRACKS }, (_, at) => {
      const position = (taken.get(album(at)) ?? 0) + 1;
      taken.set(album(at), position);
      const where = { album_id: `al_${album(at)}`, disc: 1, position };
      return { id: `tr_${at}`, title: `Song ${at}`, artist_id, artist, duration_ms: 1000, ...where };
    }),
  };
}

const music: LaneImport = {
  lists: ['artists', 'albums', 'tracks'],
  always: true,
  run: importCatalog,
  // Pieces of four tracks are an album each; twelve tracks may wait for the rest of theirs.
  prepare: (db, lists) => prepareImport(db, lists, { tracks: 4, waiting: 12 }),
};

const request = { principal: { user_id: 'admin', scopes: ['Admin'] }, key: null, request_sha256: 'f'.repeat(64) };

/** @param between is called after each transaction, with how many there were */
async function load(store: Store, file: CatalogFile, between: (writes: number) => Promise<void> = async () => {}) {
  let writes = 0;
  const pieces: Pick<Store, 'db' | 'write'> = {
    db: store.db,
    async write(work) {
      const done = await store.write(work);
      await between((writes += 1));
      return done;
    },
  };
  const { answer } = await importInPieces(pieces, [music], { ...file }, { request, clock: { now: () => 1 } });
  return { counts: answer.body as ImportResult, writes };
}

const tracksIn = async (store: Store, album: string): Promise<number> =>
  (await store.db.selectFrom('tracks').select('id').where('album_id', '=', album).execute()).length;

const everything = async ({ db }: Store) => ({
  artists: await db.selectFrom('artists').selectAll().orderBy('id').execute(),
  albums: await db.selectFrom('albums').selectAll().orderBy('id').execute(),
  tracks: await db.selectFrom('tracks').selectAll().orderBy('id').execute(),
});

const all = (created: number, updated: number, unchanged: number, tracks: number[]): object => ({
  artists: { created: created === 0 ? 0 : 2, updated: 0, unchanged: created === 0 ? 2 : 0 },
  albums: { created, updated, unchanged },
  tracks: { created: tracks[0], updated: tracks[1], unchanged: tracks[2] },
});

onBothStores('an import in pieces', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await testServer();
  });
  afterEach(() => server.end());

  test('IMPORT-7 others write between two pieces, and nobody ever reads half of an album, in the feed neither', async () => {
    const { store } = server;
    const seen = new Set<number>();
    const others: number[] = [];
    const { counts, writes } = await load(store, catalog('First'), async (writes) => {
      for (let at = 0; at < ALBUMS; at += 1) seen.add(await tracksIn(store, `al_${at}`));
      const { items } = await musicChanges(store.db, 0, 1000);
      const known = new Set(items.map(({ kind, id }) => `${kind} ${id}`));
      for (const { kind, record } of items)
        if (kind === 'track') expect(known).toContain(`album ${(record as { album_id: string }).album_id}`);
      const of = (at: number) => items.filter(({ record }) => record && Reflect.get(record, 'album_id') === `al_${at}`);
      for (let at = 0; at < ALBUMS; at += 1) expect([0, TRACKS]).toContain(of(at).length);
      if (writes > 3) return;
      others.push((await server.api('POST', '/v1/catalog/artists', { name: `Between ${writes}` })).status);
    });
    expect([counts, writes, others]).toEqual([all(8, 0, 0, [40, 0, 0]), 11, [201, 201, 201]]);
    expect([...seen].sort()).toEqual([0, TRACKS]);
    expect(await searchTrouble(store.db, [musicKeeping])).toEqual([]);
    const { last } = await musicChanges(store.db, 0, 1000);
    const again = await load(store, catalog('First'));
    // The beginning and the end: no piece has anything to write, and the feed nothing to say.
    expect([again.counts, again.writes]).toEqual([all(0, 0, 8, [0, 0, 40]), 2]);
    expect((await musicChanges(store.db, last, 1000)).items).toEqual([]);
    expect((await server.api('GET', '/v1/catalog/imports')).body).toEqual({ items: [], next_cursor: null });
  });

  test('IMPORT-8 the catalog is what one transaction makes of it: tracks in no order, changing places and albums, retitled', async () => {
    const mixed = (track: number): number => track % ALBUMS;
    const circle = (track: number): number => (Math.floor(track / TRACKS) + (track % TRACKS < 2 ? 1 : 0)) % 4;
    const rest = (track: number): number => (track < 20 ? circle(track) : Math.floor(track / TRACKS));
    const one = await openTestStore(await mkdtemp(join(tmpdir(), 'accession-pieces-')));
    try {
      for (const file of [catalog('First'), catalog('Second', rest), catalog('Third', mixed), catalog('Third')]) {
        const counts = await one.write((tx) => importCatalog(tx, file));
        expect((await load(server.store, file)).counts).toEqual(counts);
        expect(await everything(server.store)).toEqual(await everything(one));
      }
    } finally {
      await one.close();
    }
    expect(await searchTrouble(server.store.db, [musicKeeping])).toEqual([]);
  });

  test('IMPORT-8 a bad row anywhere is named, and nothing is written', async () => {
    const file = catalog('First');
    const last = file.tracks.at(-1);
    if (last) Object.assign(last, { position: 1 });
    await expect(load(server.store, file)).rejects.toThrow(
      'tracks[39] "position": disc 1, position 1 of album "al_7" is taken by tracks[35]',
    );
    expect(await everything(server.store)).toEqual({ artists: [], albums: [], tracks: [] });
    expect((await server.api('GET', '/v1/catalog/imports')).body).toEqual({ items: [], next_cursor: null });
  });

  test('IMPORT-9 killed between two pieces it goes on when it is sent again, and is answered as if nothing had been', async () => {
    // The beginning, the artists, and an album with each transaction; what is not new has no piece.
    const runs = [
      { after: 3, done: 2 + 6, counts: all(8, 0, 0, [40, 0, 0]) },
      { after: 5, done: 2 + 4 * 6, counts: all(0, 8, 0, [0, 40, 0]) },
    ];
    for (const [at, { after, done, counts }] of runs.entries()) {
      const file = catalog(`Title ${at}`);
      for (const track of file.tracks) track.title += ` ${at}`;
      const killed = load(server.store, file, (writes) =>
        writes === after ? Promise.reject(new Error('killed')) : Promise.resolve(),
      );
      await expect(killed).rejects.toThrow('killed');
      const { body } = await server.api<{ items: object[] }>('GET', '/v1/catalog/imports');
      expect(body.items).toMatchObject([{ user_id: 'admin', rows: ROWS, done }]);
      expect((await load(server.store, file)).counts).toEqual(counts);
    }
    expect((await server.api('GET', '/v1/catalog/imports')).body).toEqual({ items: [], next_cursor: null });
    const lines = await server.store.db.selectFrom('audit').select(['action', 'details']).orderBy('id').execute();
    // Each run says that it began, in its first transaction.
    expect(lines.filter(({ details }) => details.includes('begun'))).toHaveLength(4);
  });

  test('IMPORT-10 how far it is can be asked, and somebody who may edit ends it before its next piece', async () => {
    let seen: { id: string; done: number }[] = [];
    const ended = load(server.store, catalog('First'), async (writes) => {
      if (writes !== 3) return;
      const { body } = await server.api<{ items: typeof seen }>('GET', '/v1/catalog/imports');
      seen = body.items;
      expect((await server.api('DELETE', `/v1/catalog/imports/${seen[0]?.id ?? ''}`)).status).toBe(204);
    });
    await expect(ended).rejects.toThrow(`The import was ended by "admin" after 8 of ${ROWS} rows.`);
    expect(seen).toMatchObject([{ done: 8, rows: ROWS, cancelled_by: null }]);
    expect(await tracksIn(server.store, 'al_0')).toBe(TRACKS);
    expect(await tracksIn(server.store, 'al_1')).toBe(0);
    expect((await server.api('DELETE', '/v1/catalog/imports/none')).status).toBe(404);
    expect((await load(server.store, catalog('First'))).counts).toEqual(all(8, 0, 0, [40, 0, 0]));
  });

  test('IMPORT-11 what somebody changes meanwhile, so that the rest does not fit, ends it with its reason, and what was written stays', async () => {
    const track = { album_id: 'al_7', disc: 1, position: 6, title: 'Mine', artist_id: 'ar_1', artist: 'Somebody' };
    await load(server.store, catalog('First'));
    const more = catalog('First', (at) => Math.floor(at / TRACKS));
    more.tracks = more.tracks.map((row) => ({ ...row, title: `${row.title}!`, position: row.position + 1 }));
    const taken = load(server.store, more, async (writes) => {
      if (writes !== 3) return;
      const made = await server.api<ErrorAnswer>('POST', '/v1/catalog/tracks', { ...track, duration_ms: 1 });
      expect(made.status).toBe(201);
    });
    await expect(taken).rejects.toThrow(
      /The place of the track "tr_39" was taken by "\S+" while the file was imported\./,
    );
    const titles = await server.store.db.selectFrom('tracks').select(['id', 'title']).orderBy('id').execute();
    const titleOf = (id: string): string | undefined => titles.find((row) => row.id === id)?.title;
    expect([titleOf('tr_0'), titleOf('tr_39')]).toEqual(['Song 0!', 'Song 39']);
  });
});
