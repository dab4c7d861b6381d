/** The waveform of one sound. To cancel, terminate the worker. */
import { expose } from 'comlink';
import type { WaveformApi } from '#lanes/music/browser/listening/waveform.ts';
import { toFailure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';

expose({
  async draw(source, onPart) {
    try {
      const { decodePeaks } = await import('#lanes/music/browser/listening/waveform-decode.ts');
      return ok(await decodePeaks(source, onPart));
    } catch (thrown) {
      return fail(toFailure(thrown));
    }
  },
} satisfies WaveformApi);
