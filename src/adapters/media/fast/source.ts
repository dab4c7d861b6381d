/**
 * A file that the fast way can decode: taken apart by Mediabunny, decoded by the browser (PCM by Mediabunny itself,
 * FLAC by our own decoder where the browser cannot), its delay and padding cut off by what the file's own header says. Which kinds it takes is a list of what was
 * compared, sample by sample, with ffmpeg's decoders.
 */
import { messageOf } from '#core/errors.ts';
import {
  AudioSampleSink,
  BlobSource,
  EncodedPacketSink,
  FLAC,
  Input,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  type EncodedPacket,
  type InputAudioTrack,
} from 'mediabunny';
import type { AudioHeader } from '../headers/audio-header.ts';
import { headerOf } from '../headers/read.ts';
import { DecoderDoubt, Doubt, trimmed, type Planes } from './trim.ts';
import { isWholeFrame, flacFrom } from './flac-seek.ts';
import { canDecode, decodePackets, PACKETS_AT_ONCE } from './webcodecs.ts';

export interface FastSource {
  codec: string;
  /** The browser has no part in decoding it, and might have had one. */
  own: boolean;
  lossless: boolean;
  /** Of the sound itself; null for lossless. kbit/s. */
  kbits: number | null;
  sampleRate: number;
  channels: number;
  /** Per channel, without delay and padding. */
  samples: number;
  /** The sample that `blocks` begins with: those before it are not decoded. */
  from: number;
  /** The sound, once. Throws Doubt when it does not end exactly at `samples` or a checksum is wrong. */
  blocks(): AsyncIterable<Planes>;
  /** Lets go of the file. */
  close(): void;
}

/** Container and codec, as our header readers name them. */
const TAKES = /^(flac flac|mp3 mp3|mp4 aac|ogg opus|ogg vorbis|wav pcm_(u8|s16le|s24le|s32le|f32le))$/;
/** What an encoder may have padded. Samples. */
const PADDING = 8192;
/** What the small encoder takes. */
const MAX_CHANNELS = 2;
const MIN_RATE = 8_000;
const MAX_RATE = 192_000;

/**
 * The source, or why it is none for the fast way, to follow "because ". What is before `fromMs` (milliseconds) is not
 * wanted, and left out where that is cheap. `ownFlac`: the browser's own decoder of FLAC is not to be used.
 */
export async function openFastSource(
  blob: Blob,
  { fromMs, ownFlac }: { fromMs: number; ownFlac: boolean },
): Promise<FastSource | string> {
  const header = await headerOf(blob);
  if (header === null) return 'its header does not say enough';
  const { codec, container, channels, sample_rate: sampleRate, duration_ms: ms, skip } = header;
  if (!TAKES.test(`${container} ${codec}`)) return `${codec} in ${container} is not for the fast way`;
  if (channels === null || sampleRate === null || ms === null || skip === null) return 'its length is not certain';
  if (channels > MAX_CHANNELS) return `it has ${channels} channels`;
  if (sampleRate < MIN_RATE || sampleRate > MAX_RATE) return `its rate is ${sampleRate} Hz`;
  const rest = codec === 'flac' && fromMs > 0 ? await flacFrom(blob, Math.round((fromMs * sampleRate) / 1000)) : null;
  const from = rest?.at ?? 0;
  const input = new Input({ source: new BlobSource(rest?.blob ?? blob), formats: [FLAC, MP3, MP4, QTFF, OGG, WAVE] });
  try {
    const tracks = await input.getAudioTracks();
    const [track] = tracks;
    if (!track || tracks.length > 1) throw new Doubt(`${tracks.length} sounds are in it`);
    const samples = Math.round((ms * sampleRate) / 1000);
    const { decoded, own } = await decoding(track, header, { channels, sampleRate }, { ownFlac, whole: from === 0 });
    const excess = header.lossless ? 0 : PADDING;
    return {
      codec,
      own,
      lossless: header.lossless,
      kbits: header.lossless || !header.audio_bytes || !ms ? null : Math.round((header.audio_bytes * 8) / ms),
      sampleRate,
      channels,
      samples,
      from,
      blocks: () => trimmed(decoded, { skip: skip ?? 0, samples: samples - from, excess }),
      close: () => input.dispose(),
    };
  } catch (thrown) {
    input.dispose();
    return messageOf(thrown);
  }
}

interface Shape {
  channels: number;
  sampleRate: number;
}

type Decoding = Pick<FastSource, 'own'> & { decoded: AsyncIterable<Planes> };

