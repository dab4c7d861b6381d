/** Search by a process of its own, on both stores: the same answers as the database's, whatever becomes of the process. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { catalogSearcher } from '#lanes/music/server/search/catalog-searcher.ts';
import { search } from '#lanes/music/server/catalog/read.route.ts';
import { musicServer, server as music } from '#lanes/music/server/lane-server.ts';
import { openSearching, startProcess, type FoundIds, type Searching } from '#server/search/searching.ts';
import { catalogOfWords } from '../fixtures/begun-questions.ts';
import { testServer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { openTestStore, releaseDatabase, testDatabase } from '../fixtures/test-store.ts';

const WAIT = { timeout: 120_000, interval: 20 };
type Found = Record<'artists' | 'albums' | 'tracks', { id: string }[]>;

/** A server whose search has a process. @param least tracks from which on there is one */
async function searchingServer({ least = 1, patienceMs = 60_000 } = {}) {
  const data = await mkdtemp(join(tmpdir(), 'accession-searching-'));
  const databaseUrl = await testDatabase(data);
  const children: ChildProcess[] = [];
  const by: (FoundIds | null)[] = [];
  const server = await testServer({
    data,
    lanes: ({ store, clock, log }) => {
      const start = (): ChildProcess | null => {
        const child = startProcess();
        if (child) children.push(child);
        return child;
      };
      const open = openSearching({ db: store.db, clock, log, data, databaseUrl, least, patienceMs, start });
      const searching = open('music', async (db) => (await db.selectFrom('tracks').select('id').execute()).length);
      const watched: Searching = {
        ...searching,
        async ask(question, limit) {
          const found = await searching.ask(question, limit);
          by.push(found);
          return found;
        },
      };
      return Promise.resolve([musicServer(null, watched)]);
    },
  });
  onTestFinished(async () => {
    await server.end();
    await rm(data, { recursive: true, force: true });
  });
  expect((await server.api('POST', '/v1/catalog/import', catalogOfWords(7, 12))).status).toBe(200);
  // It was empty when it was first looked at.
  later(server);
  const ask = async (question: string): Promise<Found> =>
    (await server.api<Found>('GET', `/v1/catalog/search?limit=20&q=${encodeURIComponent(question)}`)).body;
  /** The answer, which must be the database's own, and whether the process gave it. */
  const asked = async (question: string): Promise<boolean> => {
    const answer = await ask(question);
    expect(answer).toEqual(await search(server.deps.store.db, question, 20));
    return by.at(-1) !== null;
  };
  const answering = (): Promise<void> => vi.waitFor(async () => expect(await asked('love')).toBe(true), WAIT);
  return { server, children, asked, answering, ask };
}

/** Past the time after which a process is begun again. */
const later = (server: TestServer): void => void (server.time.now += 61_000);

onBothStores('search by a process', () => {
  test("SYNC-83 its answers are the database's, and have what was written before the question", async () => {
    const { server, asked, answering, ask } = await searchingServer();
    await answering();
    for (const question of ['blue r', 'nina simone love', 'simnoe', 'fela kuti zo', '1971', 'nothing at all'])
      expect(await asked(question)).toBe(true);
    for (let at = 1; at <= 4; at += 1) {
      const title = `Zwischenzug ${at}`;
      expect((await server.api('PATCH', `/v1/catalog/tracks/tr_${at}_1`, { title })).status).toBe(200);
      expect((await ask(title)).tracks[0]?.id).toBe(`tr_${at}_1`);
      expect(await asked('zwischenzug')).toBe(true);
    }
    expect((await server.api('PATCH', '/v1/catalog/albums/al_3', { title: 'Endspiel' })).status).toBe(200);
    expect((await ask('endspiel')).tracks.map(({ id }) => id)).toContain('tr_3_2');
    expect(await asked('endspiel')).toBe(true);
  });

  test('SYNC-84 killed while it loads or answers, the database answers, and another one is begun after a minute', async () => {
    const { server, children, asked, answering } = await searchingServer();
    expect(await asked('love')).toBe(false);
    await vi.waitFor(() => expect(children).toHaveLength(1), WAIT);
    children[0]?.kill('SIGKILL');
    await vi.waitFor(() => expect(server.logged.join('')).toContain('the process of search ended'), WAIT);
    expect([await asked('love'), children.length]).toEqual([false, 1]);
    later(server);
    await answering();
    children[1]?.kill('SIGKILL');
    // Whatever is asked meanwhile is answered.
    for (let at = 0; at < 5; at += 1) await asked('blue');
    await vi.waitFor(async () => expect(await asked('love')).toBe(false), WAIT);
    later(server);
    await answering();
    expect(children).toHaveLength(3);
  });
});

describe('search by a process', () => {
  test('SYNC-85 one that says nothing in time is asked again once it says something, or ended after a minute', async () => {
    const { server, children, asked, answering } = await searchingServer({ patienceMs: 300 });
    await answering();
    children[0]?.kill('SIGSTOP');
    expect([await asked('love'), await asked('blue')]).toEqual([false, false]);
    children[0]?.kill('SIGCONT');
    await answering();
    expect(children).toHaveLength(1);

    children[0]?.kill('SIGSTOP');
    await vi.waitFor(async () => expect(await asked('love')).toBe(false), WAIT);
    later(server);
    expect(await asked('love')).toBe(false);
    await vi.waitFor(() => expect(server.logged.join('')).toContain('the process of search ended'), WAIT);
    later(server);
    await answering();
    expect(children).toHaveLength(2);
  });

  test('SYNC-83 a small catalog has no process', async () => {
    const { server, children, asked } = await searchingServer({ least: 1000 });
    expect(await asked('love')).toBe(false);
    later(server);
    expect([await asked('love'), children.length]).toEqual([false, 0]);
  });
});

onBothStores('the index of a process', () => {
  test('SYNC-86 it is read anew where too much has changed, or the database was put back', async () => {
    const data = await mkdtemp(join(tmpdir(), 'accession-searcher-'));
    const store = await openTestStore(data);
    onTestFinished(async () => {
      await store.close();
      await releaseDatabase(data);
      await rm(data, { recursive: true, force: true });
    });
    const [feed] = music.feeds;
    if (feed === undefined) throw new Error('music has no feed');
    const imported = (name: string, count: number) =>
      store.write(async (tx) => {
        const artists = Array.from({ length: count }, (_, at) => ({ id: `ar_${name}_${at}`, name: `${name} ${at}` }));
        for (const run of music.imports) await run.run(tx, { artists, albums: [], tracks: [] });
      });
    await imported('anfang', 3);
    const searcher = catalogSearcher(store.db, feed, 5);
    await searcher.load();
    await imported('mitte', 4);
    expect(await searcher.follow()).toBe(true);
    expect(searcher.search('mitte', 9)['artists']).toHaveLength(4);
    await imported('ende', 4);
    expect(await searcher.follow()).toBe(false);
    await searcher.load();
    expect(searcher.search('ende', 9)['artists']).toHaveLength(4);
    // As a copy from before the last import, after which something else was written.
    await store.write(async (tx) => {
      await tx.deleteFrom('feed_marks').where('seq', '>', 7).execute();
      await tx.updateTable('feed_counter').set({ value: 7 }).where('id', '=', 1).execute();
      await tx.deleteFrom('changes').where('seq', '>', 7).execute();
    });
    expect(await searcher.follow()).toBe(false);
    await imported('danach', 4);
    expect(await searcher.follow()).toBe(false);
    await searcher.load();
    expect(searcher.search('danach', 9)['artists']).toHaveLength(4);
    expect(await searcher.follow()).toBe(true);
  });
});
