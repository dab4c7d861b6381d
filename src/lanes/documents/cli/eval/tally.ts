/** Shares by name, as they are counted. */
export class Tally {
  readonly #all = new Map<string, { right: number; all: number }>();

  count(name: string, right: boolean): void {
    const { right: before, all } = this.#all.get(name) ?? { right: 0, all: 0 };
    this.#all.set(name, { right: before + Number(right), all: all + 1 });
  }

  /** Each share, and under `<name>.n` of how many. */
  figures(): Record<string, number> {
    return Object.fromEntries(
      [...this.#all].flatMap(([name, { right, all }]) => [
        [name, right / all],
        [`${name}.n`, all],
      ]),
    );
  }
}

export const low = (text: string | null | undefined): string => (text ?? '').toLowerCase();

/** An arXiv number without its version. */
export const work = (arxiv: string | null | undefined): string => low(arxiv).replace(/v\d+$/, '');

export const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((one) => b.includes(one));
