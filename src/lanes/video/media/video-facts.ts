/**
 * How long a video is and what is in it, as its container says: Matroska, WebM, MP4, QuickTime.
 * Nothing is decoded, no packets are counted, and only the heads of a file are read.
 */
import type { OpenFile } from '#core/plan/file-tree.ts';
import { CustomSource, Input, Logging, LogLevel, MP4, QTFF, type InputTrack } from 'mediabunny';
import { ascii, readBytes, viewOf } from '#adapters/media/headers/bytes.ts';
import { find, walkTop } from '#adapters/media/headers/mp4-boxes.ts';
import type { MediaFacts } from '../core/agent/video-tools.ts';
import { matroskaFacts, type VideoFacts, type VideoTrack } from './matroska-facts.ts';

/** A Matroska's tracks are here, before its fonts and pictures. Bytes. */
const FRONT = 1024 ** 2;
/** The tables of a long MP4. Bytes. */
const MOST_BYTES = 16 * 1024 ** 2;
const MOST_READS = 1000;
/** Boxes of an MP4 before its `moov`. */
const MOST_BOXES = 200;
/** `mvhd` is the first thing in it. Bytes. */
const MOOV_HEAD = 4096;
const MOST_TRACKS = 64;
/** Longer is no length but a mistake. Seconds. */
const LONGEST = 1_000_000;
const LARGEST = 100_000;
const CODEC = /^[\w./-]{2,32}$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}$/;

/** Length and streams of an open file, as getMediaMetadata answers them; null where nothing is known. */
export async function mediaFacts(file: OpenFile): Promise<MediaFacts | null> {
  const facts = await readVideoFacts(new OpenBlob(file));
  return facts === null ? null : { duration: facts.duration, streams: streamsOf(facts) };
}

/** What the file says; null where it is none of these kinds, is cut or damaged, or wants more read than is allowed. */
export async function readVideoFacts(file: Blob): Promise<VideoFacts | null> {
  try {
    const head = await readBytes(file, 0, 8);
    const facts =
      ascii(head, 4, 4) === 'ftyp'
        ? await mp4Facts(file)
        : ascii(head, 0, 4) === '\x1a\x45\xdf\xa3'
          ? matroskaFacts(await readBytes(file, 0, FRONT))
          : null;
    return facts === null || facts.tracks.length === 0 ? null : cleaned(facts);
  } catch {
    // Damaged, over the bounds, or nobody may read it.
    return null;
  }
}

/** `video h264 1920x1080`, `audio aac jpn`, `subtitle srt eng`. */
export function streamsOf({ tracks }: VideoFacts): string[] {
  return tracks.map(({ kind, codec, size, language }) =>
    [kind, codec ?? 'unknown', size === null ? null : `${size.width}x${size.height}`, language]
      .filter((word) => word !== null)
      .join(' '),
  );
}

/** The length is `mvhd`'s: for its own, Mediabunny builds tables as long as a hostile file says they are. */
async function mp4Facts(file: Blob): Promise<VideoFacts | null> {
  const moov = await moovOf(file);
  if (moov === null) return null;
  // It writes what it finds in a file to the console, whatever that is.
  Logging.level = LogLevel.Silent;
  const input = new Input({ source: boundedSource(file), formats: [MP4, QTFF] });
  try {
    const tracks: VideoTrack[] = [];
    for (const track of (await input.getTracks()).slice(0, MOST_TRACKS)) tracks.push(...(await trackOf(track)));
    return { duration: movieLength(moov), tracks };
  } finally {
    input.dispose();
  }
}

/** Reads that are too many or too large fail. */
function boundedSource(file: Blob): CustomSource {
  let bytes = 0;
  let reads = 0;
  return new CustomSource({
    getSize: () => file.size,
    read: (start, end) => {
      bytes += end - start;
      if (bytes > MOST_BYTES || ++reads > MOST_READS) throw new Error('more to read than is allowed');
      return readBytes(file, start, end);
    },
    prefetchProfile: 'fileSystem',
    // What nobody waits for any more.
    handleUnhandledError: () => undefined,
  });
}

async function trackOf(track: InputTrack): Promise<VideoTrack[]> {
  const [language, codec] = [await track.getLanguageCode(), await codecOf(track)];
  if (track.isAudioTrack()) return [{ kind: 'audio', codec, size: null, language }];
  if (!track.isVideoTrack()) return [];
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
  return [{ kind: 'video', codec, size: { width: Math.round(width), height: Math.round(height) }, language }];
}

async function codecOf(track: InputTrack): Promise<string | null> {
  const known = await track.getCodec();
  if (known !== null) return known === 'avc' ? 'h264' : known;
  const own = await track.getInternalCodecId();
  return typeof own === 'string' ? own : null;
}

/** The beginning of the box that describes an MP4; null where there is none, or too much before it. */
async function moovOf(file: Blob): Promise<Uint8Array | null> {
  let boxes = 0;
  for await (const { type, start, end } of walkTop(file)) {
    if (type === 'moov') return end > file.size ? null : readBytes(file, start, Math.min(end, start + MOOV_HEAD));
    if (++boxes > MOST_BOXES) break;
  }
  return null;
}

/** Seconds, as `mvhd` says. ISO/IEC 14496-12, 8.2.2. */
function movieLength(moov: Uint8Array): number | null {
  const box = find(moov, { type: 'moov', start: 0, end: moov.length }, 'mvhd');
  if (box === null) return null;
  const view = viewOf(moov);
  const long = view.getUint8(box.start) === 1;
  const at = box.start + (long ? 20 : 12);
  const duration = long ? Number(view.getBigUint64(at + 4)) : view.getUint32(at + 4);
  // All ones: not known.
  return !long && duration === 0xffffffff ? null : duration / view.getUint32(at);
}

/** What a file says is anybody's text. */
function cleaned({ duration, tracks }: VideoFacts): VideoFacts {
  return {
    duration: duration !== null && duration > 0 && duration < LONGEST ? Math.round(duration * 1000) / 1000 : null,
    tracks: tracks.slice(0, MOST_TRACKS).map(({ kind, codec, size, language }) => ({
      kind,
      codec: codec !== null && CODEC.test(codec) ? codec : null,
      size: size !== null && isSide(size.width) && isSide(size.height) ? size : null,
      language: language !== null && language !== 'und' && LANGUAGE.test(language) ? language : null,
    })),
  };
}

function isSide(pixels: number): boolean {
  return pixels >= 1 && pixels <= LARGEST;
}

/** An open file with as much of a blob as its readers use: size, slices, and the bytes of a slice. */
class OpenBlob extends Blob {
  readonly #file: OpenFile;
  readonly #start: number;
  readonly #end: number;

  constructor(file: OpenFile, start = 0, end = file.size) {
    super();
    this.#file = file;
    this.#start = start;
    this.#end = end;
  }

  override get size(): number {
    return this.#end - this.#start;
  }

  override slice(start = 0, end = this.size): Blob {
    const at = (offset: number): number => this.#start + Math.min(this.size, Math.max(0, offset));
    return new OpenBlob(this.#file, at(start), Math.max(at(start), at(end)));
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.#file.read(this.#start, this.#end);
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  }
}
