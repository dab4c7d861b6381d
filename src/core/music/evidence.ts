/** What was observed about one file, each fact with its source implied by the field it stands in. */

export interface FileTags {
  title?: string;
  artist?: string;
  album?: string;
  albumartist?: string;
  track?: number;
  tracktotal?: number;
  disc?: number;
  disctotal?: number;
  year?: number;
  genre?: string;
  compilation?: boolean;
  /** `musicbrainz_recordingid`, `isrc`, `barcode`, ...: evidence, never proof. */
  external_ids?: Record<string, string>;
}

export interface FileEvidence {
  file_id: string;
  /** Path inside the batch with `/`, the archive's name as first folder when it came in one. */
  path: string;
  /** Milliseconds; null when it could not be found out. */
  duration_ms: number | null;
  codec?: string;
  /** Bits per second. */
  bitrate?: number | null;
  size_bytes?: number;
  tags: FileTags;
}
