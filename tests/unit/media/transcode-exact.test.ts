import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Planes } from '#adapters/media/fast/trim.ts';
import { openFfmpeg } from '#adapters/media/ffmpeg-core.ts';
import { headerOf } from '#adapters/media/headers/read.ts';
import { joinBytes as joined } from '#core/ingest/bytes.ts';
import { transcodeBlob } from '#adapters/media/transcode.ts';
import { verifyOutput } from '#adapters/media/verify.ts';
import { encodeOgg } from '#adapters/media/vorbis/encoder.ts';
import { makeAudio, type AudioFormat } from '../../fixtures/audio.ts';
import { withGaplessComment } from '../../fixtures/itunes-gapless.ts';
import { outputStore } from '../../fixtures/output-store.ts';
import { makePcm } from '../../fixtures/pcm.ts';
import { LAYOUTS, loudestTone, makeTones, wavOf } from '../../fixtures/tones.ts';

const RATES = [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000];
/** The last frame of so many samples begins at a time that no float has, and must not be cut to the sample before. */
const AWKWARD = { rate: 44_100, count: 15_860 };
const TAGS = { TITLE: 'x' };
const store = outputStore();

async function fallback(bytes: Uint8Array<ArrayBuffer>, name = 'x.wav'): Promise<Uint8Array<ArrayBuffer>> {
  const header = await headerOf(new Blob([bytes]));
  const { sample_rate: sampleRate = null, channels = null, duration_ms: durationMs = null } = header ?? {};
  const shape = { sampleRate, channels, durationMs };
  const job = { input: new Blob([bytes]), name, quality: 9, tags: TAGS, ...shape, fast: false };
  const result = await transcodeBlob(job, store);
  if (!result.ok) throw new Error(result.failure.message);
  return store.bytes(result.value);
}

async function small(planes: Planes, sampleRate: number): Promise<Uint8Array<ArrayBuffer>> {
  async function* blocks(): AsyncGenerator<Planes> {
    yield planes;
  }
  const shape = { sampleRate, channels: planes.length, quality: 9, tags: TAGS, cover: null };
  return joined(await Array.fromAsync(encodeOgg(blocks(), shape)));
}

/** Its channels in the order of WAV, as ffmpeg hears them. */
async function decoded(ogg: Uint8Array<ArrayBuffer>, channels: number): Promise<Planes> {
  const files = { inputs: [{ name: 'in.ogg', data: ogg.slice() }], outputs: ['out.raw'] };
  const raw = (await openFfmpeg().run(['-i', 'in.ogg', '-f', 'f32le', 'out.raw'], files)).outputs.get('out.raw');
  const all = new Float32Array(raw?.slice().buffer ?? new ArrayBuffer(0));
  return Array.from({ length: channels }, (_, channel) => all.filter((_each, i) => i % channels === channel));
}

describe('MEDIA-50, MEDIA-64 outputs are as long as their sources, to the sample', () => {
  test.each(RATES)('at %i Hz, both ways', async (rate) => {
    const count = rate === AWKWARD.rate ? AWKWARD.count : Math.round(rate * 0.2) + 7;
    const planes = makeTones(count, rate, 2);
    const outputs = [await fallback(wavOf(planes, rate, LAYOUTS.stereo ?? 3)), await small(planes, rate)];
    for (const output of outputs) {
      const checked = await verifyOutput(new Blob([output]), { samples: count, tags: TAGS, cover: null });
      expect(checked).toMatchObject({ info: { sample_rate: rate, channels: 2, samples: count } });
    }
  });
});

test.each(Object.entries(LAYOUTS))('MEDIA-51 the channels of %s come out where they were', async (_, mask) => {
  const rate = 16_000;
  const channels = mask.toString(2).replaceAll('0', '').length;
  const heard = await decoded(await fallback(wavOf(makeTones(rate / 2, rate, channels), rate, mask)), channels);
  expect(heard.map((plane) => loudestTone(plane, rate, channels))).toEqual([...heard.keys()]);
});

describe('MEDIA-52 what an encoder put before and behind the music is cut off', () => {
  const SHAPE = { seconds: 1.5, sampleRate: 48_000, channels: 1, seed: 5 };
  const SOURCE = new Int16Array(makePcm(SHAPE).buffer);

  /** The output is exactly as long as what the encoder was given, and lies on it. Decibels. */
  async function closeness(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<number> {
    const output = await fallback(bytes, name);
    const [heard = new Float32Array(0)] = await decoded(output, 1);
    expect(heard).toHaveLength(SOURCE.length);
    let [signal, noise] = [0, 0];
    SOURCE.forEach((sample, i) => {
      signal += (sample / 32_768) ** 2;
      noise += (sample / 32_768 - (heard[i] ?? 0)) ** 2;
    });
    return 10 * Math.log10(signal / noise);
  }

  test.each<[string, AudioFormat, string[]]>([
    ['MP3 by its LAME header', 'mp3', ['-c:a', 'libmp3lame', '-b:a', '192k']],
    ['AAC by its edit list', 'm4a', ['-c:a', 'aac', '-b:a', '192k']],
    ['Opus by its pre-skip', 'opus', ['-c:a', 'libopus', '-b:a', '128k']],
  ])('%s', async (_, format, encoder) => {
    expect(await closeness(await makeAudio({ ...SHAPE, format, encoder }), `x.${format}`)).toBeGreaterThan(15);
  });

  /** AAC whose gaps iTunes' comment tells, in place of an edit list. */
  async function commented(): Promise<Uint8Array<ArrayBuffer>> {
    const encoder = ['-c:a', 'aac', '-b:a', '192k'];
    const edited = await makeAudio({ ...SHAPE, format: 'm4a', encoder, tags: { title: 'x' } });
    return withGaplessComment(edited, { delay: 1024, samples: SOURCE.length });
  }

  test("AAC by iTunes' comment, where there is no edit list", async () => {
    const bytes = await commented();
    expect(await headerOf(new Blob([bytes]))).toMatchObject({ skip: 1024, duration_ms: 1500 });
    expect(await closeness(bytes, 'x.m4a')).toBeGreaterThan(15);
  });

  test("iTunes' comment counts only when it explains the length of the track", async () => {
    const bytes = await commented();
    const at = Buffer.from(bytes).indexOf('00000400');
    bytes.set(new TextEncoder().encode('00000840'), at);
    expect(await headerOf(new Blob([bytes]))).toMatchObject({ skip: 0 });
  });
});

const NATIVE = {
  ffmpeg: ['-v', 'error', '-xerror', '-i', 'FILE', '-f', 'null', '-'],
  oggdec: ['-Q', '-o', '/dev/null', 'FILE'],
};
const folder = mkdtempSync(join(tmpdir(), 'accession-exact-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(Object.entries(NATIVE))('MEDIA-53 native %s, where it is installed', (tool, args) => {
  const installed = spawnSync(tool, ['-h'], { stdio: 'ignore' }).error === undefined;
  test.skipIf(!installed)('takes the outputs of both ways', async () => {
    const planes = makeTones(20_000, 44_100, 2);
    const outputs = [await fallback(wavOf(planes, 44_100, 3)), await small(planes, 44_100)];
    for (const [n, output] of outputs.entries()) {
      const path = join(folder, `${tool}-${n}.ogg`);
      writeFileSync(path, output);
      const { status, stderr } = spawnSync(
        tool,
        args.map((arg) => (arg === 'FILE' ? path : arg)),
        { encoding: 'utf8' },
      );
      expect([status, stderr]).toEqual([0, '']);
    }
  });
});
