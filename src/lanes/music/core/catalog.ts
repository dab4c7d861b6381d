/**
 * The catalog's own records, as the API and the replica carry them (snake_case on the wire and in
 * storage, as the specification writes them).
 */

/** Identifiers elsewhere: MusicBrainz id, ISRC, barcode. Evidence, never proof. */
export type ExternalIds = Record<string, string>;

export interface Artist {
  id: string;
  name: string;
  external_ids?: ExternalIds;
}

export interface Album {
  id: string;
  title: string;
  artist_id: string;
  /** The artist's name as credited on the album. */
  artist: string;
  year: number | null;
  is_compilation: boolean;
  discs: number;
  track_count: number;
  external_ids?: ExternalIds;
}

export type Availability = 'missing' | 'available';

export interface Track {
  id: string;
  album_id: string;
  title: string;
  artist_id: string;
  artist: string;
  /** From 1; real catalogs have a disc 0, too. */
  disc: number;
  /** From 1, within the disc. */
  position: number;
  duration_ms: number | null;
  availability: Availability;
  /** SHA-256 of the file that the published audio was converted from; the same file is recognised by it. */
  original_sha256?: string | undefined;
  external_ids?: ExternalIds;
}

/** An album with its tracks in playing order. */
export interface AlbumWithTracks extends Album {
  tracks: Track[];
}

export interface DownloadRequest {
  id: string;
  status: 'pending' | 'fulfilled';
  album_id: string | null;
  track_id: string | null;
  /** User id of who asked. */
  requested_by: string;
  created_at: number;
  fulfilled_at: number | null;
}

/** `{ artists, albums, tracks }` as the import takes it: what a row may leave out has a default. */
export interface CatalogFile {
  artists: Artist[];
  albums: (Omit<Album, 'year' | 'is_compilation' | 'discs' | 'track_count'> &
    Partial<Pick<Album, 'year' | 'is_compilation' | 'discs' | 'track_count'>>)[];
  tracks: (Omit<Track, 'availability' | 'duration_ms'> & { duration_ms?: number | null })[];
}
