/** Counts refused credentials an address, so that guessing does not go on unbounded. */
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

export class FailedAttempts {
  readonly #most: number;
  readonly #seen = new Map<string, { since: number; count: number }>();

  /** @param most refusals an address may have within a minute */
  constructor(most = 300) {
    this.#most = most;
  }

  /** Milliseconds until this address may try again; 0 when it may now. */
  waitFor(address: string, now: number): number {
    const seen = this.#seen.get(address);
    if (!seen || now - seen.since >= WINDOW_MS || seen.count < this.#most) return 0;
    return seen.since + WINDOW_MS - now;
  }

  add(address: string, now: number): void {
    const seen = this.#seen.get(address);
    if (seen && now - seen.since < WINDOW_MS) {
      seen.count += 1;
      return;
    }
    if (this.#seen.size >= MOST_ADDRESSES) this.#seen.clear();
    this.#seen.set(address, { since: now, count: 1 });
  }
}
