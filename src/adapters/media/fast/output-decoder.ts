/** Decodes a Vorbis stream with the browser's own decoder, page by page as it is read back. */
import type { OggPage } from '#core/ingest/ogg-page.ts';
import { joined } from '../ogg-pages.ts';
import { Doubt } from './doubt.ts';
import type { Planes } from './trim.ts';
import { canDecode, decodePackets, PACKETS_AT_ONCE } from './webcodecs.ts';

const HEADER_PACKETS = 3;

/** The packets of a stream, put together from its pages. */
export class PacketQueue {
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  #packets: Uint8Array<ArrayBuffer>[] = [];

  take(page: OggPage): void {
    for (const { bytes, ends } of page.packets) {
      this.#parts.push(bytes.slice());
      if (!ends) continue;
      const [only] = this.#parts;
      this.#packets.push(only && this.#parts.length === 1 ? only : joined(this.#parts));
      this.#parts.length = 0;
    }
  }

  /** What is whole since the last call. */
  taken(): Uint8Array<ArrayBuffer>[] {
    const packets = this.#packets;
    this.#packets = [];
    return packets;
  }
}

/** What comes out of the decoder: where it begins, how long it is, and the samples themselves for those who want them. */
export type Hear = (at: number, length: number, planes: () => Planes) => void;

/**
 * Decodes all packets, the three headers first among them. The number of samples that came out, or null in a browser
 * that cannot decode Vorbis; the packets are read to their end all the same. Throws Doubt.
 */
export async function decodeVorbis(
  packets: AsyncGenerator<Uint8Array<ArrayBuffer>[]>,
  shape: { sampleRate: number; channels: number },
  hear: Hear,
): Promise<number | null> {
  const first: Uint8Array<ArrayBuffer>[] = [];
  while (first.length < HEADER_PACKETS) {
    const { value, done } = await packets.next();
    if (done === true) throw new Doubt('it ends within its headers');
    first.push(...value);
  }
  const headers = first.splice(0, HEADER_PACKETS);
  const { sampleRate, channels } = shape;
  const config = { codec: 'vorbis', sampleRate, numberOfChannels: channels, description: laced(headers) };
  if (!(await canDecode(config))) {
    for await (const list of packets) void list;
    return null;
  }
  let samples = 0;
  for await (const sounds of decodePackets(config, chunksOf(first, packets))) {
    for (const sound of sounds) {
      const { numberOfFrames: length } = sound;
      hear(samples, length, () => planesOf(sound, channels));
      sound.close();
      samples += length;
    }
  }
  return samples;
}

function planesOf(sound: AudioData, channels: number): Planes {
  return Array.from({ length: channels }, (_, planeIndex) => {
    const plane = new Float32Array(sound.numberOfFrames);
    sound.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
}

/** Times are only for the order: how long a packet is, its decoder knows. Microseconds. */
async function* chunksOf(
  first: Uint8Array<ArrayBuffer>[],
  packets: AsyncIterable<Uint8Array<ArrayBuffer>[]>,
): AsyncGenerator<EncodedAudioChunk[]> {
  let timestamp = 0;
  const chunk = (data: Uint8Array<ArrayBuffer>): EncodedAudioChunk =>
    new EncodedAudioChunk({ type: 'key', timestamp: (timestamp += 1000), data });
  yield first.map(chunk);
  for await (const list of packets) {
    for (let at = 0; at < list.length; at += PACKETS_AT_ONCE) yield list.slice(at, at + PACKETS_AT_ONCE).map(chunk);
  }
}

/** The three headers as decoders want them: how many follow the first two lengths, then all three (as in Matroska). */
function laced(headers: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const lengths = headers
    .slice(0, -1)
    .flatMap(({ length }) => [...new Array<number>(Math.floor(length / 255)).fill(255), length % 255]);
  return joined([Uint8Array.of(headers.length - 1, ...lengths), ...headers]);
}
