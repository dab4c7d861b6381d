/** A clock that stands still until it is moved. What waits for an instant goes on in the order of the runs that wait. */
interface Waiting {
  at: number;
  order: number;
  seq: number;
  go: () => void;
}

export class Timeline {
  #now = 0;
  #seq = 0;
  #waiting: Waiting[] = [];

  now = (): number => this.#now;

  /** Until so many milliseconds are over; of two at one instant the lower order goes on first. */
  wait(milliseconds: number, order: number): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push({ at: this.#now + milliseconds, order, seq: this.#seq++, go });
    });
  }

  /** Everything that waits never goes on: its process died. */
  dropAll(): void {
    this.#waiting = [];
  }

  /** Sets the clock, forward or back. What waits keeps its distance. */
  jump(to: number): void {
    const by = to - this.#now;
    this.#now = to;
    for (const waiting of this.#waiting) waiting.at += by;
  }

  /** Lets all go on that waits for an instant before `end` (or at it), and moves the clock there. */
  async runUntil(end: number, included: boolean): Promise<void> {
    for (;;) {
      const due = this.#waiting.filter(({ at }) => at < end || (included && at === end));
      const next = due.toSorted((a, b) => a.at - b.at || a.order - b.order || a.seq - b.seq)[0];
      if (!next) break;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.go();
      await settled();
    }
    if (Number.isFinite(end)) this.#now = Math.max(this.#now, end);
  }
}

/** When everything that can go on without the clock has done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
