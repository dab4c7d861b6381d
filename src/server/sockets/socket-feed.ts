/**
 * Reads the updates of all jobs once for all sockets of this process, by polling: what another process wrote is seen
 * like what this one did, which only need not wait (events.ts).
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { CatalogDeps } from '../deps.ts';
import { readUpdates, type ReadUpdate } from '../ingest/updates.ts';
import { positions, feedCursor } from '../store/feed.ts';
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

export class SocketFeed {
  /** The number of the last update that was sent to every peer who is up to date. */
  position = 0;
  readonly #deps: FeedDeps;
  readonly #peers = new Set<Peer>();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #stopListening: () => void;
  readonly #onAccess: () => void;
  #catalogId: Promise<string> | null = null;
  /** The number of the last change of the catalog that was sent. */
  #catalog: number | null = null;
  #access: number | null = null;
  #polling: Promise<void> | null = null;
  #again = false;

  /** @param onAccess somebody may more or less than before */
  constructor(deps: FeedDeps, onAccess: () => void) {
    this.#deps = deps;
    this.#onAccess = onAccess;
    this.#timer = setInterval(() => this.#wake(), POLL_MS);
    this.#stopListening = deps.events.listen((event) => {
      if ('taskId' in event) {
        for (const peer of this.#peers) peer.hint(JSON.stringify(event));
      } else this.#wake();
    });
  }

  /** The name of the database, which every cursor carries. */
  catalogId(): Promise<string> {
    this.#catalogId ??= readMeta(this.#deps.store.db, CATALOG_ID).then((id) => id ?? '');
    return this.#catalogId;
  }

  async cursor(seq: number): Promise<string> {
    return feedCursor(await this.catalogId(), seq);
  }

  get db() {
    return this.#deps.store.db;
  }

  /** Adds a peer, who gets what comes from now on; the first one starts the polling. */
  async add(peer: Peer): Promise<void> {
    // The first one: what came while nobody listened is no news.
    if (this.#peers.size === 0) await this.#begin();
    this.#peers.add(peer);
  }

  remove(peer: Peer): void {
    this.#peers.delete(peer);
  }

  /** Sends every peer a heartbeat. */
  beat(): void {
    this.catalogId().then(
      (catalogId) => {
        for (const peer of this.#peers) peer.beat(catalogId);
      },
      (error: unknown) => this.#complain(error),
    );
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stopListening();
    this.#peers.clear();
  }

  async #begin(): Promise<void> {
    await this.#polling;
    const now = await positions(this.db);
    if (this.#peers.size > 0) return;
    this.position = now.updates;
    this.#catalog = now.catalog;
    this.#access = now.access;
  }

  /** One look at a time; what happens during one is seen by another. */
  #wake(): void {
    if (this.#peers.size === 0) return;
    this.#again = true;
    this.#polling ??= this.#poll()
      .catch((error: unknown) => this.#complain(error))
      .finally(() => {
        this.#polling = null;
      });
  }

  async #poll(): Promise<void> {
    while (this.#again && this.#peers.size > 0) {
      this.#again = false;
      const now = await positions(this.db);
      if (this.#catalog !== null && now.catalog > this.#catalog) this.#sendAll('{"type":"CatalogChanged"}');
      this.#catalog = now.catalog;
      if (now.access !== this.#access) this.#onAccess();
      this.#access = now.access;
      // A database that was put back under a running server: nobody's place in it means anything.
      if (now.updates < this.position) {
        this.position = now.updates;
        for (const peer of this.#peers) peer.drop('the updates began anew');
      }
      while (this.position < now.updates) {
        const page = await readUpdates(this.db, await this.catalogId(), this.position, PAGE, null);
        const last = page.at(-1);
        // Pruned before it was read: whoever comes again with a place from before it resyncs.
        if (last === undefined || page[0]?.seq !== this.position + 1) {
          for (const peer of this.#peers) peer.drop('the updates are not kept any more');
          this.position = now.updates;
          break;
        }
        await this.#send(page);
      }
    }
  }

  /** Whoever takes what comes has time for it in between: a page may be larger than what may wait for a peer. */
  async #send(page: readonly ReadUpdate[]): Promise<void> {
    let sent = 0;
    for (const update of page) {
      let text: string | null = null;
      for (const peer of this.#peers) {
        if (!peer.wants(update)) continue;
        text ??= JSON.stringify(update.message);
        peer.update(update.seq, text);
      }
      this.position = update.seq;
      sent += text?.length ?? 0;
      if (sent < MOST_AT_ONCE) continue;
      sent = 0;
      await turn();
    }
  }

  #sendAll(text: string): void {
    for (const peer of this.#peers) peer.send(text);
  }

  #complain(error: unknown): void {
    this.#deps.log.error('the updates could not be read', { error: String(error) });
  }
}
