/**
 * iTunes' own word on gapless sound, in files of encoders that wrote no edit list: what was put before the music, what
 * behind it, and how long it is, as hexadecimal words in a comment.
 *
 *   " 00000000 00000840 000001CA 00000000003F31F6 00000000 ..."   zero, delay, padding, samples, nothing of use
 */
import { ascii } from './bytes.ts';
import { boxesIn, find, type Box } from './mp4-boxes.ts';

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
