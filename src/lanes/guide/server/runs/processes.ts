/**
 * Which processes drive runs. One that does says so every `BEAT_MS`, and only while it does; one that was silent for
 * `GONE_MS` is gone, and its runs get their end from whoever looks next.
 *
 *   no run --begins--> beating --its last run ended--> no run
 *                         `--killed--> silent --GONE_MS, or a start on a data directory of its own--> gone
 */
import type { Clock } from '#core/ports.ts';
import { upsert } from '#server/store/rows.ts';
import type { Store } from '#server/store/store.ts';

export const BEAT_MS = 15_000;
export const GONE_MS = 60_000;

/** A server's process. A data directory with SQLite has one at a time. */
export const serverOwner = (id: string): string => `server ${id}`;
/** A command of the terminal beside it. */
export const commandOwner = (id: string): string => `command ${id}`;

type Using = { store: Pick<Store, 'db' | 'write' | 'shared'>; clock: Clock };

export async function beat({ store, clock }: Using, owner: string): Promise<void> {
  await store.write((tx) => upsert(tx, 'guide_processes', [{ owner, beat_at: clock.now() }], { key: ['owner'] }));
}

/** This process drives nothing any more. */
export async function endBeats({ store }: Using, owner: string): Promise<void> {
  await store.write((tx) => tx.deleteFrom('guide_processes').where('owner', '=', owner).execute());
}

/**
 * Whether a process is gone, as it is known now.
 * @param self is not
 * @param starts this one has just begun: on a store that no other server shares, every other server is gone
 */
export async function whoIsGone(
  { store, clock }: Using,
  self: string,
  starts: boolean,
): Promise<(owner: string) => boolean> {
  const now = clock.now();
  const rows = await store.db.selectFrom('guide_processes').selectAll().execute();
  // Both ways: a clock that was set back keeps nobody alive for longer.
  const alive = new Set(
    rows.filter(({ beat_at }) => Math.abs(now - Number(beat_at)) < GONE_MS).map(({ owner }) => owner),
  );
  const alone = starts && !store.shared;
  return (owner) => owner !== self && (!alive.has(owner) || (alone && owner.startsWith('server ')));
}
