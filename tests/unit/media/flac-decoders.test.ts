import { afterEach, describe, expect, test, vi } from 'vitest';
import { openFastSource } from '#adapters/media/fast/source.ts';
import type { Planes } from '#adapters/media/fast/trim.ts';
import { decodePackets } from '#adapters/media/fast/webcodecs.ts';
import { openFfmpeg } from '#adapters/media/ffmpeg-core.ts';
import { headerOf } from '#adapters/media/headers/read.ts';
import { transcodeBlob } from '#adapters/media/transcode.ts';
import { makeAudio, scratchFile, type AudioOptions } from '../../fixtures/audio.ts';
import { handTimers } from '../../fixtures/hand-timers.ts';
import { outputStore } from '../../fixtures/output-store.ts';

afterEach(() => vi.unstubAllGlobals());

const flac = (options: Partial<AudioOptions> = {}): Promise<Uint8Array<ArrayBuffer>> =>
  makeAudio({ format: 'flac', seconds: 3.21, sampleRate: 44_100, channels: 2, ...options });

function jobOf(bytes: Uint8Array<ArrayBuffer>) {
  const shape = { sampleRate: 44_100, channels: 2, durationMs: 3210 };
  return { input: new Blob([bytes]), name: 'x.flac', quality: 6, tags: {}, ...shape };
}

async function reasonOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const made = await transcodeBlob(jobOf(bytes), outputStore());
  return made.ok ? made.value.conversion_reason : made.failure.message;
}

