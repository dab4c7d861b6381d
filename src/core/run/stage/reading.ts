import { failed } from '../../errors.ts';
import type { Cancel, Clock } from '../../ports.ts';
import type { Gate, Incoming } from './ports.ts';

/** Milliseconds between two reports. */
const EVERY_MS = 400;

/** Bytes of a drop on their way in: the dropped files, and what comes out of the archives among them. */
export class Reading {
  readonly #deps: { clock: Clock; gate?: Gate; report?: (done: number, total: number) => void };
  #done = 0;
  #total = 0;
  #reportedAt = 0;

  constructor(deps: { clock: Clock; gate?: Gate; report?: (done: number, total: number) => void }) {
    this.#deps = deps;
  }

  /** So many bytes more are known to come. */
  expect(bytes: number): void {
    this.#total += bytes;
    this.#report();
  }

  /** A file's content as it is read; while work is paused no more of it comes. */
  async *through(incoming: Incoming, cancel: Cancel): AsyncGenerator<Uint8Array> {
    let read = 0;
    for await (const chunk of incoming.chunks()) {
      await this.goOn(cancel);
      yield chunk;
      // What an archive declares may be a lie: more than that is not counted.
      const more = Math.min(chunk.length, incoming.size - read);
      read += more;
      this.#done += more;
      this.#report();
    }
  }

  /** A file of this size is a row; what was not read of it is done, too. `before` is what `done` was when it began. */
  ended(size: number, before: number): void {
    this.#done = before + size;
    this.#report();
  }

  get done(): number {
    return this.#done;
  }

  /** Waits while work is paused. Throws AccessionError `cancelled` when no more is wanted. */
  async goOn(cancel: Cancel): Promise<void> {
    while (this.#deps.gate?.closed === true) await this.#deps.gate.opens();
    if (cancel.aborted) throw failed('cancelled', 'cancelled');
  }

  #report(): void {
    const now = this.#deps.clock.now();
    if (now - this.#reportedAt < EVERY_MS) return;
    this.#reportedAt = now;
    this.#deps.report?.(this.#done, this.#total);
  }
}
