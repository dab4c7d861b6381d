import type { ShowHead } from '#core/video/show-catalog.ts';
import { ask, pipeline } from '../client.ts';
import { db, showsRow } from '../db.ts';
import { Live } from './live.svelte.ts';

export const SHOWS_A_PAGE = 100;
const HITS = 60;
const TYPING_MS = 120;

const rows = new Live<ShowHead[]>(() => db.show_heads.toArray(), [], 500);
const complete = new Live<boolean>(async () => (await showsRow()).complete, false);
const names = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** What the page of shows has. It is kept while the app is open, so that Back finds it as it was. */
class ShowBrowse {
  query = $state('');
  page = $state(0);
  #hits = $state.raw<{ query: string; ids: string[] } | null>(null);

  readonly searching: boolean = $derived(this.query.trim() !== '');
  readonly #byId = $derived(new Map(rows.current.map((row) => [row.id, row])));
  readonly #sorted = $derived(rows.current.toSorted((a, b) => names.compare(bare(a.title), bare(b.title))));
  /** All shows, or those that were found, best first. */
  readonly found: ShowHead[] = $derived.by(() => {
    if (!this.searching) return this.#sorted;
    return (this.#hits?.ids ?? []).map((id) => this.#byId.get(id)).filter((row) => row !== undefined);
  });
  readonly pages: number = $derived(Math.max(1, Math.ceil(this.found.length / SHOWS_A_PAGE)));
  readonly shows: ShowHead[] = $derived(this.found.slice(this.page * SHOWS_A_PAGE, (this.page + 1) * SHOWS_A_PAGE));
  /** False until the words typed last were looked up. */
  readonly settled: boolean = $derived(!this.searching || this.#hits?.query === this.query.trim());

  get ready(): boolean {
    return rows.ready && complete.ready;
  }
  /** All that the server has was read once. */
  get complete(): boolean {
    return complete.current;
  }
  get count(): number {
    return rows.current.length;
  }
  get error(): unknown {
    return rows.error;
  }

  /** The first page of another view. */
  restart(): void {
    this.page = 0;
  }

  /** Looks the words up after a pause in typing; answers how to stop. Call it from an effect. */
  search(): (() => void) | undefined {
    const wanted = this.query.trim();
    if (wanted === '') {
      this.#hits = null;
      return undefined;
    }
    const timer = setTimeout(() => void this.#lookUp(wanted), TYPING_MS);
    return () => clearTimeout(timer);
  }

  async #lookUp(wanted: string): Promise<void> {
    const ids = await ask(pipeline().searchShows(wanted, HITS));
    if (ids !== null && this.query.trim() === wanted) this.#hits = { query: wanted, ids };
  }
}

/** "The Bridge" stands under B. */
function bare(title: string): string {
  return title.replace(/^the\s+/i, '');
}

export const showBrowse = new ShowBrowse();
