import type { AlbumWithTracks, DownloadRequest, Track } from '../catalog.ts';
import type { FileEvidence } from '../evidence/evidence.ts';
import type { CatalogIndex } from '../index/catalog-index.ts';
import { searchCatalog, type CatalogSearch } from '../index/search-catalog.ts';

/** What the tools of one doubt may look at: the replica, the open requests, and this doubt's files only. */
export interface MusicContext {
  search(query: string, limit: { albums: number; tracks: number }): Promise<Omit<CatalogSearch, 'artists'>>;
  album(id: string): Promise<AlbumWithTracks | null>;
  track(id: string): Promise<Track | null>;
  /** Pending ones. */
  requests(): Promise<DownloadRequest[]>;
  file(id: string): FileEvidence | null;
  /** Of the replica, for provenance. */
  cursor(): string;
}

/** The context over an index in memory. `requests` are those that are pending now. */
export function musicContext(of: {
  index: CatalogIndex;
  files: readonly FileEvidence[];
  requests: () => Promise<DownloadRequest[]>;
  cursor: () => string;
}): MusicContext {
  const files = new Map(of.files.map((file) => [file.file_id, file]));
  return {
    search: (query, limit) => {
      const found = searchCatalog(of.index, query, Math.max(limit.albums, limit.tracks));
      return Promise.resolve({
        albums: found.albums.slice(0, limit.albums),
        tracks: found.tracks.slice(0, limit.tracks),
      });
    },
    album: (id) => Promise.resolve(of.index.album(id)),
    track: (id) => Promise.resolve(of.index.track(id)),
    requests: of.requests,
    file: (id) => files.get(id) ?? null,
    cursor: of.cursor,
  };
}
