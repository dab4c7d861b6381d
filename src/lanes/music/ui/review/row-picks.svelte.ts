/** What a person said about single rows of open questions, before they answer; gone with the page. */
import type { RowPick, RowPicks } from './row-words.ts';

class Picks {
  #all = $state.raw<Readonly<Record<string, RowPicks>>>({});

  of(reviewId: string): RowPicks {
    return this.#all[reviewId] ?? {};
  }

  /** Null: the row is as the others again. */
  set(reviewId: string, job: string, pick: RowPick | null): void {
    const { [job]: _before, ...rest } = this.of(reviewId);
    this.#all = { ...this.#all, [reviewId]: pick === null ? rest : { ...rest, [job]: pick } };
  }
}

export const rowPicks = new Picks();
