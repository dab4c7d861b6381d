import { createSubscriber, SvelteMap } from 'svelte/reactivity';
import { TimeLeft, type Amount } from '#core/job/time-left.ts';
import { hearProgress } from '../client/db.ts';

const TICK_MS = 1000;
/** More than are ever in hand at once: what was reported of earlier ones is forgotten, the oldest first. */
const MOST_SHARES = 64;

/** What the workers tell of the files in hand, and how long work will take by what was seen of it. */
class WorkInHand {
  readonly #shares = new SvelteMap<string, number>();
  readonly #reading = new SvelteMap<string, Amount>();
  readonly #clocks = new Map<string, TimeLeft>();
  #since = Infinity;
  /** Received while anybody shows it, and checked once a second: where nothing comes, that says something too. */
  readonly #subscribe = createSubscriber((update) => {
    this.#since = Date.now();
    const timer = setInterval(update, TICK_MS);
    const stop = hearProgress((told) => {
      if (told.type === 'reading') this.#reading.set(told.batch_id, { done: told.done, total: told.total });
      else for (const [id, share] of told.shares) this.#heard(id, share);
    });
    return () => {
      clearInterval(timer);
      stop();
      this.#since = Infinity;
      this.#shares.clear();
      this.#reading.clear();
      this.#clocks.clear();
    };
  });

  /** When listening began: milliseconds since the epoch. */
  get since(): number {
    this.#subscribe();
    return this.#since;
  }

  /** How far a file's conversion is, 0..1; undefined before its worker said. */
  readonly shareOf = (jobId: string): number | undefined => {
    this.#subscribe();
    return this.#shares.get(jobId);
  };

  /** Bytes of a drop that are read in; undefined before its worker said. */
  readingOf(batchId: string): Amount | undefined {
    this.#subscribe();
    return this.#reading.get(batchId);
  }

  #heard(id: string, share: number): void {
    if (!this.#shares.has(id) && this.#shares.size >= MOST_SHARES)
      for (const oldest of this.#shares.keys()) {
        this.#shares.delete(oldest);
        break;
      }
    this.#shares.set(id, share);
  }

  /** Milliseconds left of the work that is known by this key (null: how far it is, is not known); null: nobody can say. */
  left(key: string, amount: Amount | null, paused: boolean): number | null {
    this.#subscribe();
    const clock = this.#clocks.get(key) ?? new TimeLeft();
    this.#clocks.set(key, clock);
    return clock.look(amount, performance.now(), paused);
  }
}

export const workInHand = new WorkInHand();
