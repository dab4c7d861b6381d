import { AccessionError } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { rowsOfAny } from '#adapters/browser/any-of.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import type { Album, DownloadRequest, Track } from '#lanes/music/core/catalog.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import type { MusicCatalog } from '#lanes/music/core/run/ports.ts';

export interface DexieCatalogOptions {
  /** The matcher's index over the replica; null until it was loaded once completely. */
  index(): Promise<CatalogIndex | null>;
  want(): void;
  held?(): ReadonlyMap<string, string>;
  /** Asked before each look at the index, where the catalog has to be as the server has it now. */
  pull?(): Promise<Result<unknown>>;
}

/** The workstation's replica as the matcher and its questions read it. */
export class DexieCatalog implements MusicCatalog {
  readonly isCurrent: boolean;
  readonly #db: AccessionDb;
  readonly #options: DexieCatalogOptions;

  constructor(db: AccessionDb, options: DexieCatalogOptions) {
    this.#db = db;
    this.#options = options;
    this.isCurrent = options.pull !== undefined;
  }

  async index(): Promise<CatalogIndex | null> {
    const pulled = await this.#options.pull?.();
    if (pulled?.ok === false) throw new AccessionError(pulled.failure);
    return this.#options.index();
  }

  want(): void {
    this.#options.want();
  }

  async id(): Promise<string | null> {
    return (await readReplicaState(this.#db)).catalog_id;
  }

  async tracks(ids: readonly string[]): Promise<Track[]> {
    return (await this.#db.tracks.bulkGet([...ids])).filter((track) => track !== undefined);
  }

  async albums(ids: readonly string[]): Promise<Album[]> {
    return (await this.#db.albums.bulkGet([...ids])).filter((album) => album !== undefined);
  }

  async madeFrom(contents: readonly string[]): Promise<ReadonlyMap<string, Track>> {
    const tracks = await rowsOfAny(this.#db.tracks, 'original_sha256', contents);
    return new Map(
      tracks.flatMap((track) =>
        track.availability === 'available' && track.original_sha256 !== undefined
          ? [[track.original_sha256, track]]
          : [],
      ),
    );
  }

  request(id: string): Promise<DownloadRequest | undefined> {
    return this.#db.requests.get(id);
  }

  held(): ReadonlyMap<string, string> {
    return this.#options.held?.() ?? new Map();
  }
}
