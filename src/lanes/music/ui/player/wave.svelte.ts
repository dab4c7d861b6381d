import type { Peaks } from '#lanes/music/core/waveform/peaks.ts';
import { waveforms, type WaveformSource } from '../client.ts';

/** The waveform of one lane. */
export class Wave {
  peaks = $state.raw<Peaks | null>(null);
  /** 0..1 while it is made. */
  share = $state<number | null>(null);
  /** Why there is none: a sentence. */
  problem = $state<string | null>(null);
  #making: AbortController | null = null;

  /** Takes one that was made before in this visit. */
  recall(key: string): boolean {
    this.reset();
    this.peaks = waveforms.known(key);
    return this.peaks !== null;
  }

  /** `source` is asked for only where it has to be made. */
  async make(key: string, source: () => Promise<WaveformSource | null>): Promise<void> {
    if (this.recall(key)) return;
    const making = new AbortController();
    this.#making = making;
    this.share = 0;
    const found = await source();
    if (making.signal.aborted) return;
    if (found === null) {
      this.share = null;
      return;
    }
    const answer = await waveforms.draw(
      key,
      found,
      (peaks, share) => {
        this.peaks = peaks;
        this.share = share;
      },
      making.signal,
    );
    if (making.signal.aborted) return;
    this.share = null;
    this.peaks = answer.ok ? answer.value : null;
    if (!answer.ok) this.problem = answer.failure.message;
  }

  /** Ends what is being made. */
  reset(): void {
    this.#making?.abort();
    this.#making = null;
    this.peaks = null;
    this.share = null;
    this.problem = null;
  }
}
