import { describe, expect, test } from 'vitest';
import { Witness } from '#adapters/media/fast/witness.ts';
import type { Planes } from '#adapters/media/fast/trim.ts';
import { joinBytes as joined } from '#core/ingest/bytes.ts';
import { verifyOutput } from '#adapters/media/verify.ts';
import { encodeOgg } from '#adapters/media/vorbis/encoder.ts';
import { makeMusic } from '../../../scripts/bench/media/music.ts';

const COUNT = 24_000;
const MUSIC = new Int16Array(makeMusic(1, 3).buffer, 44);
/** Always the same noise, from -1 to 1. */
const noise = (i: number, side: number): number => Math.sin((i + 7 * side) ** 2 * 1.37 + i) ** 3;
const music = (i: number, side: number): number => (MUSIC[2 * i + side] ?? 0) / 32_768;

function sound(of: (i: number, side: number) => number, { count = COUNT, channels = 2 } = {}): Planes {
  return Array.from({ length: channels }, (_, side) => Float32Array.from({ length: count }, (_each, i) => of(i, side)));
}

/** Encodes `planes` and verifies the output as that of `source`. */
async function verdictOf(planes: Planes, rate: number, quality: number, source = planes): Promise<string | string[]> {
  const witness = new Witness(quality);
  witness.hear(source);
  async function* blocks(): AsyncGenerator<Planes> {
    yield planes;
  }
  const shape = { sampleRate: rate, channels: planes.length, quality, tags: {}, cover: null };
  const output = new Blob([joined(await Array.fromAsync(encodeOgg(blocks(), shape)))]);
  const checked = await verifyOutput(output, { samples: planes[0]?.length ?? 0, tags: {}, cover: null, witness });
  return typeof checked === 'string' ? checked : checked.verified.slice(3);
}

const RIGHT: [string, Planes, number][] = [
  ['music', sound(music), 44_100],
  ['music at 8 kHz', sound(music), 8000],
  ['music at 192 kHz', sound(music), 192_000],
  ['music of one side', sound((i, side) => (side === 0 ? music(i, 0) : 0)), 44_100],
  ['a side 50 dB below the other', sound((i, side) => music(i, side) * (side === 0 ? 1 : 0.003)), 44_100],
  ['mono', sound(music, { channels: 1 }), 48_000],
  ['noise', sound(noise), 44_100],
  ['noise at 8 kHz', sound(noise), 8000],
  ['noise at 192 kHz', sound(noise), 192_000],
  ['noise of -60 dB', sound((i, side) => noise(i, side) / 1000), 44_100],
  ['noise of -90 dB', sound((i, side) => noise(i, side) / 30_000), 44_100],
  ['silence', sound(() => 0), 44_100],
  ['clicks', sound((i) => (i % 7000 === 4095 ? 0.9 : 0)), 44_100],
  ['clicks at 192 kHz', sound((i) => (i % 7000 === 4095 ? 0.9 : 0)), 192_000],
  ['sound 12 dB above full scale', sound((i, side) => 4 * music(i, side)), 44_100],
  ['a thousandth of a second', sound(music, { count: 44 }), 44_100],
];

describe('MEDIA-21 a right output is not doubted', () => {
  test.each(RIGHT)('of %s', async (_, planes, rate) => {
    for (const quality of [0, 9]) expect(await verdictOf(planes, rate, quality)).toBeInstanceOf(Array);
  });

  test('MEDIA-77 and its steps say what was compared, no more', async () => {
    const steps = await verdictOf(sound(music), 44_100, 9);
    expect(steps[0]).toMatch(/^decodes without error$/);
    expect(steps[1]).toBe('as loud as the source, block by block (6)');
    expect(steps[2]).toMatch(/^sounds like the source \(\d+\.\d dB, 1 stretch of 512 samples\)$/);
    expect(await verdictOf(sound(music, { count: 1500 }), 44_100, 9)).toEqual([
      'decodes without error',
      'as loud as the source, block by block (1)',
    ]);
  });
});

describe('MEDIA-21 a wrong output is doubted', () => {
  const SOURCE = sound(music);
  const harmed = (harm: (sample: number, i: number) => number): Planes => SOURCE.map((plane) => plane.map(harm));

  test.each<[string, Planes]>([
    ['a block that is missing', harmed((sample, i) => (i >= 12_288 && i < 16_384 ? 0 : sample))],
    ['a block that is too loud', harmed((sample, i) => (i >= 12_288 && i < 16_384 ? sample * 4 : sample))],
    ['one sample far above full scale', harmed((sample, i) => (i === 15_000 ? 1000 : sample))],
    ['a side that is missing', SOURCE.map((plane, side) => (side === 1 ? plane.map(() => 0) : plane))],
    ['other sound', harmed((_, i) => noise(i, 0) / 5)],
  ])('MEDIA-82 for %s, at every quality', async (_, planes) => {
    for (const quality of [0, 9]) {
      expect(await verdictOf(planes, 44_100, quality, SOURCE)).toMatch(
        /^(it|what it) (is|sounds).* (than|not) the source/,
      );
    }
  });

  test.each([NaN, Infinity, 9])('for a source with a sample of %s, before it is encoded', (bad) => {
    const planes = harmed((sample, i) => (i === 5000 ? bad : sample));
    expect(() => new Witness(9).hear(planes)).toThrow('not every sample of its sound is a number');
  });
});
