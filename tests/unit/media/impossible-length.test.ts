import { expect, test } from 'vitest';
import { canHold } from '#adapters/media/length.ts';
import { oggCrc } from '#adapters/media/ogg/ogg-pages.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import { makeAudio, type AudioOptions } from '../../fixtures/audio.ts';

const SECONDS = 4;
const TIMEOUT = 300_000;
type Bytes = Uint8Array<ArrayBuffer>;

const find = (bytes: Bytes, text: string, from = 0): number => Buffer.from(bytes.buffer).indexOf(text, from);

/** The frames of the Xing header of an MP3. */
function mp3Frames(bytes: Bytes, frames: number): void {
  const at = Math.max(find(bytes, 'Xing'), find(bytes, 'Info'));
  new DataView(bytes.buffer).setUint32(at + 8, frames);
}

/** The granule position of the last page of an Ogg, with its checksum. */
function oggGranule(bytes: Bytes, granule: bigint): void {
  const at = Buffer.from(bytes.buffer).lastIndexOf('OggS');
  const view = new DataView(bytes.buffer);
  view.setBigInt64(at + 6, granule, true);
  view.setUint32(at + 22, 0, true);
  view.setUint32(at + 22, oggCrc(bytes.subarray(at)), true);
}

/** The valid frames of a CAF's packet table. */
function cafFrames(bytes: Bytes, frames: bigint): void {
  new DataView(bytes.buffer).setBigInt64(find(bytes, 'pakt') + 12 + 8, frames);
}

const alacCaf: Omit<AudioOptions, 'seconds'> = { format: 'wav', encoder: ['-c:a', 'alac', '-f', 'caf'] };
const lies: [name: string, options: Omit<AudioOptions, 'seconds'>, lie: (bytes: Bytes) => void][] = [
  ['x.mp3', { format: 'mp3-vbr' }, (bytes) => mp3Frames(bytes, 0xffffffff)],
  ['x.mp3', { format: 'mp3-vbr' }, (bytes) => mp3Frames(bytes, 1_000_000)],
  ['x.mp3', { format: 'mp3-vbr' }, (bytes) => mp3Frames(bytes, 0)],
  ['x.ogg', { format: 'ogg' }, (bytes) => oggGranule(bytes, 0x0fff_ffff_ffff_ffffn)],
  ['x.ogg', { format: 'ogg' }, (bytes) => oggGranule(bytes, 8000n * 100_000n)],
  ['x.ogg', { format: 'ogg' }, (bytes) => oggGranule(bytes, 0n)],
  ['x.caf', alacCaf, (bytes) => cafFrames(bytes, 0x0fff_ffff_ffff_ffffn)],
  ['x.caf', alacCaf, (bytes) => cafFrames(bytes, 0n)],
];

test.each(lies)(
  'SAFE-23 %s (%o): a length that no file of its size can have is not believed, the sound is counted',
  async (name, options, lie) => {
    const bytes = (await makeAudio({ ...options, seconds: SECONDS })).slice();
    const plain = await probeBlob(new Blob([bytes.slice()]), name);
    expect(plain).toMatchObject({ ok: true });
    lie(bytes);
    const found = await probeBlob(new Blob([bytes]), name);
    const length = found.ok ? found.value.duration_ms : found.failure.message;
    // What a decoder finds, or in words that there is none; never the lie.
    if (found.ok) expect(length).toBeGreaterThan(0);
    if (found.ok) expect(length).toBeLessThanOrEqual(SECONDS * 1000 + 1000);
    else expect(length).toMatch(/could not be read as audio|has no sound in it/);
  },
  TIMEOUT,
);

test('SAFE-23 a length is believed that its bytes can hold: silence without loss, little of it with loss, days of speech', () => {
  const hour = 3_600_000;
  expect(canHold(5_000_000, 1e11, false)).toBe(false);
  expect(canHold(1e12, 1e11, true)).toBe(false);
  expect([canHold(100_000, hour, true), canHold(100_000, hour, false)]).toEqual([true, false]);
  expect([canHold(400_000, hour, false), canHold(1e9, 72 * hour, false)]).toEqual([true, true]);
  expect([canHold(1000, 30_000, false), canHold(1000, 0, false), canHold(1000, -1, true)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([canHold(1e9, Number.NaN, false), canHold(1e9, Number.POSITIVE_INFINITY, true)]).toEqual([false, false]);
});
