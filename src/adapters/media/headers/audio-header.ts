/** What a file's own structure says about its sound, read without decoding it. */
export interface AudioHeader {
  /** `mp3`, `flac`, `ogg`, `mp4`, `wav`, `aiff`, `asf`, or ffmpeg's name of the demuxer. */
  container: string;
  /** As ffmpeg names it: `mp3`, `aac`, `alac`, `flac`, `vorbis`, `opus`, `pcm_s16le`, `wmav2`, ... */
  codec: string;
  /** Hz. */
  sample_rate: number | null;
  channels: number | null;
  lossless: boolean;
  /** Length of the sound that is there, as a full decode yields it; null when only a decode can tell. */
  duration_ms: number | null;
  /** Length that the header promises; null when it promises none. */
  declared_ms: number | null;
  /** Why the file cannot be whole, apart from its length: `it ends in the middle of a page`. */
  torn: string | null;
  /** Bytes of sound, without tags and pictures; for the bitrate. */
  audio_bytes: number | null;
  /**
   * Samples at `sample_rate` that a decoder puts out before the music begins (encoder delay) and that do not count;
   * null when that is not certain.
   */
  skip: number | null;
  /** What a person should know of it; a sentence. */
  note?: string;
}

/** Of what a reader does not say nothing is known, and nothing is wrong. */
export type SaidHeader = Pick<AudioHeader, 'container' | 'codec'> & Partial<AudioHeader>;

export const wholeHeader = (said: SaidHeader): AudioHeader => ({
  ...{ sample_rate: null, channels: null, lossless: false, duration_ms: null, declared_ms: null },
  ...{ torn: null, audio_bytes: null, skip: null },
  ...said,
});

/** Reads one container's header; null when the file turns out not to be one that it understands. */
export type HeaderReader = (blob: Blob) => Promise<SaidHeader | null>;
