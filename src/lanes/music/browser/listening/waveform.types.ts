import type { Result } from '#core/result.ts';
import type { Peaks } from '#lanes/music/core/waveform/peaks.ts';

/** A stored file, or the stretch of it that is one track of an album image; or what the server sends. Milliseconds. */
export type WaveformSource =
  | { kind: 'stored'; blob: Blob; start_ms: number; end_ms: number | null; duration_ms: number | null }
  | { kind: 'served'; url: string; duration_ms: number | null };

/** waveform.worker: one sound; terminated to cancel. */
export interface WaveformApi {
  draw(source: WaveformSource, onPart: (peaks: Peaks, share: number) => void): Promise<Result<Peaks>>;
}
