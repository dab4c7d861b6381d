/** Lengths of sound, compared and in words. Milliseconds. */

/** More than 1 % and one second are missing (milliseconds). */
export function isCutShort(present: number, declared: number): boolean {
  return declared - present > declared * 0.01 + 1000;
}

/** `3:45`, `1:02:03`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => `${value}`.padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
