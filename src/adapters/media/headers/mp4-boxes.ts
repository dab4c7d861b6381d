/** The boxes that an MP4 is made of. ISO/IEC 14496-12. */
import { ascii, readBytes, viewOf } from './bytes.ts';

export interface Box {
  type: string;
  /** Offset of the content and of what follows it. */
  start: number;
  end: number;
}

/** Boxes of `bytes` in [start, end). A box that promises more than there is keeps its promise in `end`. */
export function* boxesIn(bytes: Uint8Array, start: number, end: number): Generator<Box> {
  const view = viewOf(bytes);
  for (let at = start; at + 8 <= end;) {
    const short = view.getUint32(at);
    const long = short === 1 && at + 16 <= end;
    const size = short === 0 ? end - at : long ? Number(view.getBigUint64(at + 8)) : short;
    if (size < 8) return;
    yield { type: ascii(bytes, at + 4, 4), start: at + (long ? 16 : 8), end: at + size };
    at += size;
  }
}

/** The first box along the path of types; null where there is none. */
export function find(bytes: Uint8Array, within: Box, ...path: string[]): Box | null {
  let box: Box | undefined = within;
  for (const type of path)
    box = box && [...boxesIn(bytes, box.start, Math.min(box.end, bytes.length))].find((each) => each.type === type);
  return box ?? null;
}

/** The file's outermost boxes; only their heads are read. */
export async function* walkTop(blob: Blob): AsyncGenerator<Box> {
  for (let at = 0; at + 8 <= blob.size;) {
    const head = await readBytes(blob, at, at + 16);
    const view = viewOf(head);
    const long = view.getUint32(0) === 1 && head.length >= 16;
    const stated = long ? Number(view.getBigUint64(8)) : view.getUint32(0);
    const size = stated === 0 ? blob.size - at : stated;
    if (size < 8) return;
    yield { type: ascii(head, 4, 4), start: at + (long ? 16 : 8), end: at + size };
    at += size;
  }
}

/** MP4 in fragments: no table of all samples, but one in front of each piece. ISO/IEC 14496-12, 8.8. */

/** Fragments of more pieces than this are left to the decoder: ten hours of a second each. */
const MOST_FRAGMENTS = 36_000;
const FRAGMENT_LIMIT = 8 * 1024 ** 2;

interface FragmentsCounted {
  /** In the track's time scale: all that is promised, and as much as is there. */
  declared: number;
  present: number;
  /** Bytes of the pieces. */
  bytes: number;
}

/** Adds up the pieces of the track; null when they do not say how long they are. */
export async function countFragments(blob: Blob, track: number, usual: number): Promise<FragmentsCounted | null> {
  const counted: FragmentsCounted = { declared: 0, present: 0, bytes: 0 };
  let pending = 0;
  let pieces = 0;
  for await (const box of walkTop(blob)) {
    if (box.type === 'moof') {
      if (++pieces > MOST_FRAGMENTS || box.end - box.start > FRAGMENT_LIMIT) return null;
      const bytes = await readBytes(blob, box.start, box.end);
      const length = lengthOf(bytes, track, usual);
      if (length === null) return null;
      pending = length;
      counted.declared += length;
    }
    if (box.type === 'mdat') {
      const there = Math.min(box.end, blob.size) - box.start;
      counted.bytes += there;
      counted.present += (pending * there) / Math.max(1, box.end - box.start);
      pending = 0;
    }
  }
  return counted;
}

/** Durations of a piece's samples. */
function lengthOf(bytes: Uint8Array, track: number, usual: number): number | null {
  const view = viewOf(bytes);
  const root: Box = { type: 'moof', start: 0, end: bytes.length };
  let sum = 0;
  for (const traf of boxesIn(bytes, root.start, root.end)) {
    const head = traf.type === 'traf' ? find(bytes, traf, 'tfhd') : null;
    if (!head || head.end > bytes.length || view.getUint32(head.start + 4) !== track) continue;
    const flags = view.getUint32(head.start) & 0xffffff;
    const durationAt = head.start + 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
    const each = flags & 8 ? view.getUint32(durationAt) : usual;
    for (const run of boxesIn(bytes, traf.start, Math.min(traf.end, bytes.length))) {
      if (run.type !== 'trun') continue;
      const length = runLength(view, run, each);
      if (length === null) return null;
      sum += length;
    }
  }
  return sum;
}

function runLength(view: DataView, run: Box, usual: number): number | null {
  if (run.end > view.byteLength) return null;
  const flags = view.getUint32(run.start) & 0xffffff;
  const count = view.getUint32(run.start + 4);
  if ((flags & 0x100) === 0) return usual > 0 ? count * usual : null;
  const step = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  let sum = 0;
  let at = run.start + 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  for (let i = 0; i < count && at + 4 <= run.end; i++, at += step) sum += view.getUint32(at);
  return sum;
}

/**
 * iTunes' own word on gapless sound, in files of encoders that wrote no edit list: what was put before the music, what
 * behind it, and how long it is, as hexadecimal words in a comment.
 *
 *   " 00000000 00000840 000001CA 00000000003F31F6 00000000 ..."   zero, delay, padding, samples, nothing of use
 */

export interface Gapless {
  /** Samples, at the rate of the sound. */
  delay: number;
  padding: number;
  samples: number;
}

const WORDS = /^\s*[0-9a-f]{8} ([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{16})(?:\s|$)/i;
/** A full box begins with its version and flags; the data of a comment with its type and language. */
const VERSION = 4;
const DATA_HEAD = 8;

/** What the comment says; null where there is none or it is not to be understood. `movie` is the moov box. */
export function gaplessOf(bytes: Uint8Array, movie: Box): Gapless | null {
  const meta = find(bytes, movie, 'udta', 'meta');
  const list = meta && find(bytes, { ...meta, start: meta.start + VERSION }, 'ilst');
  if (!list) return null;
  for (const entry of boxesIn(bytes, list.start, Math.min(list.end, bytes.length))) {
    if (entry.type !== '----') continue;
    const name = find(bytes, entry, 'name');
    const data = find(bytes, entry, 'data');
    if (!name || !data || ascii(bytes, name.start + VERSION, 8) !== 'iTunSMPB') continue;
    const words = WORDS.exec(ascii(bytes, data.start + DATA_HEAD, data.end - data.start - DATA_HEAD));
    if (!words) return null;
    const [delay = 0, padding = 0, samples = 0] = words.slice(1).map((word) => Number.parseInt(word, 16));
    return { delay, padding, samples };
  }
  return null;
}
