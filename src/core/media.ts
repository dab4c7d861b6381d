/** What probing a sound file finds, and what converting it is asked: the form that adapters and lanes share. */
import { VORBIS_QUALITY, type Settings } from './config.ts';

/** What a file's tags say. */
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

export interface ProbeOutcome {
  duration_ms: number | null;
  codec: string;
  container: string;
  /** Bits per second. */
  bitrate: number | null;
  /** Hz. */
  sample_rate: number | null;
  channels: number | null;
  lossless: boolean;
  tags: FileTags;
  cover: { bytes: Uint8Array; mime: string } | null;
  /** What a person should know of the file; sentences. */
  notes?: string[];
  /** A CUE sheet inside the file. */
  cue?: string;
}

export interface ConvertRequest {
  job_id: string;
  /** Of the original. */
  sha256: string;
  original_filename: string;
  /** Hz; as probed, null where the probe did not find it. */
  sample_rate: number | null;
  channels: number | null;
  duration_ms: number | null;
  /** Of Vorbis, -1..10. */
  quality: number;
  /** Vorbis comments from the catalog: TITLE, ARTIST, ALBUM, ALBUMARTIST, TRACKNUMBER, TRACKTOTAL, DISCNUMBER, DATE, ... */
  tags: Record<string, string>;
  cover: { sha256: string; mime: string } | null;
  /** Only this stretch of the file, in milliseconds, exact to the sample; `duration_ms` is its length. */
  segment?: { start_ms: number; end_ms: number | null };
}

/**
 * A source that had lost something before it came, by less than what the output is allowed: converting it cannot bring
 * that back, and a better copy of the track may be worth waiting for.
 */
export function isBelowTarget(source: { lossless: boolean | null; kbits: number | null }, quality: number): boolean {
  const { lossless, kbits } = source;
  return lossless === false && kbits !== null && kbits < nominalKbits(quality);
}

/** What the quality aims at for two channels; kbit/s. Outside the nominal steps the nearest of them. */
function nominalKbits(quality: number): number {
  const steps = Object.entries(VORBIS_QUALITY) as [Settings['output_bitrate'], number][];
  const [nearest] = steps.toSorted(([, a], [, b]) => Math.abs(a - quality) - Math.abs(b - quality));
  return nearest ? Number.parseInt(nearest[0], 10) : 0;
}