/** A decoder of a browser; `decode` is what it does with a packet. */
function decoders(decode: (init: AudioDecoderInit) => void) {
  const made = vi.fn();
  class Decoder {
    static isConfigSupported = async () => ({ supported: true });
    state = 'configured';
    decodeQueueSize = 100;
    ondequeue: unknown = null;
    readonly #init: AudioDecoderInit;
    constructor(init: AudioDecoderInit) {
      this.#init = init;
      made();
    }
    configure = (): void => undefined;
    decode = (): void => decode(this.#init);
    flush = (): Promise<void> => new Promise(() => undefined);
    close = (): void => void (this.state = 'closed');
  }
  vi.stubGlobal('AudioDecoder', Decoder);
  vi.stubGlobal('EncodedAudioChunk', vi.fn());
  return made;
}

async function decodedByFfmpeg(bytes: Uint8Array<ArrayBuffer>, channels: number): Promise<Planes> {
  const files = { inputs: [{ name: 'in.flac', data: bytes.slice() }], outputs: ['out.raw'] };
  const raw = (await openFfmpeg().run(['-i', 'in.flac', '-f', 'f32le', 'out.raw'], files)).outputs.get('out.raw');
  const all = new Float32Array(raw?.slice().buffer ?? new ArrayBuffer(0));
  return Array.from({ length: channels }, (_, channel) => all.filter((_each, i) => i % channels === channel));
}

async function decodedByUs(bytes: Uint8Array<ArrayBuffer>): Promise<Planes> {
  const source = await openFastSource(new Blob([bytes]), { fromMs: 0, ownFlac: true });
  if (typeof source === 'string') throw new Error(source);
  const blocks = await Array.fromAsync(source.blocks());
  return Array.from({ length: source.channels }, (_, channel) => {
    const plane = new Float32Array(source.samples);
    let at = 0;
    for (const block of blocks) {
      plane.set(block[channel] ?? [], at);
      at += block[channel]?.length ?? 0;
    }
    return plane;
  });
}

describe('MEDIA-85 where the browser has no decoder of FLAC, our own decoder takes it on the fast way', () => {
  test.each([
    ['16 bits, stereo', {}],
    ['16 bits, mono, 8 kHz', { sampleRate: 8_000, channels: 1 }],
    ['24 bits, 96 kHz', { sampleRate: 96_000, encoder: ['-c:a', 'flac', '-sample_fmt', 's32'] }],
    ['the strongest compression', { encoder: ['-c:a', 'flac', '-compression_level', '12'] }],
    ...['indep', 'left_side', 'right_side', 'mid_side'].map((mode) => [
      mode,
      { encoder: ['-c:a', 'flac', '-ch_mode', mode] },
    ]),
    ['fixed predictors', { encoder: ['-c:a', 'flac', '-lpc_type', 'fixed'] }],
    [
      'blocks of 4608, silence between',
      { encoder: ['-c:a', 'flac', '-frame_size', '4608', '-af', "volume='lt(t,1)':eval=frame"] },
    ],
    ['zeros behind each sample', { encoder: ['-c:a', 'flac', '-sample_fmt', 's32'], channels: 1 }],
  ] as [string, Partial<AudioOptions>][])('sample by sample as ffmpeg does: %s', async (_, options) => {
    const bytes = await flac(options);
    const channels = (await headerOf(new Blob([bytes])))?.channels ?? 0;
    const theirs = await decodedByFfmpeg(bytes, channels);
    expect(theirs[0]?.length).toBeGreaterThan(20_000);
    const ours = await decodedByUs(bytes);
    const differs = theirs.map((plane, channel) => plane.findIndex((sample, at) => sample !== ours[channel]?.[at]));
    expect({ differs, samples: ours.map(({ length }) => length) }).toEqual({
      differs: theirs.map(() => -1),
      samples: theirs.map(({ length }) => length),
    });
  });

  test('and the output is compared with the source like every other', async () => {
    const made = await transcodeBlob(jobOf(await flac()), outputStore());
    expect(made).toMatchObject({
      ok: true,
      value: { conversion_reason: 'flac -> vorbis q6, own decoder, fast' },
    });
    expect(made.ok && made.value.verified.at(-1)).toMatch(/^sounds like the source/);
  });

  test('samples that are not what the file itself says of them go to ffmpeg', async () => {
    const bytes = await flac();
    expect(bytes.subarray(26, 42).some((byte) => byte !== 0)).toBe(true);
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    expect(await reasonOf(bytes)).toContain('by ffmpeg: what it decodes to is not what its MD5 says');
  });

  test('a damaged frame goes to ffmpeg, as in every browser', async () => {
    expect(await reasonOf(scratchFile(await flac(), 0.5, 400))).toContain('by ffmpeg: a frame has the wrong checksum');
  });
});

test('MEDIA-86 a decoder of FLAC that stops is replaced by our own, and not asked for the next file', async () => {
  const made = decoders(({ error }) => error(new DOMException('Decode error', 'EncodingError')));
  expect(await reasonOf(await flac())).toBe('flac -> vorbis q6, own decoder, fast');
  expect(await reasonOf(await flac({ seed: 2 }))).toBe('flac -> vorbis q6, own decoder, fast');
  expect(made).toHaveBeenCalledTimes(1);
});

describe("MEDIA-87 the browser's decoder is not waited for without an end", () => {
  async function* packets(count: number): AsyncGenerator<EncodedAudioChunk[]> {
    for (let i = 0; i < count; i += 1) yield [{} as EncodedAudioChunk];
  }
  const CONFIG = { codec: 'mp3', sampleRate: 44_100, numberOfChannels: 2 };

  test.each([
    ['takes no packet', 1],
    ['does not finish', 0],
  ])('one that %s', async (_, count) => {
    decoders(() => undefined);
    const timers = handTimers();
    const decoding = decodePackets(CONFIG, packets(count), timers).next();
    const said = decoding.then(
      () => 'sound',
      (error: Error) => error.message,
    );
    await vi.waitFor(() => expect(timers.waiting).toBe(1));
    for (let look = 0; look < 4; look += 1) timers.ring();
    expect(await said).toBe("the browser's decoder does not answer");
  });

  test('one that is slow is', async () => {
    const outputs: AudioDataOutputCallback[] = [];
    decoders(({ output }) => void outputs.push(output));
    const timers = handTimers();
    const decoding = decodePackets(CONFIG, packets(1), timers);
    const first = decoding.next();
    let ended = false;
    void first.catch(() => undefined).then(() => (ended = true));
    await vi.waitFor(() => expect(timers.waiting).toBe(1));
    for (let look = 0; look < 20; look += 1) {
      if (look % 3 === 0) outputs[0]?.({ close: () => undefined } as AudioData);
      timers.ring();
    }
    await Promise.resolve();
    expect(ended).toBe(false);
  });
});
