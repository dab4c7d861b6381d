/** How a host wants to be asked: one request at a time, so far apart, and not before it said. */
import type { Clock } from '#core/ports.ts';
import type { RawAnswer } from './source.ts';

/** Whatever a host allows, requests stay so far apart; and no rule of a host makes them rarer. Milliseconds. */
const LEAST_GAP_MS = 20;
const MOST_GAP_MS = 60_000;

export interface Waiting {
  clock: Clock;
  /** Resolves after so many milliseconds, or at once where it is cancelled. */
  wait(ms: number): Promise<void>;
}

export class HostManners {
  readonly #waiting: Waiting;
  #gapMs: number;
  /** When the next request may begin. */
  #free = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(gapMs: number, waiting: Waiting) {
    this.#gapMs = gapMs;
    this.#waiting = waiting;
  }

  /** Milliseconds until it may be asked. */
  restMs(): number {
    return Math.max(0, this.#free - this.#waiting.clock.now());
  }

  /** Not before so many milliseconds have passed. */
  hold(ms: number): void {
    this.#free = Math.max(this.#free, this.#waiting.clock.now() + ms);
  }

  /** Waits for its turn and works; what it holds in it counts for whoever comes next. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let done = (): void => {};
    this.#last = new Promise<void>((resolve) => (done = resolve));
    try {
      await before;
      const rest = this.restMs();
      if (rest > 0) await this.#waiting.wait(rest);
      this.hold(this.#gapMs);
      return await work();
    } finally {
      done();
    }
  }

  /** `x-rate-limit-limit: 50`, `x-rate-limit-interval: 1s`; a proxy may say both twice (`50, 50`). */
  learn({ headers }: RawAnswer): void {
    const limit = Number(/^\s*(\d+)/.exec(headers['x-rate-limit-limit'] ?? '')?.[1]);
    const [, count, unit] = /^\s*(\d+)\s*(ms|s|m|h)?/.exec(headers['x-rate-limit-interval'] ?? '') ?? [];
    if (!(limit > 0) || count === undefined) return;
    const each = (Number(count) * (UNITS.get(unit ?? 's') ?? 1_000)) / limit;
    const gap = Math.min(MOST_GAP_MS, Math.max(LEAST_GAP_MS, each));
    // Since the request began the old gap runs; a longer one counts at once.
    if (gap > this.#gapMs) this.hold(gap);
    this.#gapMs = gap;
  }
}

const UNITS = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
