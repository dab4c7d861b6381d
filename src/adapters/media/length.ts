/** Lengths of sound, compared and in words. Milliseconds. */

/** More than 1 % and one second are missing (milliseconds). */
export function isCutShort(present: number, declared: number): boolean {
  return declared - present > declared * 0.01 + 1000;
}

/** A month; the longest recordings that anybody has in one file are a few days. Milliseconds. */
const LONGEST_MS = 31 * 86_400_000;
/**
 * Bytes that a second of sound takes at least. Opus sends a byte and its place for each 20 ms of silence; FLAC, Monkey's
 * Audio and others without loss write silence as one number for seconds of it.
 */
const LEAST_BYTES = { lossy: 50, lossless: 2 };
/** Of a file this short nothing can be told by its bytes, milliseconds. */
const SHORT_MS = 60_000;

/** Whether so many bytes can hold sound of that length; none has the length 0. */
export function canHold(bytes: number, ms: number, lossless: boolean): boolean {
  if (!(ms > 0) || ms > LONGEST_MS) return false;
  return ms <= SHORT_MS || ms <= (bytes * 1000) / LEAST_BYTES[lossless ? 'lossless' : 'lossy'];
}

/** Whether any file has that length. */
export function isLength(ms: number): boolean {
  return ms >= 0 && ms <= LONGEST_MS;
}

/** `3:45`, `1:02:03`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => `${value}`.padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
