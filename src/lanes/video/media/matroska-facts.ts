/**
 * What a Matroska or WebM says of itself before its first cluster. RFC 9559.
 * Not by Mediabunny: its search for the next element does not end in some cut files (1.61.0), and it lists no subtitles.
 */
import { ascii, viewOf } from '#adapters/media/headers/bytes.ts';

export interface VideoFacts {
  /** Seconds; null where the container does not say it. */
  duration: number | null;
  /** In the file's order. */
  tracks: VideoTrack[];
}

export interface VideoTrack {
  /** Subtitles of a Matroska only. */
  kind: 'video' | 'audio' | 'subtitle';
  /** `h264`, `hevc`, `aac`; of others, as the container calls it; null where it does not say. */
  codec: string | null;
  /** Of a video, in pixels. */
  size: { width: number; height: number } | null;
  /** As the file says it, `jpn` or `pt-BR`; null where it does not. */
  language: string | null;
}

interface Element {
  id: number;
  start: number;
  end: number;
}

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const LANGUAGE = 0x22b59c;
const LANGUAGE_BCP47 = 0x22b59d;
const VIDEO = 0xe0;
const PIXEL_WIDTH = 0xb0;
const PIXEL_HEIGHT = 0xba;
const CLUSTER = 0x1f43b675;
const KINDS = new Map<number, VideoTrack['kind']>([
  [1, 'video'],
  [2, 'audio'],
  [17, 'subtitle'],
]);
const CODECS: readonly (readonly [RegExp, string])[] = [
  [/^V_MPEG4\/ISO\/AVC$/, 'h264'],
  [/^V_MPEGH\/ISO\/HEVC$/, 'hevc'],
  [/^V_MPEG4\/ISO\/(?:ASP|SP|AP)$/, 'mpeg4'],
  [/^V_MPEG([12])$/, 'mpeg$1video'],
  [/^V_(VP8|VP9|AV1)$/, '$1'],
  [/^A_MPEG\/L3$/, 'mp3'],
  [/^A_(AAC|AC3|EAC3|DTS|TRUEHD|FLAC|OPUS|VORBIS)(?:\/.*)?$/, '$1'],
  [/^S_TEXT\/UTF8$/, 'srt'],
  [/^S_(?:TEXT\/|HDMV\/)?(ASS|SSA|WEBVTT|PGS|VOBSUB)$/, '$1'],
];

/** @param front the first bytes of the file; null where it is no Matroska, or its tracks are not in them */
export function matroskaFacts(front: Uint8Array): VideoFacts | null {
  const [head, segment] = elements(front, 0, front.length);
  if (head?.id !== EBML || segment?.id !== SEGMENT) return null;
  let duration: number | null = null;
  for (const part of elements(front, segment.start, segment.end)) {
    if (part.id === CLUSTER) break;
    if (part.id === INFO) duration = lengthOf(front, part);
    if (part.id !== TRACKS || part.end > front.length) continue;
    const tracks = [...elements(front, part.start, part.end)].flatMap((entry) =>
      entry.id === TRACK_ENTRY ? trackOf(front, entry) : [],
    );
    return { duration, tracks };
  }
  return null;
}

/** Seconds, where the length is before the tracks, as all muxers write it. */
function lengthOf(bytes: Uint8Array, info: Element): number | null {
  const parts = partsOf(bytes, info);
  const length = parts.get(DURATION);
  const scale = unsigned(bytes, parts.get(TIMESTAMP_SCALE)) ?? 1_000_000;
  if (length === undefined || length.end > bytes.length) return null;
  const view = viewOf(bytes);
  const size = length.end - length.start;
  if (size !== 4 && size !== 8) return null;
  return ((size === 4 ? view.getFloat32(length.start) : view.getFloat64(length.start)) * scale) / 1e9;
}

function trackOf(bytes: Uint8Array, entry: Element): VideoTrack[] {
  const parts = partsOf(bytes, entry);
  const kind = KINDS.get(unsigned(bytes, parts.get(TRACK_TYPE)) ?? 0);
  if (kind === undefined) return [];
  const video = parts.get(VIDEO);
  const shape = video === undefined ? new Map<number, Element>() : partsOf(bytes, video);
  const [width, height] = [unsigned(bytes, shape.get(PIXEL_WIDTH)), unsigned(bytes, shape.get(PIXEL_HEIGHT))];
  const id = text(bytes, parts.get(CODEC_ID));
  return [
    {
      kind,
      codec: id === null ? null : codecOf(id),
      size: width === null || height === null ? null : { width, height },
      language: text(bytes, parts.get(LANGUAGE_BCP47)) ?? text(bytes, parts.get(LANGUAGE)),
    },
  ];
}

function codecOf(id: string): string {
  const known = CODECS.find(([pattern]) => pattern.test(id));
  return known ? id.replace(known[0], known[1]).toLowerCase() : id;
}

function partsOf(bytes: Uint8Array, { start, end }: Element): Map<number, Element> {
  return new Map([...elements(bytes, start, end)].map((part) => [part.id, part]));
}

/** Elements in [start, end) as far as there are bytes; one of unknown size takes the rest. */
function* elements(bytes: Uint8Array, start: number, end: number): Generator<Element> {
  for (let at = start; at < Math.min(end, bytes.length);) {
    const id = variable(bytes, at, 4, false);
    const size = id && variable(bytes, at + id.length, 8, true);
    if (!id || !size) return;
    const from = at + id.length + size.length;
    at = size.value === null ? end : Math.min(end, from + size.value);
    yield { id: id.value ?? 0, start: from, end: at };
  }
}

/** A number that says how long it is; its value is null where all bits are ones: unknown. */
function variable(
  bytes: Uint8Array,
  at: number,
  longest: number,
  isSize: boolean,
): { value: number | null; length: number } | null {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > longest || at + length > bytes.length) return null;
  let value = isSize ? first & (0xff >> length) : first;
  let isUnknown = isSize && value === 0xff >> length;
  for (const byte of bytes.subarray(at + 1, at + length)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? null : value, length };
}

function unsigned(bytes: Uint8Array, element: Element | undefined): number | null {
  if (element === undefined || element.end - element.start > 8 || element.end > bytes.length) return null;
  return bytes.subarray(element.start, element.end).reduce((sum, byte) => sum * 256 + byte, 0);
}

function text(bytes: Uint8Array, element: Element | undefined): string | null {
  if (element === undefined || element.end > bytes.length) return null;
  return ascii(bytes, element.start, Math.min(element.end - element.start, 64)).replace(/\0.*$/s, '');
}
