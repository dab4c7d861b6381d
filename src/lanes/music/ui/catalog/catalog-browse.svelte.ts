import { ask } from '#ui/client/workers.ts';
import { music } from '../client.ts';
import {
  albumRows,
  albumsByArtists,
  standing,
  tracksById,
  type AlbumRow,
  type AvailabilityFilter,
  type TrackHit,
} from './catalog-queries.ts';
import { Live } from '#ui/parts/live.svelte.ts';
import { byTitle } from '#ui/parts/order.ts';
import { TypedSearch } from '#ui/list/typed-search.svelte.ts';

export type SortBy = 'artist' | 'title' | 'year';

export const ALBUMS_A_PAGE = 100;
const HITS = 60;
/** Of the artists found, so many have their albums listed. */
const ARTISTS = 2;

// Counting 25,000 tracks under a storm of publishing: twice a second is enough.
const rows = new Live<AlbumRow[]>(albumRows, [], 500);

interface Hits {
  albums: string[];
  tracks: TrackHit[];
}

/** What the Catalog page shows. It is kept while the app is open, so that Back finds it as it was. */
class CatalogBrowse {
  readonly search = new TypedSearch(lookUp);
  filter = $state<AvailabilityFilter>('all');
  sort = $state<{ by: SortBy; down: boolean }>({ by: 'artist', down: false });
  page = $state(0);

  readonly #byId = $derived(new Map(rows.current.map((row) => [row.id, row])));
  readonly #sorted = $derived(rows.current.toSorted(order(this.sort.by, this.sort.down)));
  /** All albums, or those that were found, best first. */
  readonly #pool: AlbumRow[] = $derived.by(() => {
    if (!this.search.searching) return this.#sorted;
    return (this.search.hits?.albums ?? []).map((id) => this.#byId.get(id)).filter((row) => row !== undefined);
  });
  readonly counts: Record<AvailabilityFilter, number> = $derived.by(() => {
    const counts = { all: this.#pool.length, missing: 0, partly: 0, available: 0 };
    for (const row of this.#pool) counts[standing(row)]++;
    return counts;
  });
  readonly #found: AlbumRow[] = $derived(
    this.filter === 'all' ? this.#pool : this.#pool.filter((row) => standing(row) === this.filter),
  );
  readonly pages: number = $derived(Math.max(1, Math.ceil(this.#found.length / ALBUMS_A_PAGE)));
  readonly albums: AlbumRow[] = $derived(this.#found.slice(this.page * ALBUMS_A_PAGE, (this.page + 1) * ALBUMS_A_PAGE));
  readonly found: number = $derived(this.#found.length);
  readonly tracks: TrackHit[] = $derived.by(() => {
    const { filter } = this;
    const tracks = this.search.hits?.tracks ?? [];
    if (filter === 'all') return tracks;
    return tracks.filter((track) => track.availability === (filter === 'available' ? 'available' : 'missing'));
  });
  readonly ready: boolean = $derived(rows.ready);
  readonly error: unknown = $derived(rows.error);

  /** The first page of another view. */
  restart(): void {
    this.page = 0;
  }

  sortBy(by: SortBy): void {
    this.sort = { by, down: this.sort.by === by && !this.sort.down };
    this.restart();
  }
}

async function lookUp(wanted: string): Promise<Hits | null> {
  const found = await ask(music().searchCatalog(wanted, HITS));
  if (found === null) return null;
  const [tracks, byThem] = await Promise.all([
    tracksById(found.tracks.slice(0, HITS / 2).map((track) => track.id)),
    albumsByArtists(found.artists.slice(0, ARTISTS).map((artist) => artist.id)),
  ]);
  return { albums: [...new Set([...found.albums.map((album) => album.id), ...byThem])], tracks };
}

function order(by: SortBy, down: boolean): (a: AlbumRow, b: AlbumRow) => number {
  const sign = down ? -1 : 1;
  const rest = (a: AlbumRow, b: AlbumRow): number =>
    byTitle(a.artist, b.artist) || (a.year ?? 9999) - (b.year ?? 9999) || byTitle(a.title, b.title);
  if (by === 'title') return (a, b) => sign * byTitle(a.title, b.title) || rest(a, b);
  // Albums without a year are last, whichever way.
  if (by === 'year') {
    return (a, b) =>
      Number(a.year === null) - Number(b.year === null) || sign * ((a.year ?? 0) - (b.year ?? 0)) || rest(a, b);
  }
  return (a, b) => sign * byTitle(a.artist, b.artist) || rest(a, b);
}

export const browse = new CatalogBrowse();
