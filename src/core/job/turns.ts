/**
 * Whose turn it is when several drops want the same few workers. The batch that has waited longest for a turn comes
 * first, within it the album, within that the oldest file: a single song dropped behind a thousand files is the second
 * to be begun, not the thousand and first.
 */
export interface Waiting {
  id: string;
  batch_id: string;
  /** Album; null while it is not known: the batch counts as one. */
  group_id: string | null;
  created_at: number;
  path: string;
}

/** Remembers who had a turn, for as long as it lives; nothing of it has to be kept. */
export class Turns {
  /** By batch and by album: the number of their latest turn, counted from 1. */
  readonly #latest = new Map<string, number>();
  #count = 0;

  /** The next one; null when nobody waits. Asking takes no turn. */
  next<T extends Waiting>(waiting: readonly T[]): T | null {
    let best: T | null = null;
    for (const one of waiting) if (best === null || this.#compare(one, best) < 0) best = one;
    return best;
  }

  /** It was begun. */
  took(one: Waiting): void {
    this.#count += 1;
    this.#latest.set(one.batch_id, this.#count);
    this.#latest.set(albumOf(one), this.#count);
  }

  #compare(a: Waiting, b: Waiting): number {
    const latest = (key: string): number => this.#latest.get(key) ?? 0;
    return (
      latest(a.batch_id) - latest(b.batch_id) ||
      latest(albumOf(a)) - latest(albumOf(b)) ||
      a.created_at - b.created_at ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
    );
  }
}

/** An album's key is none that a batch could have. */
function albumOf({ batch_id, group_id }: Waiting): string {
  return `${batch_id} ${group_id ?? ''}`;
}
