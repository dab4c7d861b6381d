/**
 * The best `most` of what is shown to it, best first, without keeping the rest. `before(a, b)`: a stands before b. Of
 * equals the one that came first stays first.
 */
export class Best<T> {
  readonly #most: number;
  readonly #before: (a: T, b: T) => boolean;
  readonly #kept: T[] = [];

  constructor(most: number, before: (a: T, b: T) => boolean) {
    this.#most = most;
    this.#before = before;
  }

  /** The last that is kept, once there are so many; what does not stand before it need not be shown. */
  get last(): T | undefined {
    return this.#kept.length < this.#most ? undefined : this.#kept[this.#most - 1];
  }

  show(item: T): void {
    const { last } = this;
    if (this.#most <= 0 || (last !== undefined && !this.#before(item, last))) return;
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#before(item, this.#kept[middle] as T)) high = middle;
      else low = middle + 1;
    }
    this.#kept.splice(low, 0, item);
    if (this.#kept.length > this.#most) this.#kept.pop();
  }

  get all(): readonly T[] {
    return this.#kept;
  }
}
