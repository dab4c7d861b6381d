/** The tables of music. */
import type { Album, Artist, DownloadRequest, Track } from '#lanes/music/core/catalog.ts';

/** What every record has as a row. */
interface Row {
  /** JSON. */
  external_ids: string | null;
  version: number;
}

export interface ArtistTable extends Omit<Artist, 'external_ids'>, Row {
  /** Folded name: an artist is found again by it. */
  name_key: string;
}

export interface AlbumTable extends Omit<Album, 'is_compilation' | 'external_ids'>, Row {
  is_compilation: number;
  /** Folded `artist title`, the order of browsing. */
  sort_key: string;
}

export interface TrackTable extends Omit<Track, 'original_sha256' | 'external_ids'>, Row {
  /** Under the media directory; null while missing. */
  output_file_path: string | null;
  audio_sha256: string | null;
  /** Of the file that the audio was converted from: the same file is recognised by it. */
  original_sha256: string | null;
  audio_size: number | null;
  audio_duration_ms: number | null;
}

/** Files about to be placed: what is still here after a crash and belongs to no track is removed. */
export interface PlacementTable {
  path: string;
  created_at: number;
}

/** Audio that was replaced, and where it is kept. */
export interface FormerMediaTable {
  path: string;
  former_path: string;
  track_id: string;
  sha256: string;
  replaced_at: number;
  moved: number;
  /** The five are null for what was replaced before they were kept. */
  replaced_by: string | null;
  reason: 'replaced' | 'unpublished' | null;
  audio_size: number | null;
  audio_duration_ms: number | null;
  original_sha256: string | null;
}

declare module '#server/store/schema.ts' {
  interface Database {
    artists: ArtistTable;
    albums: AlbumTable;
    tracks: TrackTable;
    download_requests: DownloadRequest;
    placements: PlacementTable;
    former_media: FormerMediaTable;
  }
}
