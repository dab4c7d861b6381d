/** MP4 in fragments: no table of all samples, but one in front of each piece. ISO/IEC 14496-12, 8.8. */
import { readBytes, viewOf } from './bytes.ts';
import { type Box, boxesIn, find, walkTop } from './mp4-boxes.ts';

/** Fragments of more pieces than this are left to the decoder: ten hours of a second each. */
const MOST_FRAGMENTS = 36_000;
const FRAGMENT_LIMIT = 8 * 1024 ** 2;

export interface FragmentsCounted {
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
