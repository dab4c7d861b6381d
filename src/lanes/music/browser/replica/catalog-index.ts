import type { Album, Artist, Track } from '#lanes/music/core/catalog.ts';
import { overlaySteps } from '#lanes/music/core/index/overlay-index.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { searchCatalog } from '#lanes/music/core/index/search-catalog.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { LEAST_STORED, buildBase, openBase, type Base, type BaseOptions, inSlices } from './replica-base.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import { readChanges, ChangeLog } from './replica-changes.ts';
import { openKeptFiles, type KeptFiles } from '#adapters/browser/kept-files.ts';

export interface CatalogHits {
  albums: Pick<Album, 'id' | 'title' | 'artist' | 'year' | 'track_count'>[];
  tracks: (Omit<Track, 'artist_id' | 'availability'> & { album: string })[];
  artists: Artist[];
}

/** With more changes than this (or a tenth of a small catalog) the index is built anew, in the background. */
const MOST_CHANGES = 20_000;
const LEAST_CHANGES = 500;
/** With so many times more it is not worth laying them over: the new index is waited for. */
const TOO_MANY = 3;

/**
 * The matcher's index over the replica: a base, and what changed since laid over it. Made when first asked for and
 * again after the replica changed. Null until the catalog was loaded once completely.
 */
export class IndexSource {
  readonly #options: BaseOptions;
  #base: Promise<Base | null> | null = null;
  #made: { key: string; index: Promise<CatalogIndex | null> } | null = null;
  /** What was read of the changes after a base: only what is new is read. */
  readonly #logs = new WeakMap<Base, ChangeLog>();
  #compaction: Promise<void> | null = null;

  constructor(db: AccessionDb, options: { files?: KeptFiles; leastStored?: number } = {}) {
    const { files, leastStored = LEAST_STORED } = options;
    this.#options = { db, files: files ? Promise.resolve(files) : openKeptFiles(db, 'index'), leastStored };
  }

  async get(): Promise<CatalogIndex | null> {
    const state = await readReplicaState(this.#options.db);
    if (!state.complete) return null;
    const key = `${state.catalog_id ?? ''}/${state.version}`;
    if (this.#made?.key !== key) {
      const index = this.#make();
      this.#made = { key, index };
      index.catch(() => {
        if (this.#made?.index === index) this.#made = null;
      });
    }
    return this.#made.index;
  }

  /** Search for the boxes of the UI; empty while there is no catalog. */
  async search(query: string, limit: number): Promise<CatalogHits> {
    const index = await this.get();
    const empty: CatalogHits = { albums: [], tracks: [], artists: [] };
    if (!index) return empty;
    await inSlices(index.wordSteps());
    const found = searchCatalog(index, query, limit);
    const albumOf = (id: string): string => index.album(id)?.title ?? '';
    return { ...found, tracks: found.tracks.map((track) => ({ ...track, album: albumOf(track.album_id) })) };
  }

  async #make(): Promise<CatalogIndex | null> {
    for (;;) {
      const asked = (this.#base ??= openBase(this.#options));
      const base = await asked.catch((error: unknown) => {
        if (this.#base === asked) this.#base = null;
        throw error;
      });
      if (base === null) {
        // The replica was begun anew meanwhile.
        if (this.#base === asked) this.#base = null;
        return null;
      }
      const most = Math.max(LEAST_CHANGES, Math.min(MOST_CHANGES, base.index.trackCount / 10));
      const log = this.#logs.get(base) ?? new ChangeLog(base.version);
      this.#logs.set(base, log);
      const read = await readChanges(this.#options.db, base.index, log, most * TOO_MANY);
      if (read === null) {
        // Begun anew, or another tab has built a later one.
        if (this.#base === asked) this.#base = null;
        continue;
      }
      if (!read) {
        await this.#compact(base);
        continue;
      }
      if (log.count === 0) return base.index;
      if (log.count > most) this.#compact(base).catch(() => undefined);
      return inSlices(overlaySteps(base.index, log.changes()));
    }
  }

  /** Builds the base anew; what is in use meanwhile stays right. A failure leaves it in use. */
  #compact(base: Base): Promise<void> {
    this.#compaction ??= buildBase(this.#options, base.version)
      .then((built) => {
        this.#base = built === null ? null : Promise.resolve(built);
        this.#made = null;
      })
      .finally(() => (this.#compaction = null));
    return this.#compaction;
  }
}
