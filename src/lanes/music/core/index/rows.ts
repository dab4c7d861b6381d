import type { Album, Artist, ExternalIds, Track } from '../catalog.ts';
import type { CompactCatalog } from './compact-catalog.ts';
import { findRow } from './id-table.ts';

/** Reads the columns of a compact catalog as records. Rows of ids that are not there are -1. */
export interface CompactRows {
  text(column: Uint32Array, row: number): string;
  artistRow(id: string): number;
  albumRow(id: string): number;
  trackRow(id: string): number;
  artistAt(row: number): Artist;
  albumAt(row: number): Album;
  trackAt(row: number): Track;
}

interface Extra {
  external_ids?: ExternalIds;
  original_sha256?: string;
}

export function openRows(compact: CompactCatalog): CompactRows {
  const { strings, artists, albums, tracks } = compact;
  const text = (column: Uint32Array, row: number): string => strings.text(column[row] ?? 0);
  const extraOf = (column: Uint32Array, row: number): Extra =>
    column[row] === 0 ? {} : (JSON.parse(text(column, row)) as Extra);
  return {
    text,
    artistRow: (id) => findRow(artists.byId, strings, artists.id, id),
    albumRow: (id) => findRow(albums.byId, strings, albums.id, id),
    trackRow: (id) => findRow(tracks.byId, strings, tracks.id, id),
    artistAt: (row) => ({ id: text(artists.id, row), name: text(artists.name, row), ...extraOf(artists.extra, row) }),
    albumAt: (row) => {
      const year = albums.year[row] ?? 0;
      return {
        id: text(albums.id, row),
        title: text(albums.title, row),
        artist_id: text(albums.artistId, row),
        artist: text(albums.artist, row),
        year: year === 0 ? null : year - 1,
        is_compilation: albums.compilation[row] === 1,
        discs: albums.discs[row] ?? 1,
        track_count: albums.trackCount[row] ?? 0,
        ...extraOf(albums.extra, row),
      };
    },
    trackAt: (row) => {
      const length = tracks.length[row] ?? 0;
      return {
        id: text(tracks.id, row),
        album_id: text(albums.id, tracks.album[row] ?? 0),
        title: text(tracks.title, row),
        artist_id: text(tracks.artistId, row),
        artist: text(tracks.artist, row),
        disc: tracks.disc[row] ?? 1,
        position: tracks.position[row] ?? 1,
        duration_ms: length === 0 ? null : length - 1,
        availability: tracks.available[row] === 1 ? 'available' : 'missing',
        ...extraOf(tracks.extra, row),
      };
    },
  };
}
