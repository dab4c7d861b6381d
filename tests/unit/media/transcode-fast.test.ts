import { describe, expect, test } from 'vitest';
import { isWholeFrame } from '#adapters/media/fast/flac-seek.ts';
import { trimmed, type Planes } from '#adapters/media/fast/trim.ts';
import { breaksThePage } from '#adapters/media/fast/webcodecs.ts';
import { Witness } from '#adapters/media/fast/witness.ts';
import { headerOf } from '#adapters/media/headers/read.ts';
import { makeAudio } from '../../fixtures/audio.ts';

async function* blocks(...lengths: number[]): AsyncGenerator<Planes> {
  let at = 0;
  for (const length of lengths) yield [Float32Array.from({ length }, () => at++)];
}

async function trim(skip: number, samples: number, excess: number): Promise<number[]> {
  const out = await Array.fromAsync(trimmed(blocks(3, 4, 5), { skip, samples, excess }));
  return out.flatMap(([plane]) => [...(plane ?? [])]);
}

describe('the cut of delay and padding', () => {
  test('MEDIA-20, MEDIA-80 leaves exactly the music, wherever the blocks end', async () => {
    expect(await trim(0, 12, 0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(await trim(4, 5, 10)).toEqual([4, 5, 6, 7, 8]);
    expect(await trim(3, 4, 5)).toEqual([3, 4, 5, 6]);
  });

  test('MEDIA-20, MEDIA-80 doubts when something is missing or too much is left over', async () => {
    await expect(trim(2, 11, 0)).rejects.toThrow('10 of 11 samples were decoded');
    await expect(trim(0, 10, 1)).rejects.toThrow('2 samples more than the file says were decoded');
  });

  test.each([
    ['mp3', 576 + 529],
    ['m4a', 1024],
    ['opus', 312],
    ['flac', 0],
    ['wav', 0],
  ] as const)('MEDIA-20 the header of %s says how much lies before the music', async (format, skip) => {
    const bytes = await makeAudio({ format, seconds: 3, sampleRate: 48_000, channels: 2 });
    expect(await headerOf(new Blob([bytes]))).toMatchObject({ skip });
  });
});

describe('the witness of how a source sounds', () => {
  const noise = (seed: number, length: number): Float32Array =>
    Float32Array.from({ length }, (_, i) => Math.sin(i * i * 0.37 + seed));
  const SOURCE = noise(0, 600_000);

  function verdict(output: Float32Array): string | null {
    const witness = new Witness(9);
    const each = (sound: Float32Array, take: (at: number, plane: Float32Array) => void): void => {
      for (let at = 0; at < sound.length; at += 1152) take(at, sound.subarray(at, at + 1152));
    };
    each(SOURCE, (_, plane) => witness.hear([plane]));
    each(output, (at, plane) => witness.compare(at, [plane]));
    return witness.verdict();
  }

  test('MEDIA-21 agrees with the source and with what is nearly it', () => {
    expect(verdict(SOURCE)).toBeNull();
    expect(verdict(SOURCE.map((sample, i) => sample + 0.1 * Math.cos(i)))).toBeNull();
  });

  test('MEDIA-21, MEDIA-82 tells silence, other sound and the same sound a packet later', () => {
    for (const wrong of [new Float32Array(600_000), noise(2, 600_000), new Float32Array([...SOURCE.slice(1024)])]) {
      expect(verdict(wrong)).toMatch(/^(what it sounds like is not|it is quieter than) the source/);
    }
  });
});

test('MEDIA-21 a frame of FLAC is whole when its checksum says so', async () => {
  const bytes = await makeAudio({ format: 'flac', seconds: 2 });
  const starts = [...bytes.keys()].filter((at) => bytes[at] === 0xff && bytes[at + 1] === 0xf8);
  // The bytes of a frame's header may stand inside another: of all stretches, some are frames.
  const frames = starts.map((at, n) => bytes.subarray(at, starts[n + 1])).filter(isWholeFrame);
  expect(frames.length).toBeGreaterThan(starts.length / 2);
  for (const frame of frames) {
    const scratched = frame.slice();
    scratched[20] = (scratched[20] ?? 0) ^ 1;
    expect(isWholeFrame(scratched)).toBe(false);
  }
});

describe('MEDIA-65 a decoder that takes the page with it is never begun', () => {
  const GTK = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/60.5 Safari/605.1.15';
  const CHROMIUM =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
  const SAFARI =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
  const mp3 = (numberOfChannels: number): AudioDecoderConfig => ({
    codec: 'mp3',
    numberOfChannels,
    sampleRate: 44_100,
  });

  test('MP3 with one channel in WebKitGTK, and nothing else', () => {
    expect(breaksThePage(mp3(1), GTK)).toBe(true);
    expect(breaksThePage(mp3(2), GTK)).toBe(false);
    expect(breaksThePage({ ...mp3(1), codec: 'flac' }, GTK)).toBe(false);
    for (const other of [CHROMIUM, SAFARI, FIREFOX]) expect(breaksThePage(mp3(1), other)).toBe(false);
  });
});
