/** Waveforms for the page: made in a worker that is ended when nobody wants it, and kept by content for this visit. */
import { proxy, wrap } from 'comlink';
import { failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import type { Peaks } from '#lanes/music/core/waveform/peaks.ts';

/** A stored file, or the stretch of it that is one track of an album image; or what the server sends. Milliseconds. */
export type WaveformSource =
  | { kind: 'stored'; blob: Blob; start_ms: number; end_ms: number | null; duration_ms: number | null }
  | { kind: 'served'; url: string; duration_ms: number | null };

/** waveform.worker: one sound; terminated to cancel. */
export interface WaveformApi {
  draw(source: WaveformSource, onPart: (peaks: Peaks, share: number) => void): Promise<Result<Peaks>>;
}

/** 1.6 kB each: enough for an evening, and made again in a second or two, so that nothing of it is stored. */
const KEPT = 128;

export interface WaveformWorker {
  api: WaveformApi;
  /** Answers when the worker could not be loaded or died. */
  died: Promise<void>;
  terminate(): void;
}

export function createWaveforms(spawn: () => WaveformWorker = spawnWaveform) {
  /** The one that was asked for longest ago comes first. */
  const kept = new Map<string, Peaks>();

  function keep(key: string, peaks: Peaks): void {
    kept.delete(key);
    kept.set(key, peaks);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  }

  /** What was made before of this content. */
  function known(key: string): Peaks | null {
    const peaks = kept.get(key);
    if (peaks !== undefined) keep(key, peaks);
    return peaks ?? null;
  }

  return {
    known,

    /** `key` names the content; `signal` ends the work at once, and then the answer is the failure `cancelled`. */
    async draw(
      key: string,
      source: WaveformSource,
      onPart: (peaks: Peaks, share: number) => void,
      signal: AbortSignal,
    ): Promise<Result<Peaks>> {
      const before = known(key);
      if (before !== null) return { ok: true, value: before };
      if (signal.aborted) return cancelled();
      const worker = spawn();
      const stopped = new Promise<Result<Peaks>>((stop) =>
        signal.addEventListener('abort', () => stop(cancelled()), { once: true }),
      );
      const died = worker.died.then(() => fail(failure('worker_died', 'The waveform could not be made.')));
      try {
        const report = (peaks: Peaks, share: number): void => {
          if (!signal.aborted) onPart(peaks, share);
        };
        const answer = await Promise.race([worker.api.draw(source, report), stopped, died]);
        if (answer.ok) keep(key, answer.value);
        return answer;
      } finally {
        worker.terminate();
      }
    },
  };
}

const cancelled = (): Result<never> => fail(failure('cancelled', 'Not wanted any more.'));

function spawnWaveform(): WaveformWorker {
  // In one expression, so that Vite sees a worker to be built.
  const worker = new Worker(new URL('../../../../../workers/waveform.worker.ts', import.meta.url), {
    type: 'module',
    name: 'waveform',
  });
  const remote = wrap<WaveformApi>(worker);
  return {
    api: { draw: (source, onPart) => remote.draw(source, proxy(onPart)) },
    died: new Promise((say) => worker.addEventListener('error', () => say())),
    terminate: () => worker.terminate(),
  };
}
