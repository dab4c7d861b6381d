/**
 * A FLAC from a sample on: a track of an hour's album image must not cost the decoding of all before it. There may be no
 * seek table, and one may lie: the frames themselves say which samples they hold, so the place is found by halving.
 */
import { ascii, id3v2Length, readBytes } from '../headers/bytes.ts';
import { frameAt, skipMetadata, streamInfo, type StreamInfo } from '../headers/flac.ts';

/** CRC-16 of FLAC frames (polynomial 0x8005, not reflected): decoders of browsers do not look at it. */

/** Four tables, so that four bytes cost four look-ups and no shifts between them. */
const TABLES = makeTables();

/** True when the frame's last two bytes are the checksum of those before them. */
export function isWholeFrame(frame: Uint8Array): boolean {
  const [t0, t1, t2, t3] = TABLES;
  const end = frame.length - 2;
  if (end < 4) return false;
  let crc = 0;
  let at = 0;
  for (; at + 4 <= end; at += 4) {
    crc =
      (t3[((crc >> 8) ^ (frame[at] ?? 0)) & 255] ?? 0) ^
      (t2[(crc ^ (frame[at + 1] ?? 0)) & 255] ?? 0) ^
      (t1[frame[at + 2] ?? 0] ?? 0) ^
      (t0[frame[at + 3] ?? 0] ?? 0);
  }
  for (; at < end; at += 1) crc = ((crc << 8) & 0xffff) ^ (t0[(crc >> 8) ^ (frame[at] ?? 0)] ?? 0);
  return crc === (frame[end] ?? 0) * 256 + (frame[end + 1] ?? 0);
}

function makeTables(): [Uint16Array, Uint16Array, Uint16Array, Uint16Array] {
  const first = Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1;
    return crc & 0xffff;
  });
  const next = (table: Uint16Array): Uint16Array => table.map((crc) => ((crc << 8) & 0xffff) ^ (first[crc >> 8] ?? 0));
  const second = next(first);
  const third = next(second);
  return [first, second, third, next(third)];
}

/** Read at a time; more than two frames of any usual kind. Bytes. */
const PIECE = 128 * 1024;
/** What STREAMINFO says of its frames may be a lie: beyond this much no place is looked for. Bytes. */
const MOST_OF_PIECE = 1024 ** 2;

export interface FlacRest {
  /** A FLAC whose frames begin with the one that holds the sample; what is slice of the file stays one. */
  blob: Blob;
  /** The first sample of that frame. */
  at: number;
}

interface Found {
  /** Offset in the file. */
  offset: number;
  first: number;
  samples: number;
}

/** Null when the place is not found beyond doubt: then all is decoded. */
export async function flacFrom(blob: Blob, sample: number): Promise<FlacRest | null> {
  const start = await id3v2Length(blob);
  const head = await readBytes(blob, start, start + 42);
  if (head.length < 42 || ascii(head, 0, 4) !== 'fLaC') return null;
  const info = streamInfo(head, 8);
  const piece = Math.max(PIECE, 3 * info.maxFrame);
  if (piece > MOST_OF_PIECE) return null;
  let low = await skipMetadata(blob, start + 4);
  let high = blob.size;
  while (high - low > 2 * piece) {
    const middle = low + Math.floor((high - low) / 2);
    const [found] = framesIn(await readBytes(blob, middle, middle + piece), middle, info);
    if (found === undefined) return null;
    if (found.first <= sample) low = found.offset;
    else high = middle;
  }
  const bytes = await readBytes(blob, low, high + piece);
  const frames = framesIn(bytes, low, info);
  const index = frames.findIndex(({ first, samples }) => first <= sample && sample < first + samples);
  const [found, next] = [frames[index], frames[index + 1]];
  if (found === undefined || next?.first !== found.first + found.samples) return null;
  if (!isWholeFrame(bytes.subarray(found.offset - low, next.offset - low))) return null;
  // STREAMINFO as the last of the blocks; nothing else of them is needed to decode.
  head[4] = 0x80;
  return { blob: new Blob([head, blob.slice(found.offset)]), at: found.first };
}

/** Frames by their headers, in their order; what only looks like a header is no neighbour of theirs. */
function framesIn(bytes: Uint8Array, offset: number, info: StreamInfo): Found[] {
  const all: Found[] = [];
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const frame = frameAt(bytes, at, info);
    if (frame !== null) all.push({ offset: offset + at, ...frame });
  }
  const ends = new Set(all.map(({ first, samples }) => first + samples));
  return all.filter(({ first, samples }, i) => all[i + 1]?.first === first + samples || ends.has(first));
}
