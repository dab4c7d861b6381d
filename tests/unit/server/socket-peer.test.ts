/** Where a peer stands, as the heartbeat says it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { EventHub } from '#server/events.ts';
import { createLog } from '#server/log.ts';
import { createSocketFeed, type SocketFeed } from '#server/sockets/socket-feed.ts';
import { createSocketPeer } from '#server/sockets/socket-peer.ts';
import { placeCursor } from '#server/store/feed.ts';
import type { Store } from '#server/store/store.ts';
import { openTestStore } from '../../fixtures/test-store.ts';

const UPDATES = 250;
let data: string;
let store: Store;
let feed: SocketFeed;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'accession-peer-'));
  store = await openTestStore(data);
  const row = { user_id: 'ann', job_id: 'job', status: 'PENDING' as const, step_id: null, needs_review: 0 };
  await store.write(async (tx) => {
    for (let seq = 1; seq <= UPDATES; seq++)
      await tx
        .insertInto('ingestion_updates')
        .values({ ...row, seq })
        .execute();
    await tx.insertInto('feed_counter').values({ id: 2, value: UPDATES }).execute();
  });
  feed = createSocketFeed({ store, events: new EventHub(), log: createLog(() => undefined) }, () => undefined);
});
afterEach(async () => {
  feed.close();
  await store.close();
  await rm(data, { recursive: true, force: true });
});

/** A socket that takes what it is sent when it is told to. */
function slowSocket() {
  const messages: { type: string; cursor?: string }[] = [];
  const closed: string[] = [];
  const taken: (() => void)[] = [];
  const socket = {
    readyState: 1,
    OPEN: 1,
    bufferedAmount: 0,
    send: (text: string, done?: () => void) => {
      messages.push(JSON.parse(text) as { type: string });
      if (done) taken.push(done);
    },
    close: (_code: number, reason: string) => void closed.push(reason),
  };
  const take = (): void => taken.splice(0).forEach((done) => done());
  // Only what a peer uses of one.
  return { socket: socket as unknown as WebSocket, messages, closed, take };
}

const until = async (reached: () => boolean): Promise<void> => {
  for (let at = 0; at < 10_000 && !reached(); at++) await turn();
  expect(reached()).toBe(true);
};
const numberOf = (message: { cursor?: string } | undefined): number => Number(message?.cursor?.split('.')[1]);

test('SOCKET-12 a heartbeat says how far this peer was told, not the others', async () => {
  const { socket, messages, take } = slowSocket();
  const peer = createSocketPeer(socket, feed, null, 30_000);
  peer.begin(placeCursor(await feed.catalogId(), 0));
  // The first page is on its way, the second is not.
  await until(() => messages.length === 201);
  feed.beat();
  await until(() => messages.at(-1)?.type === 'Heartbeat');
  expect(numberOf(messages.at(-1))).toBeLessThanOrEqual(200);
  take();
  await until(() => messages.length === UPDATES + 2);
  take();
  await until(() => {
    feed.beat();
    return numberOf(messages.at(-1)) === UPDATES && messages.at(-1)?.type === 'Heartbeat';
  });
});

test('SOCKET-12 one whose updates are pruned while it catches up is dropped, to resync', async () => {
  const { socket, messages, closed, take } = slowSocket();
  createSocketPeer(socket, feed, null, 30_000).begin(placeCursor(await feed.catalogId(), 0));
  await until(() => messages.length === 201);
  await store.write((tx) => tx.deleteFrom('ingestion_updates').where('seq', '<=', 230).execute());
  take();
  await until(() => closed.length > 0);
  expect(messages).toHaveLength(201);
});
