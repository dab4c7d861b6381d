/** What a person said about single rows of open questions, before they answer; gone with the page. */
import type { RowPick, RowPicks } from './row-words.ts';

class Picks {
  #all = $state.raw<Readonly<Record<string, RowPicks>>>({});

  of(reviewId: string): RowPicks {
    return this.#all[reviewId] ?? {};
  }

  /** Null: the row is as the others again. */
  set(reviewId: string, job: string, pick: RowPick | null): void {
    this.setAll(reviewId, new Map([[job, pick]]));
  }

  setAll(reviewId: string, said: ReadonlyMap<string, RowPick | null>): void {
    const others = Object.entries(this.of(reviewId)).filter(([job]) => !said.has(job));
    const now = [...said].flatMap(([job, pick]) => (pick === null ? [] : [[job, pick] as const]));
    this.#all = { ...this.#all, [reviewId]: Object.fromEntries([...others, ...now]) };
  }
}

export const rowPicks = new Picks();
