/** The small Vorbis encoder: sound in, an Ogg stream with its comments out, piece by piece. */
import { joinBytes } from '#core/ingest/bytes.ts';
import type { Planes } from '../fast/trim.ts';
import { headerPages, vorbisHeaders } from '../ogg/ogg-retag.ts';
import type { Cover } from '../tags.ts';
import { VorbisInstance } from './instance.ts';

/** The stream's number; always the same, so that the same sound gives the same bytes. */
const SERIAL = 1;
/** A piece is handed on when it has this many bytes. */
const PIECE = 256 * 1024;
/** Samples that are given to libvorbis at a time, however the source is cut: what comes out depends on it a little. */
const BLOCK = 4096;

export interface EncoderShape {
  sampleRate: number;
  channels: number;
  /** Vorbis quality -1..10. */
  quality: number;
  /** Vorbis comments, and the cover among them. */
  tags: Record<string, string>;
  cover: Cover | null;
}

/**
 * Channels in the order of Vorbis. Throws AccessionError as `VorbisInstance.open` does, Error when it does not take this
 * shape or runs out of memory.
 */
export async function* encodeOgg(blocks: AsyncIterable<Planes>, shape: EncoderShape): AsyncGenerator<Uint8Array> {
  const wasm = await VorbisInstance.open();
  const { calls } = wasm;
  const { sampleRate, channels } = shape;
  const encoder = calls.encoder_open(channels, sampleRate, shape.quality / 10, SERIAL);
  if (encoder === 0) throw new Error(`libvorbis does not take ${channels} channels at ${sampleRate} Hz`);
  const buffer = (): Planes => wasm.planes(calls.encoder_buffer(encoder, BLOCK), channels, BLOCK);
  const write = (samples: number): void => {
    if (calls.encoder_write(encoder, samples) < 0) throw new Error('libvorbis ran out of memory');
  };
  const taken = (): Uint8Array => {
    const length = calls.encoder_ready(encoder);
    const at = calls.encoder_take(encoder);
    return wasm.bytes.slice(at, at + length);
  };

  const own = vorbisHeaders(taken());
  if (own === null) throw new Error('libvorbis wrote no headers');
  const pages = headerPages(own, shape.tags, shape.cover);
  calls.encoder_number(encoder, pages.length);
  yield joinBytes(pages);

  let planes = buffer();
  let used = 0;
  for await (const block of blocks) {
    const length = block[0]?.length ?? 0;
    for (let from = 0; from < length;) {
      const count = Math.min(length - from, BLOCK - used);
      planes.forEach((plane, channel) => plane.set(block[channel]?.subarray(from, from + count) ?? [], used));
      from += count;
      used += count;
      if (used < BLOCK) continue;
      write(BLOCK);
      if (calls.encoder_ready(encoder) >= PIECE) yield taken();
      planes = buffer();
      used = 0;
    }
  }
  if (used > 0) write(used);
  write(0);
  yield taken();
}
