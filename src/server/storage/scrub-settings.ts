/** `[scrub]` of accession.toml. */
export interface ScrubSettings {
  enabled: boolean;
  /** Read from the disk or the bucket, at most. */
  bytesPerSecond: number;
  /** From the beginning of one pass to that of the next, milliseconds. */
  everyMs: number;
  /** Whether damaged files are mended from another copy that is here. */
  repair: boolean;
}

export const USUAL_SCRUB: ScrubSettings = {
  enabled: true,
  bytesPerSecond: 4 * 1_048_576,
  everyMs: 30 * 86_400_000,
  repair: true,
};
