import type { ShowHead } from '#lanes/video/core/show-catalog.ts';
import type { ShowApi } from '#lanes/video/browser/open-video.ts';
import { ask, laneApi } from '#ui/client/workers.ts';
import { db, showsRow } from '#ui/client/db.ts';
import { Live } from '#ui/parts/live.svelte.ts';
import { byTitle } from '#ui/parts/order.ts';
import { TypedSearch } from '#ui/list/typed-search.svelte.ts';

export const SHOWS_A_PAGE = 100;
const HITS = 60;

const rows = new Live<ShowHead[]>(() => db.show_heads.toArray(), [], 500);
const complete = new Live<boolean>(async () => (await showsRow()).complete, false);

/** What the page of shows has. It is kept while the app is open, so that Back finds it as it was. */
class ShowBrowse {
  /** Ids of shows, best first. */
  readonly search = new TypedSearch<string[]>((wanted) => ask(laneApi<ShowApi>('video').searchShows(wanted, HITS)));
  page = $state(0);

  readonly #byId = $derived(new Map(rows.current.map((row) => [row.id, row])));
  readonly #sorted = $derived(rows.current.toSorted((a, b) => byTitle(a.title, b.title)));
  /** All shows, or those that were found, best first. */
  readonly found: ShowHead[] = $derived.by(() => {
    if (!this.search.searching) return this.#sorted;
    return (this.search.hits ?? []).map((id) => this.#byId.get(id)).filter((row) => row !== undefined);
  });
  readonly pages: number = $derived(Math.max(1, Math.ceil(this.found.length / SHOWS_A_PAGE)));
  readonly shows: ShowHead[] = $derived(this.found.slice(this.page * SHOWS_A_PAGE, (this.page + 1) * SHOWS_A_PAGE));
  readonly ready: boolean = $derived(rows.ready && complete.ready);
  /** All that the server has was read once. */
  readonly complete: boolean = $derived(complete.current);
  readonly count: number = $derived(rows.current.length);
  readonly error: unknown = $derived(rows.error);

  /** The first page of another view. */
  restart(): void {
    this.page = 0;
  }
}

export const showBrowse = new ShowBrowse();
