/** A pause in typing after which the words are looked up. Milliseconds. */
const TYPING_MS = 120;

/** What is found for words that are being typed: of the words typed last alone, whatever order the answers come in. */
export class TypedSearch<Hits> {
  query = $state('');
  #answer = $state.raw<{ query: string; hits: Hits } | null>(null);
  readonly #lookUp: (wanted: string) => Promise<Hits | null>;

  readonly searching: boolean = $derived(this.query.trim() !== '');
  /** Of the last words that were looked up; null before, and where nothing is searched for. */
  readonly hits: Hits | null = $derived(this.searching ? (this.#answer?.hits ?? null) : null);
  /** False until the words typed last were looked up. */
  readonly settled: boolean = $derived(!this.searching || this.#answer?.query === this.query.trim());

  /** `lookUp` answers null where it could not be asked: what was found before stays. */
  constructor(lookUp: (wanted: string) => Promise<Hits | null>) {
    this.#lookUp = lookUp;
  }

  /** Looks the words up after a pause in typing; answers how to stop. Call it from an effect. */
  begin(): (() => void) | undefined {
    const wanted = this.query.trim();
    if (wanted === '') {
      this.#answer = null;
      return undefined;
    }
    const timer = setTimeout(() => void this.#find(wanted), TYPING_MS);
    return () => clearTimeout(timer);
  }

  async #find(wanted: string): Promise<void> {
    const hits = await this.#lookUp(wanted);
    if (hits !== null && this.query.trim() === wanted) this.#answer = { query: wanted, hits };
  }
}
