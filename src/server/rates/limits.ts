/**
 * How often one address or one person may do what costs. The counters are in the database, so that they hold across
 * processes; a process takes permits in blocks, so that not every request writes there.
 */
import { HttpError } from '../http/http-error.ts';
import type { Tx } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

export interface LimitOptions {
  name: string;
  /** Permits within a window. */
  most: number;
  windowMs: number;
  /** Permits that a process takes at once. */
  block: number;
  /** What the person reads. */
  sentence: string;
}

interface Held {
  window: number;
  left: number;
}

/** Windows after which a counter is of no interest to any process, whatever its clock says within reason. */
const KEPT_WINDOWS = 10;
/** Names whose permits a process remembers; more than that and it begins again. */
const MOST_NAMES = 10_000;

export type Limit = ReturnType<typeof createLimit>;

export function createLimit(store: Store, options: LimitOptions) {
  const { name, windowMs, most, block } = options;
  const permits = new Map<string, Held>();
  /** The window in which old counters were removed last. */
  let forgot = -1;

  /** Milliseconds until there are permits again, without taking one, as far as this process knows; 0: now. */
  function waitFor(who: string, now: number): number {
    const held = permits.get(who);
    const window = Math.floor(now / windowMs);
    return held?.window === window && held.left < 0 ? (window + 1) * windowMs - now : 0;
  }

  /** Takes a permit. 0, or milliseconds until there are permits again. */
  async function take(who: string, now: number): Promise<number> {
    const window = Math.floor(now / windowMs);
    let held = permits.get(who);
    if (held === undefined || held.window !== window) {
      if (permits.size >= MOST_NAMES) permits.clear();
      held = { window, left: 0 };
      permits.set(who, held);
    }
    if (held.left === 0) {
      const before = (await use(who, window * windowMs, block)) - block;
      const got = Math.min(block, most - before);
      held.left = got > 0 ? held.left + got : -1;
    }
    if (held.left < 0) return waitFor(who, now);
    held.left -= 1;
    return 0;
  }

  async function use(who: string, begun_at: number, used: number): Promise<number> {
    const row = { name: `${name} ${who}`, begun_at, used };
    const after = await store.write(async (tx) => {
      await forgetOld(tx, begun_at);
      return tx
        .insertInto('rate_counters')
        .values(row)
        .onConflict((c) =>
          c.column('name').doUpdateSet((eb) => ({
            begun_at,
            used: eb
              .case()
              .when('rate_counters.begun_at', '=', begun_at)
              .then(eb('rate_counters.used', '+', used))
              .else(used)
              .end(),
          })),
        )
        .returning('used')
        .executeTakeFirstOrThrow();
    });
    return Number(after.used);
  }

  /** Once a window: counters that nothing is measured by any more, and those of a clock that was ahead. */
  async function forgetOld(tx: Tx, begun_at: number): Promise<void> {
    if (forgot === begun_at) return;
    forgot = begun_at;
    const far = KEPT_WINDOWS * windowMs;
    await tx
      .deleteFrom('rate_counters')
      .where('name', '>', `${name} `)
      .where('name', '<', `${name}!`)
      .where((eb) => eb.or([eb('begun_at', '<', begun_at - far), eb('begun_at', '>', begun_at + far)]))
      .execute();
  }

  return { options, waitFor, take };
}

export interface Limits {
  /** Credentials that were refused, by address. */
  refused: Limit;
  /** Invitations that were tried, by address. */
  invites: Limit;
  /** Requests that change something, by person. */
  writes: Limit;
}

const MINUTE = 60_000;

export function createLimits(store: Store): Limits {
  const limit = (name: string, most: number, block: number, sentence: string): Limit =>
    createLimit(store, { name, most, windowMs: MINUTE, block, sentence });
  return {
    refused: limit('refused', 300, 10, 'Too many requests without a valid token came from this address.'),
    invites: limit('invites', 20, 1, 'Too many invitations were tried from this address.'),
    writes: limit('writes', 30_000, 100, 'You have changed as much as one person may within a minute.'),
  };
}

/** Takes a permit, or throws HttpError 429 with when to come again. */
export async function refuseOver(limit: Limit, who: string, now: number): Promise<void> {
  const waitMs = await limit.take(who, now);
  if (waitMs === 0) return;
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) };
  throw new HttpError('rate_limited', limit.options.sentence, { headers });
}
