import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { transcodeBlob } from '#adapters/media/transcode.ts';
import type { TranscodeInput } from '#adapters/media/transcode.types.ts';
import { failure } from '#core/errors.ts';
import { fail } from '#core/result.ts';
import { makeAudio } from '../../fixtures/audio.ts';
import { outputStore } from '../../fixtures/output-store.ts';
import { LAYOUTS, makeTones, wavOf } from '../../fixtures/tones.ts';

const ENCODED = fail(failure('conversion_failed', 'ffmpeg was asked'));
const calls = vi.hoisted(() => ({ load: vi.fn<() => Promise<WebAssembly.Module>>(), ffmpeg: vi.fn() }));
vi.mock('#vorbis-wasm', () => ({ loadVorbisWasm: calls.load }));
vi.mock('#adapters/media/encode.ts', () => ({ encodeVorbis: calls.ffmpeg }));

beforeEach(() => {
  vi.stubGlobal('AudioDecoder', () => undefined);
  calls.ffmpeg.mockReset().mockResolvedValue(ENCODED);
});
afterEach(() => vi.unstubAllGlobals());

function jobOf(bytes: Uint8Array<ArrayBuffer>, name: string, durationMs: number): TranscodeInput {
  return { input: new Blob([bytes]), name, quality: 6, tags: {}, sampleRate: 44_100, channels: 2, durationMs };
}

test.each([
  ['offline', new TypeError('fetch failed')],
  ['conversion_failed', new WebAssembly.CompileError('no SIMD')],
])(
  'MEDIA-59 without libvorbis the file is %s, and ffmpeg encodes nothing that could not be verified',
  async (code, why) => {
    calls.load.mockRejectedValue(why);
    const job = jobOf(wavOf(makeTones(44_100, 44_100, 2), 44_100, LAYOUTS.stereo ?? 3), 'x.wav', 1000);
    const result = await transcodeBlob(job, outputStore());
    expect(result).toMatchObject({ ok: false, failure: { code } });
    expect(!result.ok && result.failure.message).toContain(why.message);
    expect(calls.ffmpeg).not.toHaveBeenCalled();
  },
);

test('UI-55 checking Vorbis that may be kept is no more than encoding it is, as it may have to be', async () => {
  const { readFile } = await import('node:fs/promises');
  const wasm = await readFile(new URL('../../../src/adapters/media/vorbis/vorbis.wasm', import.meta.url));
  calls.load.mockResolvedValue(await WebAssembly.compile(wasm));
  const said: number[] = [];
  // Its length is not as it was probed: it is read to its end, and then a doubt.
  const job = { ...jobOf(await makeAudio({ format: 'ogg', seconds: 3 }), 'x.ogg', 2500), quality: 10 };
  await transcodeBlob({ ...job, fast: false }, outputStore(), (share) => said.push(share));
  expect(calls.ffmpeg).toHaveBeenCalledOnce();
  expect(said.at(-1)).toBe(0.85);
});
