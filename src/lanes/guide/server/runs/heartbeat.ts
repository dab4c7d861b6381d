/** What one process says of itself while it drives runs (processes.ts). */
import { beat, BEAT_MS, endBeats } from './processes.ts';

export class Heartbeat {
  readonly #deps: Parameters<typeof beat>[0];
  readonly #owner: string;
  readonly #spare: (work: () => Promise<void>) => void;
  /** Runs of this process that are under way. */
  #count = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param spare does what nobody waits for */
  constructor(deps: Parameters<typeof beat>[0], owner: string, spare: (work: () => Promise<void>) => void) {
    this.#deps = deps;
    this.#owner = owner;
    this.#spare = spare;
  }

  /** Said before a run is written down: it has a process that is known. */
  beat(): Promise<void> {
    return beat(this.#deps, this.#owner);
  }

  /** Beats until the run is over. */
  async during(ended: Promise<void>): Promise<void> {
    this.#timer ??= setInterval(() => this.#spare(() => this.beat()), BEAT_MS).unref();
    this.#count += 1;
    try {
      await ended;
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.stop();
      await this.endIfIdle();
    }
  }

  /** This process drives nothing any more. */
  async endIfIdle(): Promise<void> {
    if (this.#count === 0) await endBeats(this.#deps, this.#owner);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
