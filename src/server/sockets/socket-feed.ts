/**
 * Reads the updates of all jobs once for all sockets of this process, by polling: what another process wrote is seen
 * like what this one did, which only need not wait (events.ts).
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { CatalogDeps } from '../deps.ts';
import { readUpdates, type ReadUpdate } from '../ingest/updates.ts';
import { positions } from '../store/feed.ts';
import { CATALOG_ID, readMeta } from '../store/store.ts';

/** Who gets the updates: a socket (socket-peer.ts). */
export interface Peer {
  /** Whether this update is news to it. */
  wants(update: ReadUpdate): boolean;
  update(seq: number, text: string): void;
  /** Sends a heartbeat. */
  beat(catalogId: string): void;
  send(text: string): void;
  /** What is no update and has no place among them. */
  hint(text: string): void;
  drop(reason: string): void;
}

type FeedDeps = Pick<CatalogDeps, 'store' | 'events' | 'log'>;

/** How often the database is asked for what other processes wrote, milliseconds. */
const POLL_MS = 500;
const PAGE = 500;
/** Characters that are sent to a peer before it may take some of them; far less than what may wait for one. */
const MOST_AT_ONCE = 128 * 1024;

export type SocketFeed = ReturnType<typeof createSocketFeed>;

/** @param onAccess somebody may more or less than before */
export function createSocketFeed({ store: { db }, events, log }: FeedDeps, onAccess: () => void) {
  const peers = new Set<Peer>();
  let id: Promise<string> | null = null;
  /** The number of the last update that was sent to every peer who is up to date. */
  let position = 0;
  /** The number of the last change of the catalog that was sent. */
  let catalog: number | null = null;
  let access: number | null = null;
  let polling: Promise<void> | null = null;
  let again = false;
  const timer = setInterval(wake, POLL_MS);
  const stopListening = events.listen((event) => {
    if ('taskId' in event || 'sentence' in event) {
      for (const peer of peers) peer.hint(JSON.stringify(event));
    } else wake();
  });

  /** The name of the database, which every cursor carries. */
  function catalogId(): Promise<string> {
    id ??= readMeta(db, CATALOG_ID).then((found) => found ?? '');
    return id;
  }

  async function begin(): Promise<void> {
    await polling;
    const now = await positions(db);
    if (peers.size > 0) return;
    position = now.updates;
    catalog = now.catalog;
    access = now.access;
  }

  /** One look at a time; what happens during one is seen by another. */
  function wake(): void {
    if (peers.size === 0) return;
    again = true;
    polling ??= poll()
      .catch(complain)
      .finally(() => {
        polling = null;
      });
  }

  async function poll(): Promise<void> {
    while (again && peers.size > 0) {
      again = false;
      const now = await positions(db);
      if (catalog !== null && now.catalog > catalog) for (const peer of peers) peer.send('{"type":"CatalogChanged"}');
      catalog = now.catalog;
      if (now.access !== access) onAccess();
      access = now.access;
      // A database that was put back under a running server: nobody's place in it means anything.
      if (now.updates < position) {
        position = now.updates;
        for (const peer of peers) peer.drop('the updates began anew');
      }
      while (position < now.updates) {
        const page = await readUpdates(db, await catalogId(), position, PAGE, null);
        const last = page.at(-1);
        // Pruned before it was read: whoever comes again with a place from before it resyncs.
        if (last === undefined || page[0]?.seq !== position + 1) {
          for (const peer of peers) peer.drop('the updates are not kept any more');
          position = now.updates;
          break;
        }
        await send(page);
      }
    }
  }

  /** Whoever takes what comes has time for it in between: a page may be larger than what may wait for a peer. */
  async function send(page: readonly ReadUpdate[]): Promise<void> {
    let sent = 0;
    for (const update of page) {
      let text: string | null = null;
      for (const peer of peers) {
        if (!peer.wants(update)) continue;
        text ??= JSON.stringify(update.message);
        peer.update(update.seq, text);
      }
      position = update.seq;
      sent += text?.length ?? 0;
      if (sent < MOST_AT_ONCE) continue;
      sent = 0;
      await turn();
    }
  }

  function complain(error: unknown): void {
    log.error('the updates could not be read', { error: String(error) });
  }

  return {
    db,
    get position() {
      return position;
    },
    catalogId,
    /** Adds a peer, who gets what comes from now on; the first one starts the polling. */
    async add(peer: Peer): Promise<void> {
      // The first one: what came while nobody listened is no news.
      if (peers.size === 0) await begin();
      peers.add(peer);
    },
    remove(peer: Peer): void {
      peers.delete(peer);
    },
    /** Sends every peer a heartbeat. */
    beat(): void {
      catalogId().then((catalog_id) => {
        for (const peer of peers) peer.beat(catalog_id);
      }, complain);
    },
    close(): void {
      clearInterval(timer);
      stopListening();
      peers.clear();
    },
  };
}
