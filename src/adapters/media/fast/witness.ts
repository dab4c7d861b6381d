/**
 * Remembers of a source's sound how loud it is everywhere, and short stretches of it, to be laid beside what the output
 * decodes to. An output of the right length can still be silence, noise or the music shifted by a packet; then it is
 * not as loud, or the difference is as large as the sound. Below `HIGH_QUALITY` Vorbis replaces noise by other noise:
 * another sound that is as loud in every block passes there as long as the stretches do.
 */
import { Loudness } from './loudness.ts';
import type { Planes } from './trim.ts';

/** Samples of a stretch, and from the beginning of one to that of the next (six seconds). */
const LENGTH = 512;
const EVERY = 1 << 18;
/** Where the first one begins: after what encoders do at their start, and within a short jingle. */
const FIRST = 2048;
/** From this quality on nothing is left out, neither low-passed nor replaced by noise as loud. */
const HIGH_QUALITY = 9;
/**
 * How far the sound must lie above the difference. Decibels. Right encodings of a high quality have 6 and more; of
 * noise at a low one only the loudness is kept (-0.6), where another sound as loud has -3.
 */
const LEAST_DB = { low: -1.5, high: 3 };
/** A difference that nobody hears, -80 dB. Mean square. */
const INAUDIBLE = 1e-8;

interface Overlap {
  /** Samples that are compared, [from, to), counted from the beginning of the sound. */
  from: number;
  to: number;
  /** Where the stretch and the block begin. */
  start: number;
  at: number;
}

export class Witness {
  readonly #leastDb: number;
  readonly #loudness: Loudness;
  /** By where they begin. */
  readonly #stretches = new Map<number, Planes>();
  #signal = 0;
  #difference = 0;
  #compared = 0;

  /** `quality` of the output: Vorbis' -1..10. */
  constructor(quality: number) {
    const high = quality >= HIGH_QUALITY;
    this.#leastDb = high ? LEAST_DB.high : LEAST_DB.low;
    this.#loudness = new Loudness(high);
  }

  /** Samples a channel of the source that were heard. */
  get samples(): number {
    return this.#loudness.samples;
  }

  /** The next samples of the source. Throws Doubt when they are no sound (not numbers, or far above full scale). */
  hear(block: Planes): void {
    const at = this.samples;
    this.#loudness.hear(block);
    forEachStretch(at, block[0]?.length ?? 0, (start, from, to) => {
      const planes = this.#stretches.get(start) ?? block.map(() => new Float32Array(LENGTH));
      this.#stretches.set(start, planes);
      planes.forEach((plane, n) => plane.set((block[n] ?? plane).subarray(from - at, to - at), from - start));
    });
  }

  /** Samples from `at` on that the output decodes to. */
  compare(at: number, block: Planes): void {
    this.#loudness.compare(at, block);
    const length = Math.min(block[0]?.length ?? 0, this.samples - at);
    forEachStretch(at, length, (start, from, to) => {
      const stretch = this.#stretches.get(start);
      if (stretch) this.#add(stretch, block, { from, to, start, at });
    });
  }

  /** Another output of the same source comes. */
  restart(): void {
    this.#loudness.restart();
    [this.#signal, this.#difference, this.#compared] = [0, 0, 0];
  }

  #add(stretch: Planes, block: Planes, { from, to, start, at }: Overlap): void {
    stretch.forEach((plane, n) => {
      const heard = block[n];
      for (let i = from; i < to; i += 1) {
        const sample = plane[i - start] ?? 0;
        this.#signal += sample ** 2;
        this.#difference += (sample - (heard?.[i - at] ?? 0)) ** 2;
      }
      this.#compared += to - from;
    });
  }

  /** What is wrong with the output, to follow "the output: "; null when nothing is. */
  verdict(): string | null {
    const loudness = this.#loudness.verdict();
    if (loudness !== null) return loudness;
    if (this.#difference <= INAUDIBLE * this.#compared) return null;
    return this.#db >= this.#leastDb ? null : `what it sounds like is not the source (${this.#db.toFixed(1)} dB)`;
  }

  /** What was compared, for the trace; nothing where there was nothing. */
  steps(): string[] {
    const { blocks } = this.#loudness;
    const steps = blocks > 0 ? [`as loud as the source, block by block (${blocks})`] : [];
    if (this.#compared === 0) return steps;
    const [count, db] = [this.#stretches.size, Number.isFinite(this.#db) ? `${this.#db.toFixed(1)} dB, ` : ''];
    steps.push(`sounds like the source (${db}${count} ${count === 1 ? 'stretch' : 'stretches'} of ${LENGTH} samples)`);
    return steps;
  }

  /** Of the sound above the difference. */
  get #db(): number {
    return 10 * Math.log10(this.#signal / this.#difference);
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
