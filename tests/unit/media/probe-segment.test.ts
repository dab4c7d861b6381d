import { describe, expect, test } from 'vitest';
import { flacFrom } from '#adapters/media/fast/flac-seek.ts';
import { stretchOf, type FastSource } from '#adapters/media/fast/source.ts';
import type { Planes } from '#adapters/media/fast/trim.ts';
import { flacCueSheet } from '#adapters/media/flac-cue.ts';
import { frameAt, streamInfo } from '#adapters/media/headers/flac.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import { transcodeBlob } from '#adapters/media/transcode.ts';
import { parseCue } from '#lanes/music/core/evidence/cue.ts';
import { makeAudio, makeGarbage } from '../../fixtures/audio.ts';
import { outputStore } from '../../fixtures/output-store.ts';

const SHEET = 'FILE "a" WAVE\nTRACK 01 AUDIO\nTITLE "One"\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:02:40';

/** A FLAC with a CUESHEET block before its other blocks: tracks at the given samples, then the lead-out. */
function withCueBlock(flac: Uint8Array, starts: readonly number[]): Blob {
  const block = new Uint8Array(396 + (starts.length + 1) * 36 + starts.length * 12);
  const view = new DataView(block.buffer);
  block[395] = starts.length + 1;
  let at = 396;
  for (const [n, start] of starts.entries()) {
    view.setBigUint64(at, BigInt(start));
    block[at + 8] = n + 1;
    block[at + 35] = 1;
    block[at + 36 + 8] = 1;
    at += 48;
  }
  block[at + 8] = 170;
  const head = Uint8Array.of(5, block.length >> 16, (block.length >> 8) & 255, block.length & 255);
  return new Blob([flac.slice(0, 42), head, block, flac.slice(42)]);
}

