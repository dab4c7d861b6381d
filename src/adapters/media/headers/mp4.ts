/**
 * MP4 (M4A, M4B, ALAC, QuickTime audio): the movie box holds the tables; the edit list says what part
 * of the track is played, which is how AAC priming is left out; where it is missing, iTunes' comment says it.
 * ISO/IEC 14496-12.
 */
import { AAC_RATES } from './aac.ts';
import type { AudioHeader, SaidHeader } from './audio-header.ts';
import { ascii, readBytes, viewOf, CUT_NOTE } from './bytes.ts';
import { type Box, boxesIn, find, walkTop, countFragments, gaplessOf, type Gapless } from './mp4-boxes.ts';

/** A movie box above this is not read (an hour of audio has well under 1 MB, its cover a few). Bytes. */
const MOVIE_LIMIT = 64 * 1024 ** 2;

export async function readMp4(blob: Blob): Promise<SaidHeader | null> {
  const { movie, media, fragmented } = await topLevel(blob);
  if (!movie && fragmented) return null;
  if (!movie) return unreadable('its index (the moov box) is missing');
  if (movie.end - movie.start > MOVIE_LIMIT) return null;
  if (movie.end > blob.size) return unreadable('it ends in the middle of its index (the moov box)');
  const bytes = await readBytes(blob, movie.start, movie.end);
  const root: Box = { type: 'moov', start: 0, end: bytes.length };
  const track = [...boxesIn(bytes, 0, bytes.length)].find((box) => box.type === 'trak' && isSound(bytes, box));
  if (!track) return unreadable('it has no sound');
  const scale = clockOf(bytes, find(bytes, root, 'mvhd'));
  const mediaClock = clockOf(bytes, find(bytes, track, 'mdia', 'mdhd'));
  if (!mediaClock) return null;
  const sound = soundOf(bytes, track);
  const edits = find(bytes, track, 'edts', 'elst');
  if (fragmented) return inFragments(blob, { bytes, root, track, scale: mediaClock.scale, sound });
  const mediaMs = (mediaClock.duration * 1000) / mediaClock.scale;
  const gapless = edits ? null : fitting(gaplessOf(bytes, root), mediaClock, sound);
  const edited = scale ? editedLength(bytes, edits) : 0;
  const played = scale && edited > 0 ? Math.min(mediaMs, (edited * 1000) / scale.scale) : mediaMs;
  const declared = gapless ? (gapless.samples * 1000) / mediaClock.scale : played;
  const share = Math.min(shareOf(media, blob.size), chunkShare(bytes, track, blob.size));
  return {
    container: 'mp4',
    ...sound,
    duration_ms: declared * share,
    declared_ms: declared,
    audio_bytes: media ? Math.min(media.end, blob.size) - media.start : null,
    skip: gapless?.delay ?? skipOf(bytes, edits, mediaClock.scale, sound.sample_rate),
  };
}

/** It counts only for AAC, and when it explains the length of the track: it is copied along by programs that cut. */
function fitting(
  gapless: Gapless | null,
  { scale, duration }: { scale: number; duration: number },
  { codec, sample_rate }: { codec: string; sample_rate: number | null },
): Gapless | null {
  if (gapless === null || codec !== 'aac' || sample_rate !== scale) return null;
  return gapless.samples > 0 && gapless.delay + gapless.samples + gapless.padding === duration ? gapless : null;
}

const unreadable = (torn: string): SaidHeader => ({ container: 'mp4', codec: 'unknown', torn });

async function topLevel(blob: Blob): Promise<{ movie: Box | null; media: Box | null; fragmented: boolean }> {
  let movie: Box | null = null;
  let media: Box | null = null;
  for await (const box of walkTop(blob)) {
    if (box.type === 'moof') return { movie, media, fragmented: true };
    if (box.type === 'moov') movie = box;
    // The longest, where there are several.
    if (box.type === 'mdat' && (!media || box.end - box.start > media.end - media.start)) media = box;
  }
  return { movie, media, fragmented: false };
}