/** All that comes out of the decoder. Throws Doubt when there is none here. */
async function decoding(
  track: InputAudioTrack,
  { codec }: AudioHeader,
  shape: Shape,
  { ownFlac, whole }: { ownFlac: boolean; whole: boolean },
): Promise<Decoding> {
  if (codec.startsWith('pcm_'))
    return { decoded: planesOf(inLists(new AudioSampleSink(track).samples()), shape), own: false };
  const config = await track.getDecoderConfig();
  if (config !== null && !(ownFlac && codec === 'flac') && (await canDecode(config))) {
    const all = codec === 'opus' ? withoutPreSkip(config) : config;
    return { decoded: planesOf(decodePackets(all, chunksOf(track, codec)), shape), own: false };
  }
  if (codec !== 'flac' || config === null) throw new Doubt(`this browser has no decoder for ${codec}`);
  const { decodeFlac } = await import('./flac.ts');
  return { decoded: decodeFlac(framesOf(track), headOf(config), { ...shape, whole }), own: true };
}

async function* chunksOf(track: InputAudioTrack, codec: string): AsyncGenerator<EncodedAudioChunk[]> {
  for await (const list of packetsOf(track, codec)) yield list.map((packet) => packet.toEncodedAudioChunk());
}

async function* framesOf(track: InputAudioTrack): AsyncGenerator<Uint8Array[]> {
  for await (const list of packetsOf(track, 'flac')) yield list.map(({ data }) => data);
}

async function* packetsOf(track: InputAudioTrack, codec: string): AsyncGenerator<EncodedPacket[]> {
  let list: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) {
    if (codec === 'flac' && !isWholeFrame(packet.data)) throw new Doubt('a frame has the wrong checksum');
    list.push(packet);
    if (list.length < PACKETS_AT_ONCE) continue;
    yield list;
    list = [];
  }
  yield list;
}

/** What of AudioData and Mediabunny's AudioSample is needed. */
interface Sound {
  numberOfFrames: number;
  numberOfChannels: number;
  sampleRate: number;
  copyTo(to: Float32Array<ArrayBuffer>, options: { planeIndex: number; format: 'f32-planar' }): void;
  close(): void;
}

async function* inLists<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  for await (const item of items) yield [item];
}

async function* planesOf(sounds: AsyncIterable<Sound[]>, shape: Shape): AsyncGenerator<Planes> {
  for await (const list of sounds) {
    try {
      for (const sound of list) if (sound.numberOfFrames > 0) yield planesOfOne(sound, shape);
    } finally {
      for (const sound of list) sound.close();
    }
  }
}

function planesOfOne(sound: Sound, { channels, sampleRate }: Shape): Planes {
  // HE-AAC at twice the rate that its header says, for example.
  if (sound.sampleRate !== sampleRate || sound.numberOfChannels !== channels)
    throw new DecoderDoubt(`it decodes to ${sound.numberOfChannels} channels at ${sound.sampleRate} Hz`);
  return Array.from({ length: channels }, (_, planeIndex) => {
    const plane = new Float32Array(sound.numberOfFrames);
    sound.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
}

/** Some browsers drop the samples that OpusHead names and some do not: none of them, if it names none. */
function withoutPreSkip(config: AudioDecoderConfig): AudioDecoderConfig {
  const head = headOf(config);
  head.fill(0, 10, 12);
  return { ...config, description: head };
}

/** A copy of what the container says of the codec. */
function headOf({ description }: AudioDecoderConfig): Uint8Array<ArrayBuffer> {
  if (description === undefined) throw new Doubt('the header of its codec is missing');
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength).slice()
    : new Uint8Array(description).slice();
}

/** The source as if it were only that stretch of it; milliseconds, exact to the sample. */
export function stretchOf(source: FastSource, segment: { start_ms: number; end_ms: number | null }): FastSource {
  const at = (ms: number): number => Math.min(source.samples, Math.round((ms * source.sampleRate) / 1000));
  const from = at(segment.start_ms);
  const to = segment.end_ms === null ? source.samples : at(segment.end_ms);
  const blocks = (): AsyncIterable<Planes> => between(source.blocks(), from - source.from, to - source.from);
  return { ...source, samples: to - from, from: 0, blocks };
}

/** What comes behind is not decoded any more. */
async function* between(blocks: AsyncIterable<Planes>, from: number, to: number): AsyncGenerator<Planes> {
  let at = 0;
  for await (const block of blocks) {
    const length = block[0]?.length ?? 0;
    const [first, last] = [Math.max(0, from - at), Math.min(length, to - at)];
    at += length;
    if (last - first === length) yield block;
    else if (last > first) yield block.map((plane) => plane.subarray(first, last));
    if (at >= to && to > 0) return;
  }
}
