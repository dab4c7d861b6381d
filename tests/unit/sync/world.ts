import 'fake-indexeddb/auto';
import type { Timers } from '#adapters/http/socket.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import type { Clock } from '#core/ports.ts';
import { openDatabase } from '#lanes/database.ts';
import { prepareOutboxItems } from '#core/sync/outbox.ts';

// As the pipeline's runner does before it works.
await prepareOutboxItems();

/** A clock and its timers: time passes only when the test says so, and every timer that is due then runs. */
export function turnedTime(
  start = 1_000_000,
): Clock & Timers & { pass(ms: number): void; jump(ms: number): void; readonly armed: number[] } {
  let now = start;
  let next = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  return {
    now: () => now,
    set(run, ms) {
      next += 1;
      timers.set(next, { at: now + ms, run });
      return next;
    },
    clear(handle) {
      if (typeof handle === 'number') timers.delete(handle);
    },
    pass(ms) {
      now += ms;
      for (const [id, timer] of [...timers]) {
        if (timer.at > now || !timers.delete(id)) continue;
        timer.run();
      }
    },
    /** The wall clock is set; timers, which count seconds, do not care. */
    jump(ms) {
      now += ms;
      for (const timer of timers.values()) timer.at += ms;
    },
    get armed() {
      return [...timers.values()].map((timer) => timer.at - now);
    },
  };
}

export function openDb(): AccessionDb {
  return openDatabase(`test-${crypto.randomUUID()}`);
}

/** The whole replica, as of one moment. */
export async function loadSnapshot(db: AccessionDb) {
  return db.transaction('r', [db.artists, db.albums, db.tracks, db.requests, db.meta], async () => {
    const [state, artists, albums, tracks, requests] = await Promise.all([
      readReplicaState(db),
      db.artists.toArray(),
      db.albums.toArray(),
      db.tracks.toArray(),
      db.requests.toArray(),
    ]);
    return { version: state.version, artists, albums, tracks, requests };
  });
}
