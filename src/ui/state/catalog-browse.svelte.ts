import { ask, pipeline } from '../client.ts';
import {
  albumRows,
  albumsByArtists,
  standing,
  tracksById,
  type AlbumRow,
  type AvailabilityFilter,
  type TrackHit,
} from '../catalog-queries.ts';
import { Live } from './live.svelte.ts';

export type SortBy = 'artist' | 'title' | 'year';

export const ALBUMS_A_PAGE = 100;
const HITS = 60;
/** Of the artists found, so many have their albums listed. */
const ARTISTS = 2;
const TYPING_MS = 120;

// Counting 25,000 tracks under a storm of publishing: twice a second is enough.
const rows = new Live<AlbumRow[]>(albumRows, [], 500);
const names = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

interface Hits {
  query: string;
  albums: string[];
  tracks: TrackHit[];
}

/** What the Catalog page shows. It is kept while the app is open, so that Back finds it as it was. */
class CatalogBrowse {
  query = $state('');
  filter = $state<AvailabilityFilter>('all');
  sort = $state<{ by: SortBy; down: boolean }>({ by: 'artist', down: false });
  page = $state(0);
  #hits = $state.raw<Hits | null>(null);

  readonly searching: boolean = $derived(this.query.trim() !== '');
  readonly #byId = $derived(new Map(rows.current.map((row) => [row.id, row])));
  readonly #sorted = $derived(rows.current.toSorted(order(this.sort.by, this.sort.down)));
  /** All albums, or those that were found, best first. */
  readonly #pool: AlbumRow[] = $derived.by(() => {
    const hits = this.#hits;
    if (!this.searching) return this.#sorted;
    if (hits === null) return [];
    return hits.albums.map((id) => this.#byId.get(id)).filter((row) => row !== undefined);
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
    const tracks = this.searching ? (this.#hits?.tracks ?? []) : [];
    if (filter === 'all') return tracks;
    return tracks.filter((track) => track.availability === (filter === 'available' ? 'available' : 'missing'));
  });
  /** False until the words typed last were looked up. */
  readonly settled: boolean = $derived(!this.searching || this.#hits?.query === this.query.trim());

  get ready(): boolean {
    return rows.ready;
  }
  get error(): unknown {
    return rows.error;
  }

  /** The first page of another view. */
  restart(): void {
    this.page = 0;
  }

  sortBy(by: SortBy): void {
    this.sort = { by, down: this.sort.by === by && !this.sort.down };
    this.restart();
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
    const found = await ask(pipeline().searchCatalog(wanted, HITS));
    if (found === null || this.query.trim() !== wanted) return;
    const [tracks, byThem] = await Promise.all([
      tracksById(found.tracks.slice(0, HITS / 2).map((track) => track.id)),
      albumsByArtists(found.artists.slice(0, ARTISTS).map((artist) => artist.id)),
    ]);
    const albums = [...new Set([...found.albums.map((album) => album.id), ...byThem])];
    this.#hits = { query: wanted, albums, tracks };
  }
}

function order(by: SortBy, down: boolean): (a: AlbumRow, b: AlbumRow) => number {
  const sign = down ? -1 : 1;
  const rest = (a: AlbumRow, b: AlbumRow): number =>
    names.compare(bare(a.artist), bare(b.artist)) ||
    (a.year ?? 9999) - (b.year ?? 9999) ||
    names.compare(a.title, b.title);
  if (by === 'title') return (a, b) => sign * names.compare(bare(a.title), bare(b.title)) || rest(a, b);
  // Albums without a year stand last, whichever way.
  if (by === 'year') {
    return (a, b) =>
      Number(a.year === null) - Number(b.year === null) || sign * ((a.year ?? 0) - (b.year ?? 0)) || rest(a, b);
  }
  return (a, b) => sign * names.compare(bare(a.artist), bare(b.artist)) || rest(a, b);
}

/** "The Beatles" stand under B. */
function bare(name: string): string {
  return name.replace(/^the\s+/i, '');
}

export const browse = new CatalogBrowse();
