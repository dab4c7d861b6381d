import type { Cover } from './tags.ts';

export interface TranscodeInput {
  input: Blob;
  /** As it arrived; for words, and its ending as a hint for formats without a signature. */
  name: string;
  /** Vorbis quality -1..10. */
  quality: number;
  /** Vorbis comments; names in any case. They replace all that the source had. */
  tags: Record<string, string>;
  cover?: Cover | null;
  /** As probed; null when unknown. Hz. */
  sampleRate: number | null;
  channels: number | null;
  /** As probed; the decoded length must agree with it. Milliseconds. */
  durationMs: number | null;
}

export interface Transcoded {
  bytes: Uint8Array<ArrayBuffer>;
  duration_ms: number;
  /** Per channel. */
  samples: number;
  /** `flac -> vorbis q9`, `kept: vorbis at or under target`, `mp3 (lossy, 128 kbit/s) -> vorbis q9`. */
  conversion_reason: string;
  verified: string[];
}
