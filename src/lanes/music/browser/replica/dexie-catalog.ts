import { AccessionError } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { rowsOfAny } from '#adapters/browser/any-of.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import type { MusicCatalog } from '#lanes/music/core/run/ports.ts';

interface DexieCatalogOptions {
  /** The matcher's index over the replica; null until it was loaded once completely. */
  index: () => Promise<CatalogIndex | null>;
  want: () => void;
  held?: () => ReadonlyMap<string, string>;
  /** Asked before each look at the index, where the catalog has to be as the server has it now. */
  pull?: () => Promise<Result<unknown>>;
}

/** The workstation's replica as the matcher and its questions read it. */
export function dexieCatalog(db: AccessionDb, { index, want, held, pull }: DexieCatalogOptions): MusicCatalog {
  return {
    isCurrent: pull !== undefined,
    async index() {
      const pulled = await pull?.();
      if (pulled?.ok === false) throw new AccessionError(pulled.failure);
      return index();
    },
    want,
    id: async () => (await readReplicaState(db)).catalog_id,
    tracks: async (ids) => (await db.tracks.bulkGet([...ids])).filter((track) => track !== undefined),
    albums: async (ids) => (await db.albums.bulkGet([...ids])).filter((album) => album !== undefined),
    async madeFrom(contents) {
      const tracks = await rowsOfAny(db.tracks, 'original_sha256', contents);
      return new Map(
        tracks.flatMap((track) =>
          track.availability === 'available' && track.original_sha256 !== undefined
            ? [[track.original_sha256, track]]
            : [],
        ),
      );
    },
    request: (id) => db.requests.get(id),
    held: held ?? (() => new Map()),
  };
}
