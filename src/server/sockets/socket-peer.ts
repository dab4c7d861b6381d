/**
 * One socket. It first catches up from the cursor that it brought, page by page as it takes them, and then gets what
 * comes. One that does not take what it is sent is dropped: it connects again and catches up, from the database.
 *
 *   begin --Hello--> catching up --nothing left--> live --(too much waits)--> closed
 *     ^                                             |
 *     +------------------- Since -------------------+
 */
import * as v from 'valibot';
import type { RawData, WebSocket } from 'ws';
import { SinceSchema, type ServerMessage } from '#core/sync/socket-messages.ts';
import { placeOf, readUpdates, type ReadUpdate } from '../ingest/updates.ts';
import { feedCursor } from '../store/feed.ts';
import type { Peer, SocketFeed } from './socket-feed.ts';

/** Bytes that may wait for a slow peer. */
const MAX_WAITING = 1024 * 1024;
const PAGE = 200;
/** WebSocket close code "try again later". */
const TRY_AGAIN = 1013;

/** In place of a user, for who may not read jobs: nobody has this name. */
export const NOBODY = '';

export class SocketPeer implements Peer {
  readonly #ws: WebSocket;
  readonly #feed: SocketFeed;
  readonly #user: string | null;
  readonly #heartbeatMs: number;
  /** The last update that was sent; while it catches up, what comes meanwhile is read from here on. */
  #position = 0;
  #live = false;
  /** `Hello` was sent since it began. */
  #greeted = false;
  /** Counts beginnings: a later one ends an earlier one. */
  #turn = 0;

  /** @param user whose jobs it gets; null: everybody's */
  constructor(ws: WebSocket, feed: SocketFeed, user: string | null, heartbeatMs: number) {
    this.#ws = ws;
    this.#feed = feed;
    this.#user = user;
    this.#heartbeatMs = heartbeatMs;
  }

  /** `since`: the cursor of the last message that it had, or null. */
  begin(since: string | null): void {
    this.#turn += 1;
    this.#live = false;
    this.#greeted = false;
    this.#begin(since, this.#turn).catch(() => this.drop('what you missed could not be read'));
  }

  async #begin(since: string | null, turn: number): Promise<void> {
    await this.#feed.add(this);
    const catalogId = await this.#feed.catalogId();
    const place = since === null ? null : await placeOf(this.#feed.db, catalogId, since);
    if (turn !== this.#turn) return;
    // What is written from here on is sent; what was before it is read by whoever resyncs.
    this.#position = place ?? this.#feed.position;
    const hello: ServerMessage = {
      type: 'Hello',
      cursor: await this.#feed.cursor(this.#position),
      resync: place === null,
      heartbeat_ms: this.#heartbeatMs,
    };
    if (turn !== this.#turn) return;
    this.send(JSON.stringify(hello));
    this.#greeted = true;
    await this.#catchUp(turn);
  }

  async #catchUp(turn: number): Promise<void> {
    const catalogId = await this.#feed.catalogId();
    while (turn === this.#turn && this.#isOpen()) {
      const before = this.#feed.position;
      const page = await readUpdates(this.#feed.db, catalogId, this.#position, PAGE, this.#user);
      const there = await placeOf(this.#feed.db, catalogId, feedCursor(catalogId, this.#position));
      if (turn !== this.#turn) return;
      // Pruned while it was reading; it comes again, and resyncs.
      if (there === null) return this.drop('the updates are not kept any more');
      if (page.length > 0) await this.#written(page);
      const last = page.at(-1)?.seq ?? this.#position;
      this.#position = page.length < PAGE ? Math.max(last, before) : last;
      // Nothing was sent to the others in the meantime: from now on it gets what they get.
      if (page.length < PAGE && this.#feed.position <= this.#position) {
        this.#live = true;
        return;
      }
    }
  }

  /** Sends a page and waits until the system has taken it, so that no more than one page waits in memory. */
  #written(page: readonly ReadUpdate[]): Promise<void> {
    return new Promise((resolve) => {
      page.forEach(({ message }, at) => {
        // An error is followed by the socket's end.
        this.#ws.send(JSON.stringify(message), at === page.length - 1 ? () => resolve() : () => undefined);
      });
    });
  }

  /** A message of the client. Anything but `Since` is ignored. */
  receive(data: RawData): void {
    try {
      const message = v.safeParse(SinceSchema, JSON.parse(String(data)));
      if (message.success) this.begin(message.output.cursor);
    } catch {
      // Not JSON.
    }
  }

  wants(update: ReadUpdate): boolean {
    return this.#live && update.seq > this.#position && (this.#user === null || this.#user === update.user_id);
  }

  update(seq: number, text: string): void {
    this.#position = seq;
    this.send(text);
  }

  /** Sends a heartbeat with this peer's cursor, which is behind the others' while it catches up. */
  beat(catalogId: string): void {
    if (!this.#greeted) return;
    const position = this.#live ? Math.max(this.#position, this.#feed.position) : this.#position;
    this.send(JSON.stringify({ type: 'Heartbeat', cursor: feedCursor(catalogId, position) }));
  }

  send(text: string): void {
    if (!this.#isOpen()) return;
    if (this.#ws.bufferedAmount > MAX_WAITING) this.drop('too much waits for you');
    else this.#ws.send(text);
  }

  /** What is no update and has no place among them; for those who may edit, once they were greeted. */
  hint(text: string): void {
    if (this.#greeted && this.#user !== NOBODY) this.send(text);
  }

  /** Ends the connection; its client comes again with its cursor. */
  drop(reason: string): void {
    this.#turn += 1;
    this.#live = false;
    if (this.#ws.bufferedAmount > 0) this.#ws.terminate();
    else this.#ws.close(TRY_AGAIN, reason);
  }

  #isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }
}
