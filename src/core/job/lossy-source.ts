import { VORBIS_QUALITY, type Settings } from '../config.ts';

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
