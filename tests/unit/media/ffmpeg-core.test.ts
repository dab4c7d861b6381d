import { afterEach, describe, expect, it, vi } from 'vitest';
import { openFfmpeg } from '#adapters/media/ffmpeg-core.ts';
import { LogBuffer, readLog, reasonOf } from '#adapters/media/ffmpeg-log.ts';
import { makeAudio, makeGarbage, scratchFile } from '../../fixtures/audio.ts';

const DECODE = ['-v', 'verbose', '-i', 'in.flac', '-f', 'null', '-'];

it('MEDIA-11: what one run was told or met does not reach the next', async () => {
  const scratched = scratchFile(await makeAudio({ format: 'flac', seconds: 20 }), 0.5, 600);
  const inputs = [{ name: 'in.flac', data: scratched }];
  const strict = await openFfmpeg().run(['-xerror', ...DECODE], { inputs, outputs: [] });
  expect(strict.code).not.toBe(0);
  const lenient = await openFfmpeg().run(DECODE, { inputs, outputs: [] });
  expect(lenient.code).toBe(0);
  expect(lenient.decodeErrors).toBeGreaterThan(0);
});

it('MEDIA-11: runs at the same time do not see each other', async () => {
  const sources = await Promise.all([2, 3, 4].map((seconds) => makeAudio({ format: 'flac', seconds })));
  const runs = sources.map((data) =>
    openFfmpeg().run(DECODE, { inputs: [{ name: 'in.flac', data: new Blob([data]) }], outputs: [] }),
  );
  const decoded = (await Promise.all(runs)).map((run) => readLog(run.log).decoded);
  expect(decoded).toEqual([16_000, 24_000, 32_000]);
});

it('MEDIA-54: what is written from front to back leaves the core at once, byte for byte', async () => {
  const inputs = [{ name: 'in.flac', data: await makeAudio({ format: 'flac', seconds: 4 }) }];
  const args = ['-i', 'in.flac', '-c:a', 'libvorbis', '-fflags', '+bitexact', '-flags:a', '+bitexact', 'out.ogg'];
  const held = await openFfmpeg().run(args, { inputs: structuredClone(inputs), outputs: ['out.ogg'] });
  const streamed = await openFfmpeg().run(args, { inputs, outputs: ['out.ogg'], streams: ['out.ogg'] });
  expect(streamed.outputs.size).toBe(0);
  const bytes = await streamed.blobs?.get('out.ogg')?.arrayBuffer();
  expect(new Uint8Array(bytes ?? new ArrayBuffer(0))).toEqual(held.outputs.get('out.ogg'));
});

it('a failed run has no outputs, and the reason has no paths', async () => {
  const inputs = [{ name: 'in.flac', data: makeGarbage(5_000) }];
  const run = await openFfmpeg().run(['-v', 'verbose', '-i', 'in.flac', 'out.ogg'], { inputs, outputs: ['out.ogg'] });
  expect(run.code).not.toBe(0);
  expect(run.outputs.size).toBe(0);
  expect(reasonOf(run.log)).not.toMatch(/\/work|0x/);
});

it('a log of any length is kept short and its errors are all counted', () => {
  const log = new LogBuffer();
  for (let i = 0; i < 5_000; i++) log.add(`Error while decoding stream #0:0: number ${i}`);
  expect(log.errors).toBe(5_000);
  expect(log.lines().length).toBeLessThan(1_100);
  expect(log.lines().at(-1)).toContain('number 4999');
});

it.each([
  ['mono', 1],
  ['5.1(side)', 6],
  ['12 channels', 12],
  ['7.1', 8],
])('reads the channels of %s', (layout, channels) => {
  const log = ["Input #0, wav, from 'x':", `  Stream #0:0: Audio: pcm_s16le, 96000 Hz, ${layout}, s16, 768 kb/s`];
  expect(readLog(log)).toMatchObject({ format: 'wav', codec: 'pcm_s16le', sampleRate: 96_000, channels, kbits: 768 });
});

describe('a large input', () => {
  const RATE = 8_000;
  const SIZE = 3_000_000_000;
  let read = 0;
  let whole = 0;

  /** Three gigabytes of WAV that are only made where they are read. */
  class LargeWav extends Blob {
    readonly #from: number;
    readonly #to: number;
    constructor(from = 0, to = SIZE) {
      super();
      this.#from = from;
      this.#to = to;
    }
    override get size(): number {
      return this.#to - this.#from;
    }
    override slice(from = 0, to = this.size): Blob {
      return new LargeWav(this.#from + from, Math.min(this.#to, this.#from + to));
    }
    override arrayBuffer(): Promise<ArrayBuffer> {
      whole += 1;
      return Promise.resolve(new ArrayBuffer(0));
    }
    now(): ArrayBuffer {
      read += this.size;
      const out = new Uint8Array(this.size);
      if (this.#from < 44) out.set(HEAD.subarray(this.#from, Math.min(44, this.#to)));
      return out.buffer;
    }
  }
  const HEAD = wavHead(SIZE, RATE);

  afterEach(() => vi.unstubAllGlobals());

  it('MEDIA-56: is mounted and read in pieces, never held', async () => {
    vi.stubGlobal(
      'FileReaderSync',
      class {
        readAsArrayBuffer = (blob: LargeWav): ArrayBuffer => blob.now();
      },
    );
    const inputs = [{ name: 'in.wav', data: new LargeWav() }];
    const run = await openFfmpeg().run(['-v', 'verbose', '-t', '20', '-i', 'in.wav', '-f', 'null', '-'], {
      inputs,
      outputs: [],
    });
    expect(run.code).toBe(0);
    expect(readLog(run.log).decoded).toBeGreaterThanOrEqual(20 * RATE);
    expect(whole).toBe(0);
    expect(read).toBeLessThan(4_000_000);
  });
});

function wavHead(size: number, rate: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(44));
  const words = [
    0x46464952,
    size - 8,
    0x45564157,
    0x20746d66,
    16,
    0x10001,
    rate,
    rate * 2,
    0x100002,
    0x61746164,
    size - 44,
  ];
  words.forEach((word, n) => view.setUint32(n * 4, word, true));
  return new Uint8Array(view.buffer);
}
