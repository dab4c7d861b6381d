import type { CatalogIndex } from '#core/music/search.ts';
import { buildCatalogIndex } from '#core/music/search.ts';
import { searchCatalog } from '#core/music/search-catalog.ts';
import type { CatalogHits, ReplicaState } from './api.ts';
import type { AccessionDb } from './db.ts';
import { loadSnapshot } from './replica.ts';

/**
 * The matcher's index over the replica, built when first asked for and again after the replica changed.
 * Null until the catalog was loaded once completely.
 */
export class IndexSource {
  readonly #db: AccessionDb;
  #built: { key: string; index: Promise<CatalogIndex> } | null = null;

  constructor(db: AccessionDb) {
    this.#db = db;
  }

  async get(): Promise<CatalogIndex | null> {
    const state = (await this.#db.meta.get('replica'))?.value as ReplicaState | undefined;
    if (!state?.complete) return null;
    const key = `${state.catalog_id ?? ''}/${state.version}`;
    if (this.#built?.key !== key) {
      this.#built = { key, index: loadSnapshot(this.#db).then(buildCatalogIndex) };
      this.#built.index.catch(() => (this.#built = null));
    }
    return this.#built.index;
  }

  /** Search for the boxes of the UI; empty while there is no catalog. */
  async search(query: string, limit: number): Promise<CatalogHits> {
    const index = await this.get();
    const empty: CatalogHits = { albums: [], tracks: [], artists: [] };
    if (!index) return empty;
    const found = searchCatalog(index, query, limit);
    const albumOf = (id: string): string => index.album(id)?.title ?? '';
    return { ...found, tracks: found.tracks.map((track) => ({ ...track, album: albumOf(track.album_id) })) };
  }
}
