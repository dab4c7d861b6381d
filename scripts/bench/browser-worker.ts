/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
/** The browser's side of the benchmark: the app's own index source over OPFS and IndexedDB, in a worker. */
import MiniSearch from 'minisearch';
import { AccessionDb } from '#adapters/browser/db.ts';
import { IndexSource } from '#lanes/music/browser/replica/catalog-index.ts';
import { createReplica } from '#lanes/music/browser/replica/replica.ts';
import { publishIndex } from '#lanes/music/browser/replica/replica-changes.ts';
import { openKeptFiles } from '#adapters/browser/kept-files.ts';
import { tables } from '#lanes/music/browser/schema.ts';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { textKey } from '#core/text/similarity.ts';
import { ok } from '#core/result.ts';
import type { Order, Query, Report } from './messages.ts';

const db = new AccessionDb(tables, 'accession-bench');
const source = new IndexSource(db);

async function ready(): Promise<CatalogIndex> {
  const index = await source.get();
  if (index === null) throw new Error('The replica is not complete.');
  return index;
}

function times(queries: readonly Query[], search: (query: Query) => unknown): number[] {
  return queries.map((query) => {
    const begun = performance.now();
    search(query);
    return performance.now() - begun;
  });
}

const TYPED = 60;

const searchIn =
  (index: CatalogIndex) =>
  ({ text, duration_ms }: Query): unknown =>
    index.tracksByText(textKey(text), 20, duration_ms);

/** Puts a packed index where the app keeps it, as if it had been built here. */
async function store(tracks: number): Promise<Report> {
  const bytes = new Uint8Array(await (await fetch('/catalog')).arrayBuffer());
  await (await openKeptFiles(db, 'index')).write('catalog-1-bench', [bytes]);
  const state = { catalog_id: 'bench', cursor: 'c0', version: 1, artists: 0, albums: 0, tracks, complete: true };
  await db.meta.put({ key: 'replica', value: state });
  await publishIndex(db, 1, 'catalog-1-bench');
  return { stored_bytes: bytes.length };
}

/** From nothing to the first answer. */
async function open(): Promise<Report> {
  const begun = performance.now();
  const index = await ready();
  index.tracksByText(textKey('come together'), 20);
  return { open_ms: performance.now() - begun };
}

async function search(queries: readonly Query[]): Promise<Report> {
  const index = await ready();
  const run = searchIn(index);
  times(queries.slice(0, 50), run);
  index.albumsByText(textKey('warm'), 5);
  index.albumsByArtist(textKey('warm'), 5);
  index.albumsByDurations([{ duration_ms: 200_000, positions: [1] }], 5);
  return { search_ms: times(queries, run), key_ms: await keyTimes(queries) };
}

/** What each key costs while these titles are typed into the search box. */
async function keyTimes(queries: readonly Query[]): Promise<number[]> {
  const found: number[] = [];
  for (const { text } of queries.slice(0, TYPED))
    for (let length = 1; length <= text.length; length++) {
      const begun = performance.now();
      await source.search(text.slice(0, length), 20);
      found.push(performance.now() - begun);
    }
  return found;
}

/** Listens for how long no message is answered; what it answers with is the longest time, milliseconds. */
function listen(): () => number {
  let last = performance.now();
  let blocked = 0;
  const beat = setInterval(() => {
    const now = performance.now();
    blocked = Math.max(blocked, now - last);
    last = now;
  }, 5);
  return () => {
    clearInterval(beat);
    return blocked;
  };
}

/** An empty browser fills itself, until the first search is answered. */
async function first(from: 'snapshot' | 'feed'): Promise<Report> {
  const own = new AccessionDb(tables, `accession-first-${from}`);
  const client = createCatalogClient({ baseUrl: self.location.origin, token: () => Promise.resolve('bench') });
  const replica = createReplica({ db: own, client: from === 'feed' ? { changes: client.changes } : client });
  const heart = listen();
  const begun = performance.now();
  const pulled = await replica.pull();
  if (!pulled.ok) throw new Error(pulled.failure.message);
  const filled = performance.now();
  const index = await new IndexSource(own).get();
  index?.tracksByText(textKey('come together'), 20);
  const report = { first_ms: performance.now() - begun, filled_ms: filled - begun, blocked_ms: heart() };
  const counted = performance.now();
  const rows = await own.tracks.count();
  return { ...report, rows, count_ms: performance.now() - counted };
}

/** Pages of the change feed applied, and the index that has them; with the longest time that no message was answered. */
async function delta(pages: readonly (Order & { do: 'delta' })['pages'][number][]): Promise<Report> {
  await ready();
  let at = 0;
  const replica = createReplica({
    db,
    client: {
      changes: () => {
        const page = pages[at++];
        if (page === undefined) throw new Error('There are no more pages.');
        return Promise.resolve(ok({ kind: 'page' as const, page }));
      },
    },
  });
  const heart = listen();
  const begun = performance.now();
  const pulled = await replica.pull();
  if (!pulled.ok) throw new Error(pulled.failure.message);
  const applied = performance.now();
  await ready();
  const done = performance.now();
  return { delta_ms: done - begun, applied_ms: applied - begun, overlay_ms: done - applied, blocked_ms: heart() };
}

/** The same titles and queries, here and in MiniSearch with typos and beginnings of words allowed. */
function compare(titles: readonly string[], queries: readonly Query[]): Report {
  const rows = titles.map((title, n) => ({ id: `t${n}`, title }));
  const other = new MiniSearch<{ id: string; title: string }>({ fields: ['title'] });
  other.addAll(rows);
  const album = { id: 'a', title: 'All', artist_id: 'b', artist: 'All' };
  const own = buildCatalogIndex({
    artists: [{ id: 'b', name: 'All' }],
    albums: [album],
    tracks: rows.map((row) => ({ ...row, album_id: 'a', artist_id: 'b', artist: 'All', disc: 1, position: 1 })),
  });
  const find = ({ text }: Query): unknown => other.search(text, { fuzzy: 0.2, prefix: true }).slice(0, 20);
  times(queries.slice(0, 20), searchIn(own));
  times(queries.slice(0, 20), find);
  return { own_ms: times(queries, searchIn(own)), minisearch_ms: times(queries, find) };
}

async function carryOut(order: Order): Promise<Report> {
  switch (order.do) {
    case 'store':
      return store(order.tracks);
    case 'open':
      return open();
    case 'search':
      return search(order.queries);
    case 'delta':
      return delta(order.pages);
    case 'first':
      return first(order.from);
    case 'compare':
      return compare(order.titles, order.queries);
  }
}

self.addEventListener('message', (event: MessageEvent<Order>) => {
  void carryOut(event.data).then(
    (report) => self.postMessage({ report }),
    (error: unknown) => self.postMessage({ error: String(error) }),
  );
});
