/**
 * FLAC in TypeScript, for browsers whose own decoder is missing or stops (docs/decisions/048-flac-decoder.md). What comes
 * out is held against the MD5 that the encoder wrote of the samples.
 */
import { createMD5 } from 'hash-wasm';
import { decodeFrame, type FlacShape } from './flac-frame.ts';
import { Doubt, type Planes } from './trim.ts';

/** Offset of the MD5 in `fLaC` with STREAMINFO, and its length. */
const MD5_AT = 26;
const MD5_BYTES = 16;

/**
 * The sound of these frames, in their order: of the whole file where `whole` says so. `head`: the 42 bytes of `fLaC` and
 * STREAMINFO. Throws Doubt at a frame of another shape or one that cannot be decoded, and at the end where the MD5 differs;
 * frames with a wrong checksum are not to be given to it.
 */
export async function* decodeFlac(
  frames: AsyncIterable<Uint8Array[]>,
  head: Uint8Array,
  { sampleRate, channels, whole }: { sampleRate: number; channels: number; whole: boolean },
): AsyncGenerator<Planes> {
  const shape: FlacShape = { channels, bits: (((head[20] ?? 0) & 1) << 4) + ((head[21] ?? 0) >> 4) + 1 };
  const wanted = [...head.subarray(MD5_AT, MD5_AT + MD5_BYTES)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  const md5 = whole && /[^0]/.test(wanted) ? await createMD5() : null;
  for await (const list of frames) {
    for (const frame of list) {
      const samples = decodeFrame(frame, shape);
      if (samples === null) throw new Doubt(`a frame of FLAC is none of ${channels} channels at ${sampleRate} Hz`);
      md5?.update(interleaved(samples, shape.bits));
      yield samples.map((plane) => asFloats(plane, shape.bits));
    }
  }
  if (md5 !== null && md5.digest() !== wanted) throw new Doubt('what it decodes to is not what its MD5 says');
}

function asFloats(plane: Int32Array, bits: number): Float32Array {
  const full = 2 ** (bits - 1);
  const floats = new Float32Array(plane.length);
  for (let i = 0; i < plane.length; i += 1) floats[i] = (plane[i] ?? 0) / full;
  return floats;
}

/** As the MD5 is made: whole bytes a sample, the lowest first. */
function interleaved(planes: Int32Array[], bits: number): Uint8Array {
  const size = Math.ceil(bits / 8);
  const step = size * planes.length;
  const bytes = new Uint8Array(step * (planes[0]?.length ?? 0));
  planes.forEach((plane, channel) => {
    for (let i = 0, at = channel * size; i < plane.length; i += 1, at += step) {
      const sample = plane[i] ?? 0;
      for (let byte = 0; byte < size; byte += 1) bytes[at + byte] = sample >> (8 * byte);
    }
  });
  return bytes;
}
