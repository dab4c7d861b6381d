/** The first rows of a list, until somebody asks for all of them. Made in a component's script. */
export class FirstRows<Row> {
  #all = $state(false);
  readonly #rows: () => readonly Row[];
  readonly #most: number;

  /** `most`: how many there are at first. */
  constructor(rows: () => readonly Row[], most: number) {
    this.#rows = rows;
    this.#most = most;
  }

  get count(): number {
    return this.#rows().length;
  }

  get shown(): readonly Row[] {
    return this.#all ? this.#rows() : this.#rows().slice(0, this.#most);
  }

  get isCut(): boolean {
    return !this.#all && this.count > this.#most;
  }

  showAll(): void {
    this.#all = true;
  }
}
