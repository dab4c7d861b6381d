/** The small Vorbis encoder: sound in, an Ogg stream without comments of ours out, piece by piece. */
import { loadVorbisWasm } from '#vorbis-wasm';
import { createEncoder } from 'wasm-media-encoders/esnext';
import type { Planes } from './trim.ts';

/** The stream's number; always the same, so that the same sound gives the same bytes. */
const SERIAL = 1;
/** A piece is handed on when it has this many bytes. */
const PIECE = 256 * 1024;

export interface EncoderShape {
  sampleRate: number;
  /** 1 or 2. */
  channels: 1 | 2;
  /** Vorbis quality -1..10. */
  quality: number;
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Throws what WebAssembly throws when the encoder cannot be fetched or runs out of memory. */
export async function* encodeOgg(blocks: AsyncIterable<Planes>, shape: EncoderShape): AsyncGenerator<Uint8Array> {
  compiled ??= loadVorbisWasm().catch((thrown: unknown) => {
    compiled = undefined;
    throw thrown;
  });
  const encoder = await createEncoder('audio/ogg', await compiled);
  encoder.configure({
    sampleRate: shape.sampleRate,
    channels: shape.channels,
    vbrQuality: shape.quality,
    oggSerialNo: SERIAL,
  });
  let piece = new Uint8Array(PIECE);
  let used = 0;
  for await (const block of blocks) {
    // A view of the encoder's memory: copied before the next call.
    const bytes = encoder.encode(block);
    if (used + bytes.length > piece.length) {
      yield piece.subarray(0, used);
      piece = new Uint8Array(Math.max(PIECE, bytes.length));
      used = 0;
    }
    piece.set(bytes, used);
    used += bytes.length;
  }
  yield piece.subarray(0, used);
  yield encoder.finalize().slice();
}
