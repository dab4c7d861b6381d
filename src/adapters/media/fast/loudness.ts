/**
 * How loud a sound is, one figure a channel for every 4096 samples: of the source and of what its output decodes to.
 * The limits were measured with music, noise, tones, clicks, silence and one-sided sound from 8 to 192 kHz at all
 * qualities (tests/unit/media/transcode-witness.test.ts keeps the worst of them).
 */
import { Doubt, type Planes } from './trim.ts';

const BLOCK = 4096;
/** Of a block; what is below -80 dB is not heard, and Vorbis may leave it out. Sum of squares. */
const INAUDIBLE = BLOCK * 1e-8;
/** No sound that was meant is so far above full scale (18 dB). */
const MOST = 8;
/** A block may lose what lies above the low-pass: 11 dB of noise at 192 kHz and a low quality, 1 dB from q9 on. */
const LEAST = { low: 0.04, high: 0.5 };
/** What rings before and behind a sound lies in the next block; a quiet side may hear 40 dB less of the other. */
const MORE = 2;
const OTHER_SIDE = 0.01;

export class Loudness {
  readonly #least: number;
  #samples = 0;
  readonly #source: number[][] = [];
  #output: number[][] = [];

  /** `high`: the output is of a quality that leaves nothing out. */
  constructor(high: boolean) {
    this.#least = high ? LEAST.high : LEAST.low;
  }

  /** Samples a channel of the source that were heard. */
  get samples(): number {
    return this.#samples;
  }

  get blocks(): number {
    return this.#source[0]?.length ?? 0;
  }

  /** The next samples of the source. Throws Doubt when one is not a number, or far above full scale. */
  hear(planes: Planes): void {
    const length = planes[0]?.length ?? 0;
    planes.forEach((plane, channel) => {
      if (!isSound(plane)) throw new Doubt('not every sample of its sound is a number within 18 dB of full scale');
      add((this.#source[channel] ??= []), this.#samples, plane);
    });
    this.#samples += length;
  }

  /** Samples of the output from `at` on; what lies behind the source's end is not counted. */
  compare(at: number, planes: Planes): void {
    planes.forEach((plane, channel) => {
      add((this.#output[channel] ??= []), at, plane.subarray(0, Math.max(0, this.#samples - at)));
    });
  }

  /** Another output of the same source comes. */
  restart(): void {
    this.#output = [];
  }

  /** Where the output is not as loud as the source, to follow "the output: "; null when it is everywhere. */
  verdict(): string | null {
    const around = this.#source.map((row) => row.map((energy, n) => (row[n - 1] ?? 0) + energy + (row[n + 1] ?? 0)));
    for (const [channel, row] of this.#source.entries()) {
      for (const [n, energy] of row.entries()) {
        const heard = this.#output[channel]?.[n] ?? 0;
        const all = around.reduce((sum, each) => sum + (each[n] ?? 0), 0);
        const most = MORE * (around[channel]?.[n] ?? 0) + OTHER_SIDE * all + INAUDIBLE;
        const place = `at sample ${n * BLOCK} of channel ${channel + 1}`;
        // As questions that are false for what is no number.
        if (!(heard <= most)) return `it is louder than the source ${place}`;
        if (!(heard >= this.#least * energy - INAUDIBLE)) return `it is quieter than the source ${place}`;
      }
    }
    return null;
  }
}

function isSound(plane: Float32Array): boolean {
  for (let i = 0; i < plane.length; i += 1) {
    const sample = plane[i] ?? 0;
    if (!(sample <= MOST && sample >= -MOST)) return false;
  }
  return true;
}

function add(row: number[], at: number, plane: Float32Array): void {
  for (let from = 0; from < plane.length;) {
    const block = Math.floor((at + from) / BLOCK);
    const to = Math.min(plane.length, (block + 1) * BLOCK - at);
    let sum = 0;
    for (let i = from; i < to; i += 1) {
      const sample = plane[i] ?? 0;
      sum += sample * sample;
    }
    row[block] = (row[block] ?? 0) + sum;
    from = to;
  }
}
