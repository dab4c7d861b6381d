/** A waveform as the lowest and highest sample of each stretch of sound, folded as the sound streams by. */

/** What is kept of a sound: at most this many stretches, whatever its length. */
export const MOST_PEAKS = 800;

/** One pair a stretch, -127..127; a stretch where nothing was heard is 0 and 0. */
export interface Peaks {
  low: Int8Array<ArrayBuffer>;
  high: Int8Array<ArrayBuffer>;
  /** Milliseconds that all stretches together stand for; what is not decoded yet included. */
  duration_ms: number;
}

const FULL = 127;

/** Takes sound block by block; its memory is the same for a second and for a day. */
export class PeakFolder {
  readonly #rate: number;
  readonly #low = new Float32Array(MOST_PEAKS);
  readonly #high = new Float32Array(MOST_PEAKS);
  /** Frames of one stretch. */
  #width: number;
  #expected: number;
  #heard = 0;

  /** `expected`: milliseconds that the sound should last; longer sound is folded coarser, shorter leaves the rest empty. */
  constructor(rate: number, expected: number) {
    this.#rate = rate;
    this.#expected = Math.max(1, Math.round((expected * rate) / 1000));
    this.#width = Math.max(1, Math.ceil(this.#expected / MOST_PEAKS));
  }

  /** One block, of which every channel counts: planes of the same length, samples -1..1. */
  take(planes: readonly Float32Array[]): void {
    const frames = planes[0]?.length ?? 0;
    while (this.#heard + frames > this.#width * MOST_PEAKS) this.#halve();
    for (const plane of planes) this.#fold(plane);
    this.#heard += frames;
  }

  /** Frames that were taken. */
  get heard(): number {
    return this.#heard;
  }

  /** 0..1 of what was expected. */
  get share(): number {
    return Math.min(1, this.#heard / this.#expected);
  }

  /** What is there by now. `ended`: nothing more comes, so the sound is as long as what was heard. */
  peaks(ended: boolean): Peaks {
    const frames = ended ? Math.max(1, this.#heard) : Math.max(this.#expected, this.#heard);
    const count = Math.min(MOST_PEAKS, Math.ceil(frames / this.#width));
    return {
      low: quantized(this.#low, count),
      high: quantized(this.#high, count),
      duration_ms: (count * this.#width * 1000) / this.#rate,
    };
  }

  #fold(plane: Float32Array): void {
    const width = this.#width;
    for (let at = 0; at < plane.length;) {
      const stretch = Math.floor((this.#heard + at) / width);
      const end = Math.min(plane.length, (stretch + 1) * width - this.#heard);
      let low = this.#low[stretch] ?? 0;
      let high = this.#high[stretch] ?? 0;
      for (; at < end; at += 1) {
        const sample = plane[at] ?? 0;
        if (sample < low) low = sample;
        else if (sample > high) high = sample;
      }
      this.#low[stretch] = low;
      this.#high[stretch] = high;
    }
  }

  /** Two stretches become one. */
  #halve(): void {
    for (let i = 0; i < MOST_PEAKS; i += 1) {
      const [a, b] = [2 * i, 2 * i + 1];
      this.#low[i] = a < MOST_PEAKS ? Math.min(this.#low[a] ?? 0, this.#low[b] ?? 0) : 0;
      this.#high[i] = a < MOST_PEAKS ? Math.max(this.#high[a] ?? 0, this.#high[b] ?? 0) : 0;
    }
    this.#width *= 2;
  }
}

/** Rounded away from nothing, so that a whisper is not drawn as silence. */
function quantized(values: Float32Array, count: number): Int8Array<ArrayBuffer> {
  return Int8Array.from({ length: count }, (_, i) => {
    const value = Math.max(-1, Math.min(1, values[i] ?? 0)) * FULL;
    return value < 0 ? Math.floor(value) : Math.ceil(value);
  });
}
