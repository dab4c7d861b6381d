import { AccessionError, failure } from '#core/errors.ts';
import type { Cancel, Clock } from '#core/ports.ts';
import type { Gate } from './gate.ts';
import type { Incoming } from './incoming.ts';

/** Milliseconds between two words to the pages. */
const EVERY_MS = 400;

/** Bytes of a drop on their way in: the dropped files, and what comes out of the archives among them. */
export class Reading {
  readonly #deps: { clock: Clock; gate?: Gate; tell?: (done: number, total: number) => void };
  #done = 0;
  #total = 0;
  #told = 0;

  constructor(deps: { clock: Clock; gate?: Gate; tell?: (done: number, total: number) => void }) {
    this.#deps = deps;
  }

  /** So many bytes more are known to come. */
  expect(bytes: number): void {
    this.#total += bytes;
    this.#tell();
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
      this.#tell();
    }
  }

  /** A file of this size is a row; what was not read of it is done, too. `before` is what `done` was when it began. */
  ended(size: number, before: number): void {
    this.#done = before + size;
    this.#tell();
  }

  get done(): number {
    return this.#done;
  }

  /** Waits while work is paused. Throws AccessionError `cancelled` when no more is wanted. */
  async goOn(cancel: Cancel): Promise<void> {
    while (this.#deps.gate?.closed === true) await this.#deps.gate.opens();
    if (cancel.aborted) throw new AccessionError(failure('cancelled', 'cancelled'));
  }

  #tell(): void {
    const now = this.#deps.clock.now();
    if (now - this.#told < EVERY_MS) return;
    this.#told = now;
    this.#deps.tell?.(this.#done, this.#total);
  }
}
