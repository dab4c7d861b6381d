import { BACKOFF_CAP_MS, gate, type Connection } from '#core/sync/connection.ts';
import type { Clock } from '#core/ports.ts';
import type { Timers } from '../../http/socket.ts';

/** Everything is checked this often, whatever the socket says. Milliseconds, as all here. */
export const POLL_MS = 30_000;
/** Nothing is ever due later than this; a time beyond it comes from a clock that was wrong (SYNC-9). */
const LONGEST_MS = BACKOFF_CAP_MS;

export type Task = 'pull' | 'mirror' | 'remote';

/** When each task of sync is due, and the one timer that wakes it. */
export class Schedule {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #wake: () => void;
  /** Milliseconds since the epoch. */
  readonly #at: Record<Task, number> = { pull: 0, mirror: 0, remote: 0 };
  #timer: unknown = null;

  constructor(clock: Clock, timers: Timers, wake: () => void) {
    this.#clock = clock;
    this.#timers = timers;
    this.#wake = wake;
  }

  isDue(task: Task): boolean {
    const wait = this.#at[task] - this.#clock.now();
    return wait <= 0 || wait > LONGEST_MS;
  }

  /** In at most so many milliseconds. */
  within(ms: number, ...tasks: Task[]): void {
    for (const task of tasks) this.#at[task] = Math.min(this.#at[task], this.#clock.now() + ms);
  }

  /** In so many milliseconds, and not before. */
  after(ms: number, task: Task): void {
    this.#at[task] = this.#clock.now() + ms;
  }

  /** Exactly one timer, and never none while running: at the latest the next poll looks at everything again. */
  arm(connection: Connection, outboxAt: number | null): void {
    const now = this.#clock.now();
    const next = [now + POLL_MS, connection.next_try_at ?? Infinity];
    if (gate(connection, now) === 'open') next.push(...Object.values(this.#at), outboxAt ?? Infinity);
    this.armIn(Math.max(0, Math.min(...next) - now));
  }

  armIn(ms: number): void {
    this.disarm();
    this.#timer = this.#timers.set(this.#wake, ms);
  }

  disarm(): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = null;
  }
}
