/**
 * What one user may ask of the model: requests a minute (in memory) and tokens a day (UTC, in the database: a
 * restart does not refill it). A call is let in while the tokens spent, and those that calls under way may still
 * spend, are below the limit: it is passed by one call at most.
 */
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

export class UsageLimits {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #store: Store;
  /** When each user asked within the last minute, oldest first. */
  readonly #asked = new Map<string, number[]>();
  /** Tokens that the calls under way may take, by user. */
  readonly #open = new Map<string, number>();

  constructor(limits: Limits, clock: Clock, store: Store) {
    this.#limits = limits;
    this.#clock = clock;
    this.#store = store;
  }

  /** @param reserve tokens that the call may take; `settle` replaces them with what it took, and is called once */
  async admit(user: string, reserve: number): Promise<Admission> {
    const wait = this.#waitOfMinute(user);
    if (wait > 0) return { ok: false, limit: 'requests_per_minute', retryAfterMs: wait };
    const now = this.#clock.now();
    const open = this.#open.get(user) ?? 0;
    // Taken before the question to the database: two calls at once see each other.
    this.#open.set(user, open + reserve);
    this.#asked.set(user, [...(this.#asked.get(user) ?? []), now]);
    let spent: number;
    try {
      spent = await this.#spent(user, dayOf(now));
    } catch (error) {
      this.#release(user, reserve);
      throw error;
    }
    if (spent + open >= this.#limits.tokens_per_day) {
      this.#release(user, reserve);
      return { ok: false, limit: 'tokens_per_day', retryAfterMs: DAY_MS - (now % DAY_MS) };
    }
    return {
      ok: true,
      settle: async (tokens) => {
        try {
          await this.#spend(user, tokens);
        } finally {
          this.#release(user, reserve);
        }
      },
    };
  }

  #waitOfMinute(user: string): number {
    const now = this.#clock.now();
    for (const [who, times] of this.#asked) {
      const recent = times.filter((time) => now - time < MINUTE_MS);
      if (recent.length === 0) this.#asked.delete(who);
      else this.#asked.set(who, recent);
    }
    const times = this.#asked.get(user) ?? [];
    const oldest = times[times.length - this.#limits.requests_per_minute];
    return oldest === undefined ? 0 : oldest + MINUTE_MS - now;
  }

  async #spent(user: string, day: number): Promise<number> {
    const row = await this.#store.db
      .selectFrom('model_usage')
      .select('tokens')
      .where('user_id', '=', user)
      .where('day', '=', day)
      .executeTakeFirst();
    return Number(row?.tokens ?? 0);
  }

  async #spend(user: string, tokens: number): Promise<void> {
    const day = dayOf(this.#clock.now());
    await this.#store.write(async (tx) => {
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
  }

  #release(user: string, reserve: number): void {
    const rest = (this.#open.get(user) ?? 0) - reserve;
    if (rest > 0) this.#open.set(user, rest);
    else this.#open.delete(user);
  }
}

/** Days since the epoch, UTC. */
function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}
