import type { Timers } from '../http/socket.ts';
import type { Told } from './told.ts';

/** Each telling is a repaint of the page that listens. */
const EVERY_MS = 1000;

/**
 * What the workers say of progress, told together once a second: the last word on each file and drop. What comes after
 * a silence is told at once.
 */
export class Gathered {
  readonly #tell: (told: Told) => void;
  readonly #timers: Timers;
  #shares = new Map<string, number>();
  readonly #reading = new Map<string, Told & { type: 'reading' }>();
  #timer: unknown = null;

  constructor(tell: (told: Told) => void, timers: Timers) {
    this.#tell = tell;
    this.#timers = timers;
  }

  take(told: Told): void {
    if (told.type === 'reading') this.#reading.set(told.batch_id, told);
    else for (const [id, share] of told.shares) this.#shares.set(id, share);
    if (this.#timer === null) this.#flush();
  }

  /** Tells nothing more. */
  stop(): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = null;
    this.#shares.clear();
    this.#reading.clear();
  }

  #flush(): void {
    this.#timer = null;
    if (this.#shares.size === 0 && this.#reading.size === 0) return;
    this.#timer = this.#timers.set(() => this.#flush(), EVERY_MS);
    const shares = this.#shares;
    this.#shares = new Map();
    if (shares.size > 0) this.#tell({ type: 'converting', shares });
    for (const told of this.#reading.values()) this.#tell(told);
    this.#reading.clear();
  }
}
