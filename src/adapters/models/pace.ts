import type { Clock } from '#core/ports.ts';
import type { DownloadProgress } from '../browser/api.ts';

/** Milliseconds that the speed looks back. */
const WINDOW_MS = 5000;
/** Milliseconds between two reports. */
const EVERY_MS = 200;

/** Counts bytes and says how far it is, how fast, and how long it will take. */
export class Pace {
  readonly #clock: Clock;
  readonly #total: number;
  readonly #report: (progress: DownloadProgress) => void;
  readonly #seen: { at: number; bytes: number }[] = [];
  #bytes: number;
  #last = Number.NEGATIVE_INFINITY;
  part = '';

  constructor(clock: Clock, have: number, total: number, report: (progress: DownloadProgress) => void) {
    this.#clock = clock;
    this.#bytes = have;
    this.#total = total;
    this.#report = report;
    this.#seen.push({ at: clock.now(), bytes: have });
  }

  /** Negative: what had come of a part is not kept. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#clock.now() - this.#last >= EVERY_MS) this.say();
  }

  say(): void {
    const now = this.#clock.now();
    this.#last = now;
    this.#seen.push({ at: now, bytes: this.#bytes });
    while (this.#seen.length > 2 && now - (this.#seen[0]?.at ?? now) > WINDOW_MS) this.#seen.shift();
    const first = this.#seen[0] ?? { at: now, bytes: this.#bytes };
    const speed = now > first.at ? Math.max(0, ((this.#bytes - first.bytes) * 1000) / (now - first.at)) : 0;
    const left = Math.max(0, this.#total - this.#bytes);
    this.#report({
      bytes: this.#bytes,
      total: Math.max(this.#total, this.#bytes),
      seconds_left: speed > 0 ? left / speed : null,
      bytes_per_second: speed,
      part: this.part,
    });
  }
}
