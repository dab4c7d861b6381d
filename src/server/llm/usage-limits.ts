/**
 * What one user may ask of the model: requests a minute and tokens a day (UTC), both counted in the database: a
 * restart does not refill them, and they hold across processes. A call is let in while the tokens spent, and those
 * that calls under way in this process may still spend, are below the limit: it is passed by one call a process at most.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '#core/ports.ts';
import type { Store } from '../store/store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Days of which the counts are kept. */
const KEEP_DAYS = 31;

export interface Limits {
  requests_per_minute: number;
  tokens_per_day: number;
}

export type Admission =
  { ok: true; settle: (tokens: number) => Promise<void> } | { ok: false; limit: keyof Limits; retryAfterMs: number };

/** What lets a call in. @param reserve tokens that it may take; `settle` replaces them with what it took, and is called once */
export function usageLimits(limits: Limits, clock: Clock, store: Store) {
  /** Tokens that the calls under way may take, by user. */
  const open = new Map<string, number>();

  /** Notes a request. 0, or, when it is one too many, milliseconds until the first of the minute is a minute old. */
  const begin = (user: string, now: number): Promise<number> =>
    store.write(async (tx) => {
      await tx
        .deleteFrom('model_requests')
        .where('at', '<=', now - MINUTE_MS)
        .execute();
      const query = tx.selectFrom('model_requests').select('at').where('user_id', '=', user);
      // The newest that are as many as there may be: with the oldest of them over, there is room for one more.
      const oldest = await query
        .orderBy('at', 'desc')
        .limit(1)
        .offset(limits.requests_per_minute - 1)
        .executeTakeFirst();
      if (oldest) return Number(oldest.at) + MINUTE_MS - now;
      await tx.insertInto('model_requests').values({ id: randomUUID(), user_id: user, at: now }).execute();
      return 0;
    });

  async function spent(user: string, day: number): Promise<number> {
    const rows = store.db.selectFrom('model_usage').select('tokens').where('user_id', '=', user);
    const row = await rows.where('day', '=', day).executeTakeFirst();
    return Number(row?.tokens ?? 0);
  }

  const spend = (user: string, tokens: number): Promise<void> =>
    store.write(async (tx) => {
      const day = dayOf(clock.now());
      await tx
        .deleteFrom('model_usage')
        .where('day', '<', day - KEEP_DAYS)
        .execute();
      await tx
        .insertInto('model_usage')
        .values({ user_id: user, day, tokens, requests: 1 })
        .onConflict((c) =>
          c.columns(['user_id', 'day']).doUpdateSet((eb) => ({
            tokens: eb('model_usage.tokens', '+', tokens),
            requests: eb('model_usage.requests', '+', 1),
          })),
        )
        .execute();
    });

  function release(user: string, reserve: number): void {
    const rest = (open.get(user) ?? 0) - reserve;
    if (rest > 0) open.set(user, rest);
    else open.delete(user);
  }

  return async (user: string, reserve: number): Promise<Admission> => {
    const now = clock.now();
    const wait = await begin(user, now);
    if (wait > 0) return { ok: false, limit: 'requests_per_minute', retryAfterMs: wait };
    const others = open.get(user) ?? 0;
    // Taken before the question to the database: two calls at once see each other.
    open.set(user, others + reserve);
    let admitted = false;
    try {
      admitted = (await spent(user, dayOf(now))) + others < limits.tokens_per_day;
    } finally {
      if (!admitted) release(user, reserve);
    }
    if (!admitted) return { ok: false, limit: 'tokens_per_day', retryAfterMs: DAY_MS - (now % DAY_MS) };
    return { ok: true, settle: (tokens) => spend(user, tokens).finally(() => release(user, reserve)) };
  };
}

/** Days since the epoch, UTC. */
function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}