describe('album images, read and cut', () => {
  test('MEDIA-44, MEDIA-72 a sheet among the tags and one in a block of its own are found', async () => {
    const tagged = await makeAudio({ format: 'flac', seconds: 5, rawTags: { CUESHEET: SHEET } });
    const probed = await probeBlob(new Blob([tagged]), 'a.flac');
    expect(probed.ok && probed.value.cue).toBe(SHEET);
    const plain = await makeAudio({ format: 'flac', seconds: 5 });
    const blob = withCueBlock(plain, [0, 8_000 * 2]);
    const sheet = parseCue((await flacCueSheet(blob)) ?? '');
    expect(sheet?.files[0]?.tracks.map(({ number, start }) => [number, start])).toEqual([
      [1, 0],
      [2, 150],
    ]);
    expect(await probeBlob(blob, 'a.flac')).toMatchObject({ ok: true, value: { duration_ms: 5000 } });
    expect((await probeBlob(new Blob([plain]), 'a.flac')).ok).toBe(true);
    expect(await flacCueSheet(new Blob([plain]))).toBeNull();
  });

  test('MEDIA-48 a stretch of a file is converted exact to the sample, and the stretches are the whole', async () => {
    const input = new Blob([await makeAudio({ format: 'flac', seconds: 5 })]);
    const store = outputStore();
    const middle = (2 * 75 + 40) / 0.075;
    const lengths: number[] = [];
    for (const segment of [
      { start_ms: 0, end_ms: middle },
      { start_ms: middle, end_ms: null },
    ]) {
      const durationMs = (segment.end_ms ?? 5000) - segment.start_ms;
      const job = { input, name: 'a.flac', quality: 3, tags: {}, sampleRate: 8_000, channels: 1, durationMs, segment };
      const done = await transcodeBlob(job, store);
      if (!done.ok) throw new Error(done.failure.message);
      lengths.push(done.value.samples);
    }
    expect(lengths).toEqual([Math.round(middle * 8), 40_000 - Math.round(middle * 8)]);
  });

  test('MEDIA-61 of a FLAC only what follows the frame of the wanted sample is decoded', async () => {
    const bytes = await makeAudio({ format: 'flac', seconds: 90, sampleRate: 44_100 });
    const blob = new Blob([bytes]);
    for (const sample of [1, 4_607, 4_608, 1_234_567, 90 * 44_100 - 20_000]) {
      const rest = await flacFrom(blob, sample);
      const block = streamInfo(bytes, 8).maxBlock;
      expect(rest?.at).toBe(Math.floor(sample / block) * block);
      const tail = new Uint8Array((await rest?.blob.arrayBuffer()) ?? new ArrayBuffer(0));
      expect(frameAt(tail, 42, streamInfo(tail, 8))).toMatchObject({ first: rest?.at, samples: block });
      expect(Buffer.compare(tail.subarray(42), bytes.subarray(bytes.length - tail.length + 42))).toBe(0);
    }
    expect(await flacFrom(new Blob([bytes.subarray(0, 42), makeGarbage(400_000)]), 1_000_000)).toBeNull();
    expect(await flacFrom(new Blob([makeGarbage(4_000)]), 10)).toBeNull();
  });

  test('MEDIA-61 a FLAC of forged frame headers is given up soon, and never read in large pieces', async () => {
    const lied = forgedFlac(200_000, 0xffffff);
    let largest = 0;
    lied.slice = (start = 0, end = lied.size) => {
      largest = Math.max(largest, end - start);
      return Blob.prototype.slice.call(lied, start, end);
    };
    expect(await flacFrom(lied, 1_000_000)).toBeNull();
    expect(largest).toBeLessThan(1024);
    // A third of a million headers, none of which is its neighbour's: each asked of each would be a minute.
    expect(await flacFrom(forgedFlac(2_000_000, 340_000), 1_000_000)).toBeNull();
  });

  test('MEDIA-61 a source that begins later gives the same stretch', async () => {
    const source: FastSource = {
      ...{
        codec: 'flac',
        own: false,
        lossless: true,
        kbits: null,
        sampleRate: 1000,
        channels: 1,
        samples: 1000,
        from: 200,
      },
      async *blocks(): AsyncGenerator<Planes> {
        for (let at = 200; at < 1000; at += 100) yield [Float32Array.from({ length: 100 }, (_, i) => at + i)];
      },
      close: () => undefined,
    };
    const heard: number[] = [];
    const stretch = stretchOf(source, { start_ms: 250, end_ms: 430 });
    for await (const [plane] of stretch.blocks()) heard.push(...(plane ?? []));
    expect(heard).toEqual(Array.from({ length: 180 }, (_, i) => 250 + i));
  });

  test('MEDIA-48 the fast way takes the samples of the stretch and stops behind it', async () => {
    let given = 0;
    const source: FastSource = {
      ...{
        codec: 'flac',
        own: false,
        lossless: true,
        kbits: null,
        sampleRate: 1000,
        channels: 1,
        samples: 1000,
        from: 0,
      },
      async *blocks(): AsyncGenerator<Planes> {
        for (; given < 1000; given += 100) yield [Float32Array.from({ length: 100 }, (_, i) => given + i)];
      },
      close: () => undefined,
    };
    const stretch = stretchOf(source, { start_ms: 250, end_ms: 430 });
    const heard: number[] = [];
    for await (const [plane] of stretch.blocks()) heard.push(...(plane ?? []));
    expect(stretch.samples).toBe(180);
    expect(heard).toEqual(Array.from({ length: 180 }, (_, i) => 250 + i));
    expect(given).toBeLessThan(600);
  });
});

/** Nothing but headers of frames whose numbers follow no order. */
function forgedFlac(size: number, maxFrame: number): Blob {
  const crc8 = (bytes: number[]): number =>
    bytes.reduce((crc, byte) => {
      let next = crc ^ byte;
      for (let bit = 0; bit < 8; bit++) next = (next & 0x80 ? (next << 1) ^ 0x07 : next << 1) & 0xff;
      return next;
    }, 0);
  const headers = Array.from({ length: 127 }, (_, n) => [0xff, 0xf8, 0xc9, 0x18, (n * 37) % 127]);
  const frames = headers.flatMap((header) => [...header, crc8(header)]);
  const bytes = Uint8Array.from({ length: size }, (_, at) => frames[at % frames.length] ?? 0);
  bytes.set([...Buffer.from('fLaC'), 0x80, 0, 0, 34, 0x10, 0, 0x10, 0, 0, 0, 0]);
  bytes.set([maxFrame >> 16, (maxFrame >> 8) & 255, maxFrame & 255, 0x0a, 0xc4, 0x42, 0xf0, 0, 0, 0, 0], 15);
  return new Blob([bytes]);
}
