import type { Album, Artist, Track } from '#lanes/music/core/catalog.ts';
import type { CatalogChanges } from '#lanes/music/core/index/overlay-changes.ts';
import type { ChangedRow } from '../schema.ts';

/** What changed since an index was built, each record once, as it was after `version` of the replica. */
export class ChangeLog {
  #version: number;
  readonly #artists = new Map<string, Artist | null>();
  readonly #albums = new Map<string, Album | null>();
  readonly #tracks = new Map<string, Track | null>();

  constructor(version: number) {
    this.#version = version;
  }

  get version(): number {
    return this.#version;
  }

  /** Records and deletions, each once. */
  get count(): number {
    return this.#artists.size + this.#albums.size + this.#tracks.size;
  }

  /** Takes pages in their order. What is known already, because somebody else read it too, is passed over. */
  add(pages: readonly ChangedRow[], version: number): void {
    for (const page of pages) {
      if (page.version <= this.#version) continue;
      enter(this.#artists, page.artists, page.gone.artist);
      enter(this.#albums, page.albums, page.gone.album);
      enter(this.#tracks, page.tracks, page.gone.track);
    }
    this.#version = Math.max(this.#version, version);
  }

  changes(): CatalogChanges {
    const [artists, albums, tracks] = [parted(this.#artists), parted(this.#albums), parted(this.#tracks)];
    return {
      artists: artists.there,
      albums: albums.there,
      tracks: tracks.there,
      gone: { artists: artists.gone, albums: albums.gone, tracks: tracks.gone },
    };
  }
}

function enter<T extends { id: string }>(map: Map<string, T | null>, put: readonly T[], gone: readonly string[]): void {
  for (const row of put) map.set(row.id, row);
  for (const id of gone) map.set(id, null);
}

function parted<T>(map: ReadonlyMap<string, T | null>): { there: T[]; gone: string[] } {
  const there: T[] = [];
  const gone: string[] = [];
  for (const [id, row] of map) {
    if (row === null) gone.push(id);
    else there.push(row);
  }
  return { there, gone };
}
