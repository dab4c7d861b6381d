import { describe, expect, test } from 'vitest';
import type { Planes } from '#adapters/media/fast/trim.ts';
import { openFfmpeg } from '#adapters/media/ffmpeg-core.ts';
import { joinBytes as joined } from '#core/ingest/bytes.ts';
import { verifyOutput } from '#adapters/media/verify.ts';
import { encodeOgg } from '#adapters/media/vorbis/encoder.ts';
import { makeMusic } from '../../../scripts/bench/media/music.ts';
import { makeCover } from '../../fixtures/cover.ts';

const RATE = 44_100;
const SECONDS = 8;
const WAV = makeMusic(SECONDS, 3);
const SOURCE = new Int16Array(WAV.buffer, 44);

/** Interleaved 16-bit sound as blocks of planes of uneven lengths. */
async function* blocksOf(sound: Int16Array): AsyncGenerator<Planes> {
  const count = sound.length / 2;
  for (let at = 0, size = 1; at < count; at += size, size = (size % 5000) + 777) {
    const length = Math.min(size, count - at);
    yield [0, 1].map((side) => Float32Array.from({ length }, (_, i) => (sound[(at + i) * 2 + side] ?? 0) / 32768));
  }
}

async function decode(ogg: Uint8Array<ArrayBuffer>): Promise<Int16Array> {
  const files = { inputs: [{ name: 'in.ogg', data: ogg }], outputs: ['out.raw'] };
  const { outputs } = await openFfmpeg().run(['-i', 'in.ogg', '-f', 's16le', 'out.raw'], files);
  const raw = outputs.get('out.raw');
  if (!raw) throw new Error('It does not decode.');
  return new Int16Array(raw.buffer, raw.byteOffset, raw.length >> 1);
}

/** Signal to noise against the source, decibels. */
async function snr(ogg: Uint8Array<ArrayBuffer>): Promise<number> {
  const sound = await decode(ogg);
  let signal = 0;
  let noise = 0;
  for (const [i, sample] of SOURCE.entries()) {
    signal += sample ** 2;
    noise += (sample - (sound[i] ?? 0)) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

const TAGS = { TITLE: 'x' };
const COVER = makeCover(1);

async function small(quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const shape = { sampleRate: RATE, channels: 2, quality, tags: TAGS, cover: COVER };
  return joined(await Array.fromAsync(encodeOgg(blocksOf(SOURCE), shape)));
}

async function libvorbis(quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const files = { inputs: [{ name: 'in.wav', data: WAV.slice() }], outputs: ['out.ogg'] };
  const { outputs } = await openFfmpeg().run(
    ['-i', 'in.wav', '-c:a', 'libvorbis', '-q:a', `${quality}`, 'out.ogg'],
    files,
  );
  return outputs.get('out.ogg') ?? new Uint8Array();
}

describe('the small encoder', () => {
  test.each([0, 4, 9])('MEDIA-22 quality %i is that of libvorbis within 0.5 dB, and of its size', async (quality) => {
    const [own, other] = [await small(quality), await libvorbis(quality)];
    expect(Math.abs((await snr(own)) - (await snr(other)))).toBeLessThan(0.5);
    expect(own.length / other.length).toBeGreaterThan(0.9);
    expect(own.length / other.length).toBeLessThan(1.1);
  });

  test('MEDIA-21 its output is as long as the source to the sample, and the same each time', async () => {
    const own = await small(9);
    const expected = { samples: RATE * SECONDS, tags: TAGS, cover: COVER };
    expect(await verifyOutput(new Blob([own]), expected)).toMatchObject({ info: { channels: 2, sample_rate: RATE } });
    expect(await small(9)).toEqual(own);
  });
});
