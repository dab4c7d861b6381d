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
import { placeCursor } from '../store/feed.ts';
import type { Peer, SocketFeed } from './socket-feed.ts';

/** Bytes that may wait for a slow peer. */
const MAX_WAITING = 1024 * 1024;
const PAGE = 200;
/** WebSocket close code "try again later". */
const TRY_AGAIN = 1013;

/** In place of a user, for who may not read jobs: nobody has this name. */
export const NOBODY = '';

/** @param user whose jobs it gets; null: everybody's */
export function createSocketPeer(ws: WebSocket, feed: SocketFeed, user: string | null, heartbeatMs: number) {
  /** The last update that was sent; while it catches up, what comes meanwhile is read from here on. */
  let position = 0;
  let live = false;
  /** `Hello` was sent since it began. */
  let greeted = false;
  /** Counts beginnings: a later one ends an earlier one. */
  let latest = 0;
  const isOpen = (): boolean => ws.readyState === ws.OPEN;

  const peer: Peer = {
    wants: (update) => live && update.seq > position && (user === null || user === update.user_id),

    update(seq, text) {
      position = seq;
      peer.send(text);
    },

    /** Sends a heartbeat with this peer's cursor, which is behind the others' while it catches up. */
    beat(catalogId) {
      if (!greeted) return;
      const here = live ? Math.max(position, feed.position) : position;
      peer.send(JSON.stringify({ type: 'Heartbeat', cursor: placeCursor(catalogId, here) }));
    },

    send(text) {
      if (!isOpen()) return;
      if (ws.bufferedAmount > MAX_WAITING) peer.drop('too much waits for you');
      else ws.send(text);
    },

    /** What is no update and has no place among them; for those who may edit, once they were greeted. */
    hint(text) {
      if (greeted && user !== NOBODY) peer.send(text);
    },

    /** Ends the connection; its client comes again with its cursor. */
    drop(reason) {
      latest += 1;
      live = false;
      if (ws.bufferedAmount > 0) ws.terminate();
      else ws.close(TRY_AGAIN, reason);
    },
  };

  /** `since`: the cursor of the last message that it had, or null. */
  function begin(since: string | null): void {
    latest += 1;
    live = false;
    greeted = false;
    beginTurn(since, latest).catch(() => peer.drop('what you missed could not be read'));
  }

  async function beginTurn(since: string | null, turn: number): Promise<void> {
    await feed.add(peer);
    const catalogId = await feed.catalogId();
    const place = since === null ? null : await placeOf(feed.db, catalogId, since);
    if (turn !== latest) return;
    // What is written from here on is sent; what was before it is read by whoever resyncs.
    position = place ?? feed.position;
    const hello: ServerMessage = {
      type: 'Hello',
      cursor: placeCursor(catalogId, position),
      resync: place === null,
      heartbeat_ms: heartbeatMs,
    };
    peer.send(JSON.stringify(hello));
    greeted = true;
    while (turn === latest && isOpen()) {
      const before = feed.position;
      const page = await readUpdates(feed.db, catalogId, position, PAGE, user);
      const there = await placeOf(feed.db, catalogId, placeCursor(catalogId, position));
      if (turn !== latest) return;
      // Pruned while it was reading; it comes again, and resyncs.
      if (there === null) return peer.drop('the updates are not kept any more');
      if (page.length > 0) await written(page);
      const last = page.at(-1)?.seq ?? position;
      position = page.length < PAGE ? Math.max(last, before) : last;
      // Nothing was sent to the others in the meantime: from now on it gets what they get.
      if (page.length < PAGE && feed.position <= position) {
        live = true;
        return;
      }
    }
  }

  /** Sends a page and waits until the system has taken it, so that no more than one page waits in memory. */
  function written(page: readonly ReadUpdate[]): Promise<void> {
    return new Promise((resolve) => {
      page.forEach(({ message }, at) => {
        // An error is followed by the socket's end.
        ws.send(JSON.stringify(message), at === page.length - 1 ? () => resolve() : () => undefined);
      });
    });
  }

  /** A message of the client. Anything but `Since` is ignored. */
  function receive(data: RawData): void {
    const message = v.safeParse(v.pipe(v.string(), v.parseJson(), SinceSchema), String(data));
    if (message.success) begin(message.output.cursor);
  }

  return Object.assign(peer, { begin, receive });
}
