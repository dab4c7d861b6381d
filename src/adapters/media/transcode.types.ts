import type { BlobRef } from '#core/ports.ts';
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
  /** Only this stretch of the input, in milliseconds, exact to the sample; `durationMs` is its length then. */
  segment?: { start_ms: number; end_ms: number | null };
  /** As probed; the decoded length must agree with it. Milliseconds. */
  durationMs: number | null;
  /** False: straight to the ffmpeg core; else only where the fast way cannot do it. */
  fast?: boolean;
}

/** Where outputs are written to as they are made, and read back from. */
export interface OutputStore {
  put(chunks: AsyncIterable<Uint8Array>): Promise<BlobRef>;
  file(sha256: string): Promise<Blob>;
}

export interface Transcoded {
  /** Of the output; it is in the store. */
  sha256: string;
  /** Bytes. */
  size: number;
  duration_ms: number;
  /** Per channel. */
  samples: number;
  /** `flac -> vorbis q9, fast`, `kept: vorbis at or under target`, `alac -> vorbis q9, by ffmpeg: alac in mp4 is ...`. */
  conversion_reason: string;
  verified: string[];
}
