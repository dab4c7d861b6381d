import type { Timers } from './http/socket.ts';

/** Looks of one wait: after a computer has slept all of its timers run late at once, and one look says nothing. */
const LOOKS = 4;

/**
 * Waits for what works elsewhere and tells of itself now and then (a worker, a decoder of the browser): as long as signs
 * come it may take its time; without one for `ms` milliseconds it is given up.
 */
export class Signs {
  readonly #timers: Timers;
  readonly #lookMs: number;
  #count = 0;

  constructor(timers: Timers, ms: number) {
    this.#timers = timers;
    this.#lookMs = ms / LOOKS;
  }

  /** It lives. */
  give(): void {
    this.#count += 1;
  }

  /** What the work answers, or what `silent` makes of it where no sign came for too long. */
  async orSilent<T>(work: Promise<T>, silent: () => T | Promise<T>): Promise<T> {
    let timer: unknown;
    const gaveUp = new Promise<'silent'>((resolve) => {
      let [seen, looks] = [this.#count, 0];
      const look = (): void => {
        looks = this.#count === seen ? looks + 1 : 0;
        seen = this.#count;
        if (looks === LOOKS) resolve('silent');
        else timer = this.#timers.set(look, this.#lookMs);
      };
      timer = this.#timers.set(look, this.#lookMs);
    });
    try {
      const first = await Promise.race([work.then((answer) => ({ answer })), gaveUp]);
      return first === 'silent' ? await silent() : first.answer;
    } finally {
      this.#timers.clear(timer);
    }
  }
}
