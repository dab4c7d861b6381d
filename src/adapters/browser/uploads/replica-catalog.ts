import { AccessionError, failure } from '#core/errors.ts';
import type { DownloadRequest, Track } from '#core/music/catalog.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import type { WorkCatalog } from '../../work/ports.ts';
import type { AccessionDb } from '../db.ts';
import type { Replica } from '../replica.ts';

export interface ReplicaCatalogDeps {
  db: AccessionDb;
  replica: Replica;
  /** The matcher's index over it; null until it was loaded once completely. */
  index(): Promise<CatalogIndex | null>;
}

/** The workstation's replica, brought up to what the server has before it is looked at. */
export class ReplicaCatalog implements WorkCatalog {
  readonly #deps: ReplicaCatalogDeps;
  #index: CatalogIndex | null = null;

  constructor(deps: ReplicaCatalogDeps) {
    this.#deps = deps;
  }

  async refresh(): Promise<CatalogIndex> {
    const pulled = await this.#deps.replica.pull();
    if (!pulled.ok) throw new AccessionError(pulled.failure);
    this.#index = await this.#deps.index();
    return this.index();
  }

  index(): CatalogIndex {
    if (this.#index !== null) return this.#index;
    throw new AccessionError(failure('offline', 'The offline copy of the catalog is not complete yet.'));
  }

  async madeFrom(contents: readonly string[]): Promise<ReadonlyMap<string, Track>> {
    const tracks = await this.#deps.db.tracks
      .where('original_sha256')
      .anyOf([...contents])
      .filter((track) => track.availability === 'available')
      .toArray();
    return new Map(
      tracks.flatMap((track) => (track.original_sha256 === undefined ? [] : [[track.original_sha256, track]])),
    );
  }

  request(id: string): Promise<DownloadRequest | undefined> {
    return this.#deps.db.requests.get(id);
  }
}
