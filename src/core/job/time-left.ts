/**
 * How long work will take, from how fast it went lately. Says nothing rather than nonsense: not before it has seen
 * enough of it, and not where it does not move. What it says glides: it runs down with the clock and is drawn towards
 * what the speed of late says, so that one slow file does not throw it about.
 */

/** Work of one kind, in one unit: milliseconds of sound, or bytes. */
export interface Amount {
  done: number;
  total: number;
}

/** Work seen, in milliseconds, before anything is said. */
const SHORTEST_MS = 6000;
/** Of what is remembered, how fast it fades: after this long a speed counts a third. */
const MEMORY_MS = 30_000;
/** How fast what is said follows what is computed. */
const GLIDE_MS = 8000;
/** Between two looks at most; more, and the machine slept or the page was hidden. */
const LONGEST_STEP_MS = 10_000;
/** Without progress for so long, nobody knows. */
const STILL_MS = 45_000;

export class TimeLeft {
  /** Faded sums: work done and the time that it took. */
  #work = 0;
  #time = 0;
  /** Not faded: how long was watched. */
  #watched = 0;
  #still = 0;
  #last: { done: number; total: number; at: number } | null = null;
  #said: number | null = null;

  /**
   * Milliseconds left, or null while nobody can say. `now`: milliseconds of a steady clock. Time that is `paused` counts
   * as none. `amount` is null while it is not known how far the work is: the next one is where it is watched from.
   */
  look(amount: Amount | null, now: number, paused = false): number | null {
    const last = this.#last;
    this.#last = amount && { ...amount, at: now };
    if (last === null || amount === null) return paused ? null : this.#said;
    const { done, total } = amount;
    const step = now - last.at;
    const more = done - last.done;
    const left = Math.max(0, total - done);
    if (left === 0) return this.#forget();
    // A file that began again, a clock that jumped: of that stretch nothing is known.
    if (paused || step < 0 || step > LONGEST_STEP_MS || more < 0) return paused ? null : this.#said;
    // The clock starts with the first progress: loading the codecs says nothing about their speed.
    if (this.#work === 0 && more === 0) return null;
    const fade = Math.exp(-step / MEMORY_MS);
    this.#work = this.#work * fade + more;
    this.#time = this.#time * fade + step;
    this.#watched += step;
    this.#still = more > 0 ? 0 : this.#still + step;
    if (this.#still > STILL_MS) this.#said = null;
    if (this.#still > STILL_MS || this.#watched < SHORTEST_MS) return null;
    const computed = (left * this.#time) / this.#work;
    this.#said = this.#glide(computed, step, total !== last.total);
    return this.#said;
  }

  #glide(computed: number, step: number, otherWork: boolean): number {
    if (this.#said === null || otherWork) return computed;
    const ranDown = Math.max(0, this.#said - step);
    return ranDown + (computed - ranDown) * (1 - Math.exp(-step / GLIDE_MS));
  }

  #forget(): null {
    this.#work = this.#time = this.#watched = this.#still = 0;
    this.#said = null;
    return null;
  }
}
