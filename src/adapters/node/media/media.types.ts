import type { ConvertRequest } from '#core/media.ts';

/** What a media thread is started with. */
export interface MediaSetup {
  /** Directory of the blobs in hand. */
  blobs: string;
  /** A native ffmpeg that was found to work; null: the one in WebAssembly. */
  ffmpeg: string | null;
}

/** What is asked of a media thread; it answers a Result of `ProbeOutcome` or `Converted`. */
export type MediaTask = { kind: 'probe'; sha256: string; name: string } | { kind: 'convert'; request: ConvertRequest };
