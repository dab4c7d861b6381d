export interface VideoFacts {
  /** Seconds; null where the container does not say it. */
  duration: number | null;
  /** In the file's order. */
  tracks: VideoTrack[];
}

export interface VideoTrack {
  /** Subtitles of a Matroska only. */
  kind: 'video' | 'audio' | 'subtitle';
  /** `h264`, `hevc`, `aac`; of others, as the container calls it; null where it does not say. */
  codec: string | null;
  /** Of a video, in pixels. */
  size: { width: number; height: number } | null;
  /** As the file says it, `jpn` or `pt-BR`; null where it does not. */
  language: string | null;
}