interface Movie {
  bytes: Uint8Array;
  root: Box;
  track: Box;
  scale: number;
  sound: ReturnType<typeof soundOf>;
}

async function inFragments(blob: Blob, { bytes, root, track, scale, sound }: Movie): Promise<SaidHeader | null> {
  const view = viewOf(bytes);
  const head = find(bytes, track, 'tkhd');
  const id = head && view.getUint32(head.start + (bytes[head.start] === 1 ? 20 : 12));
  const extension = find(bytes, root, 'mvex');
  const defaults =
    extension &&
    [...boxesIn(bytes, extension.start, extension.end)].find(
      (box) => box.type === 'trex' && view.getUint32(box.start + 4) === id,
    );
  const counted = id ? await countFragments(blob, id, defaults ? view.getUint32(defaults.start + 12) : 0) : null;
  if (!counted || counted.declared === 0) return null;
  return {
    container: 'mp4',
    ...sound,
    duration_ms: (counted.present * 1000) / scale,
    declared_ms: (counted.declared * 1000) / scale,
    audio_bytes: counted.bytes,
    ...(counted.present < counted.declared ? { note: CUT_NOTE } : {}),
  };
}

function isSound(bytes: Uint8Array, track: Box): boolean {
  const handler = find(bytes, track, 'mdia', 'hdlr');
  return handler !== null && ascii(bytes, handler.start + 8, 4) === 'soun';
}

/** Time scale and duration of an `mvhd` or `mdhd`. */
function clockOf(bytes: Uint8Array, box: Box | null): { scale: number; duration: number } | null {
  if (!box || box.start + 32 > bytes.length) return null;
  const view = viewOf(bytes);
  const wide = bytes[box.start] === 1;
  const scale = view.getUint32(box.start + (wide ? 20 : 12));
  const duration = wide ? Number(view.getBigUint64(box.start + 24)) : view.getUint32(box.start + 16);
  return scale > 0 ? { scale, duration } : null;
}

interface Edit {
  /** In the movie's time scale. */
  length: number;
  /** Where in the track it begins, in the track's time scale; negative for a pause. */
  from: number;
}

function editsOf(bytes: Uint8Array, list: Box | null): Edit[] {
  if (!list) return [];
  const view = viewOf(bytes);
  const wide = bytes[list.start] === 1;
  const step = wide ? 20 : 12;
  const count = Math.min(view.getUint32(list.start + 4), Math.floor((list.end - list.start - 8) / step));
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const at = list.start + 8 + i * step;
    return wide
      ? { length: Number(view.getBigUint64(at)), from: Number(view.getBigInt64(at + 8)) }
      : { length: view.getUint32(at), from: view.getInt32(at + 4) };
  });
}

/** Length of all edits that play something, in the movie's time scale; 0 without an edit list. */
function editedLength(bytes: Uint8Array, list: Box | null): number {
  return editsOf(bytes, list).reduce((sum, { length, from }) => sum + (from >= 0 ? length : 0), 0);
}

/** What lies before the one edit that plays something, as samples; null for lists that do more than cut. */
function skipOf(bytes: Uint8Array, list: Box | null, scale: number, rate: number | null): number | null {
  const edits = editsOf(bytes, list);
  if (edits.length === 0) return 0;
  const [only] = edits;
  return only && edits.length === 1 && only.from >= 0 && rate !== null ? Math.round((only.from * rate) / scale) : null;
}

/** Share 0..1 of the media data that is there. */
function shareOf(media: Box | null, size: number): number {
  if (!media || media.end <= size) return 1;
  return Math.max(0, size - media.start) / (media.end - media.start);
}

