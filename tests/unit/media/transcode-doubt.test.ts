import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { transcodeBlob } from '#adapters/media/transcode.ts';
import type { OutputStore, Transcoded } from '#adapters/media/transcode.types.ts';
import type { Result } from '#core/result.ts';
import { scratchFile } from '../../fixtures/audio.ts';
import { outputStore } from '../../fixtures/output-store.ts';
import { floatWavOf, LAYOUTS, makeTones, wavOf } from '../../fixtures/tones.ts';

const RATE = 44_100;
const SOUND = makeTones(RATE, RATE, 2);

// WAV is read by Mediabunny itself: of WebCodecs nothing is needed but that it is there.
beforeEach(() => vi.stubGlobal('AudioDecoder', () => undefined));
afterEach(() => vi.unstubAllGlobals());

/** A store that gives `harmed` of its files back other than they were put there. */
function harming(harmed: number): OutputStore {
  const store = outputStore();
  let left = harmed;
  return {
    put: (chunks) => store.put(chunks),
    async file(sha256) {
      const bytes = await store.bytes({ sha256 });
      left -= 1;
      return new Blob([left >= 0 ? scratchFile(bytes, 0.8, 20) : bytes]);
    },
  };
}

async function convert(harmed: number, extra: { durationMs?: number } = {}): Promise<Result<Transcoded>> {
  const input = new Blob([wavOf(SOUND, RATE, LAYOUTS.stereo ?? 3)]);
  const job = {
    input,
    name: 'x.wav',
    quality: 6,
    tags: { TITLE: 'x' },
    sampleRate: RATE,
    channels: 2,
    durationMs: 1000,
  };
  return transcodeBlob({ ...job, ...extra }, harming(harmed));
}

test('MEDIA-55, MEDIA-81 without a doubt the fast way does it, exact and compared with the source', async () => {
  const result = await convert(0);
  expect(result).toMatchObject({
    ok: true,
    value: { samples: RATE, conversion_reason: 'pcm_s16le -> vorbis q6, fast' },
  });
  expect(result.ok && result.value.verified.at(-1)).toMatch(/^sounds like the source \(\d+\.\d dB, 1 stretch/);
  expect(result.ok && result.value.verified).toContain('as loud as the source, block by block (11)');
});

test('MEDIA-55, MEDIA-78, MEDIA-81 a doubt about its output sends the file to ffmpeg, and that is said', async () => {
  const result = await convert(1);
  expect(result.ok && result.value.conversion_reason).toMatch(
    /^pcm_s16le -> vorbis q6, by ffmpeg: its output did not pass the check: .*CRC/,
  );
  expect(result.ok && result.value.samples).toBe(RATE);
  // What the fast way heard of the source is held against ffmpeg's output too.
  expect(result.ok && result.value.verified.at(-1)).toMatch(/^sounds like the source/);
});

test('MEDIA-55, MEDIA-78 a second doubt is a failure with its reason', async () => {
  const result = await convert(2);
  expect(result).toMatchObject({ ok: false, failure: { code: 'verification_failed', subject: 'x.wav' } });
  expect(!result.ok && result.failure.message).toMatch(
    /^"x\.wav" was converted, but the output did not pass its check: .*CRC/,
  );
});

test('MEDIA-55 a source that is not as it was probed is doubted before it is encoded', async () => {
  const result = await convert(0, { durationMs: 10_000 });
  expect(result).toMatchObject({ ok: false, failure: { code: 'file_damaged' } });
});

test.each([NaN, 1e20])(
  'MEDIA-21, MEDIA-77 a sample of %s is a doubt, and what ffmpeg makes of it is not called compared',
  async (bad) => {
    const planes = makeTones(RATE, RATE, 2).map((plane) => plane.slice());
    planes[0]?.fill(bad, 5000, 5001);
    const input = new Blob([floatWavOf(planes, RATE)]);
    const job = { input, name: 'x.wav', quality: 6, tags: {}, sampleRate: RATE, channels: 2, durationMs: 1000 };
    const result = await transcodeBlob(job, outputStore());
    const told = result.ok ? result.value.conversion_reason : result.failure.message;
    expect(told).toContain('by ffmpeg: not every sample of its sound is a number within 18 dB of full scale');
    expect(result.ok && result.value.verified.at(-1)).toBe('not compared with the source');
  },
);

test('MEDIA-55, MEDIA-83 where both encoders make the same of it, the output counts and what differs is said', async () => {
  // Vorbis leaves it out at so low a quality.
  const tone = Float32Array.from({ length: RATE }, (_, i) => Math.sin((i * 2 * Math.PI * 17_000) / RATE) / 2);
  const input = new Blob([wavOf([tone, tone], RATE, LAYOUTS.stereo ?? 3)]);
  const job = { input, name: 'x.wav', quality: 0, tags: {}, sampleRate: RATE, channels: 2, durationMs: 1000 };
  const result = await transcodeBlob(job, outputStore());
  expect(result.ok && result.value.verified.at(-1)).toBe(
    'it is quieter than the source at sample 0 of channel 1, as another encoder makes it too',
  );
});
