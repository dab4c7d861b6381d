/**
 * Remembers short stretches of a source's sound, to be laid beside what the output decodes to. An output of the right
 * length can still be silence, noise or the music shifted by a packet; then the difference is as large as the sound.
 */
import type { Planes } from './trim.ts';

/** Samples of a stretch, and from the beginning of one to that of the next (six seconds). */
const LENGTH = 512;
const EVERY = 1 << 18;
/** Where the first one begins: after what encoders do at their start, and within a short jingle. */
const FIRST = 2048;
/** How far the sound must lie above the difference. Decibels; encodings that are right have 8 and more. */
const LEAST_DB = 3;

interface Overlap {
  /** Samples that are compared, [from, to), counted from the beginning of the sound. */
  from: number;
  to: number;
  /** Where the stretch and the block begin. */
  start: number;
  at: number;
}

export class Witness {
  /** By where they begin. */
  readonly #stretches = new Map<number, Planes>();
  #signal = 0;
  #difference = 0;

  /** Samples of the source, `at` being where they begin. */
  hear(at: number, block: Planes): void {
    forEachStretch(at, block[0]?.length ?? 0, (start, from, to) => {
      const planes = this.#stretches.get(start) ?? block.map(() => new Float32Array(LENGTH));
      this.#stretches.set(start, planes);
      planes.forEach((plane, n) => plane.set((block[n] ?? plane).subarray(from - at, to - at), from - start));
    });
  }

  /** `length` samples that the output decodes to; `planes` is only called when some of them are of use. */
  compare(at: number, length: number, planes: () => Planes): void {
    let block: Planes | null = null;
    forEachStretch(at, length, (start, from, to) => {
      const stretch = this.#stretches.get(start);
      if (!stretch) return;
      block ??= planes();
      this.#add(stretch, block, { from, to, start, at });
    });
  }

  #add(stretch: Planes, block: Planes, { from, to, start, at }: Overlap): void {
    stretch.forEach((plane, n) => {
      const heard = block[n];
      for (let i = from; i < to; i += 1) {
        const sample = plane[i - start] ?? 0;
        this.#signal += sample ** 2;
        this.#difference += (sample - (heard?.[i - at] ?? 0)) ** 2;
      }
    });
  }

  /** Decibels of the sound above the difference, Infinity where there was nothing to hear; a string says what is wrong. */
  verdict(): number | string {
    if (this.#signal === 0 && this.#difference === 0) return Infinity;
    const db = 10 * Math.log10(this.#signal / this.#difference);
    return db >= LEAST_DB ? db : `what it sounds like is not the source (${db.toFixed(1)} dB)`;
  }
}

/** Calls with where a stretch begins, and which samples [from, to) of it are in the block of `length` at `at`. */
function forEachStretch(at: number, length: number, take: (start: number, from: number, to: number) => void): void {
  const end = at + length;
  // The stretch that may have begun before the block, then all that begin in it.
  for (let n = Math.max(0, Math.floor((at - FIRST) / EVERY)); FIRST + n * EVERY < end; n += 1) {
    const start = FIRST + n * EVERY;
    const from = Math.max(at, start);
    const to = Math.min(end, start + LENGTH);
    if (from < to) take(start, from, to);
  }
}