/** Share 0..1 of the track's chunks that begin inside the file. */
function chunkShare(bytes: Uint8Array, track: Box, size: number): number {
  const table = find(bytes, track, 'mdia', 'minf', 'stbl');
  if (!table) return 1;
  const wide = find(bytes, table, 'co64');
  const list = wide ?? find(bytes, table, 'stco');
  if (!list) return 1;
  const view = viewOf(bytes);
  const step = wide ? 8 : 4;
  const count = Math.min(view.getUint32(list.start + 4), Math.floor((list.end - list.start - 8) / step));
  let present = 0;
  for (let i = 0, at = list.start + 8; i < count; i++, at += step) {
    if ((wide ? Number(view.getBigUint64(at)) : view.getUint32(at)) < size) present += 1;
  }
  return count === 0 ? 1 : present / count;
}

const CODECS: Record<string, string> = {
  mp4a: 'aac',
  alac: 'alac',
  fLaC: 'flac',
  Opus: 'opus',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  '.mp3': 'mp3',
  sowt: 'pcm_s16le',
  twos: 'pcm_s16be',
};
const LOSSLESS = ['alac', 'flac', 'pcm_s16le', 'pcm_s16be'];

function soundOf(bytes: Uint8Array, track: Box): Pick<AudioHeader, 'codec' | 'sample_rate' | 'channels' | 'lossless'> {
  const table = find(bytes, track, 'mdia', 'minf', 'stbl', 'stsd');
  const entry = table && [...boxesIn(bytes, table.start + 8, Math.min(table.end, bytes.length))][0];
  if (!entry) return { codec: 'unknown', sample_rate: null, channels: null, lossless: false };
  const view = viewOf(bytes);
  const codec = CODECS[entry.type] ?? entry.type.trim();
  const lossless = LOSSLESS.includes(codec);
  const extra: Box = { ...entry, start: entry.start + 28 };
  const aac = codec === 'aac' ? aacConfig(bytes, find(bytes, extra, 'esds')) : null;
  if (aac) return { codec, ...aac, lossless };
  const alac = codec === 'alac' ? find(bytes, extra, 'alac') : null;
  if (alac && alac.start + 28 <= bytes.length)
    return { codec, sample_rate: view.getUint32(alac.start + 24), channels: bytes[alac.start + 13] ?? null, lossless };
  // A rate above 65535 does not fit the field; the media clock then counts samples.
  const rate = view.getUint16(entry.start + 24) || clockOf(bytes, find(bytes, track, 'mdia', 'mdhd'))?.scale;
  return { codec, sample_rate: rate ?? null, channels: view.getUint16(entry.start + 16), lossless };
}

/** Rate and channels out of the AudioSpecificConfig, which is right where the sample entry often is not. */
function aacConfig(bytes: Uint8Array, box: Box | null): { sample_rate: number; channels: number } | null {
  if (!box) return null;
  // Descriptors nest: stream (3) > decoder (4) > decoder specific (5); each is a tag and a length of 1 to 4 bytes.
  let at = box.start + 4;
  const open = (tag: number): boolean => {
    if (bytes[at++] !== tag) return false;
    while ((bytes[at++] ?? 0) & 0x80 && at < box.end);
    return true;
  };
  if (!open(3)) return null;
  at += 3;
  if (!open(4)) return null;
  at += 13;
  if (!open(5)) return null;
  const config = (bytes[at] ?? 0) * 65536 + (bytes[at + 1] ?? 0) * 256 + (bytes[at + 2] ?? 0);
  const rate = AAC_RATES[(config >> 15) & 15];
  const layout = (config >> 11) & 15;
  if (rate === undefined || layout === 0 || layout > 7) return null;
  // Object type 5 or 29: spectral band replication doubles the rate, parametric stereo (29) the channels.
  const type = config >> 19;
  const doubled = (type === 5 || type === 29) && rate <= 24000;
  return { sample_rate: doubled ? rate * 2 : rate, channels: type === 29 ? 2 : layout === 7 ? 8 : layout };
}
