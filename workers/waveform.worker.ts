/** The waveform of one sound. To cancel, terminate the worker. */
import { expose } from 'comlink';
import type { WaveformApi } from '#lanes/music/browser/listening/waveform.ts';
import { answered } from '#core/result.ts';

expose({
  draw: (source, onPart) =>
    answered(async () => {
      const { decodePeaks } = await import('#lanes/music/browser/listening/waveform-decode.ts');
      return decodePeaks(source, onPart);
    }),
} satisfies WaveformApi);
