/** Reading parts of a blob, and numbers out of bytes. */

/** Bytes [start, end) of the blob, fewer where it ends. */
export async function readBytes(blob: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.slice(Math.max(0, start), Math.max(0, end)).arrayBuffer());
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Latin-1 text of `length` bytes at `at`; shorter where the bytes end. */
export function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** Where `text` is in the bytes at or before `from`, searched backwards; -1 when nowhere. */
export function lastIndexOfText(bytes: Uint8Array, text: string, from = bytes.length): number {
  for (let at = Math.min(from, bytes.length - text.length); at >= 0; at--) {
    if (bytes[at] === text.charCodeAt(0) && ascii(bytes, at, text.length) === text) return at;
  }
  return -1;
}

/** Bytes taken by ID3v2 tags at the start of the file (there may be several). */
export async function id3v2Length(blob: Blob): Promise<number> {
  let at = 0;
  for (;;) {
    const head = await readBytes(blob, at, at + 10);
    if (head.length < 10 || ascii(head, 0, 3) !== 'ID3') return at;
    const size = [6, 7, 8, 9].reduce((sum, index) => sum * 128 + ((head[index] ?? 0) & 0x7f), 0);
    const footer = ((head[5] ?? 0) & 0x10) !== 0 ? 10 : 0;
    at += 10 + size + footer;
  }
}

/** Bytes taken by ID3v1 and APEv2 tags at the end of the file. */
export async function trailingTagsLength(blob: Blob): Promise<number> {
  const tail = await readBytes(blob, blob.size - 160, blob.size);
  let length = ascii(tail, tail.length - 128, 3) === 'TAG' ? 128 : 0;
  const ape = tail.length - length - 32;
  if (ape >= 0 && ascii(tail, ape, 8) === 'APETAGEX') {
    const view = viewOf(tail);
    const hasHeader = (view.getUint32(ape + 20, true) & 0x80000000) !== 0;
    length += view.getUint32(ape + 12, true) + (hasHeader ? 32 : 0);
  }
  return Math.min(length, blob.size);
}

/** Counting what has no header of its length: sounds made of frames, each with its own length in front. */

/** Read at a time. Bytes; more than any frame has. */
const CHUNK = 1024 ** 2;
/** How much between two frames may be something else. Bytes. */
const RESYNC = 64 * 1024;

/** What is said of a file that ends inside a frame: it is taken for what is there. */
export const CUT_NOTE =
  'It ends in the middle of a frame and nothing in it says how long it was: it may have been cut off.';

export interface Frame {
  /** Bytes, header included; above 0. */
  length: number;
  /** Samples a channel that it decodes to. */
  samples: number;
}

interface FramesCounted {
  frames: number;
  samples: number;
  /** Offset behind the last whole frame. */
  end: number;
  /** A last frame was begun and is not whole. */
  cut: boolean;
}

/**
 * Walks all frames in [from, end). A stretch of junk between them is stepped over; more than 64 KiB of it, or the end,
 * ends the count. `frameAt` answers null where no frame begins.
 */
export async function countFrames(
  blob: Blob,
  from: number,
  end: number,
  frameAt: (bytes: Uint8Array, at: number) => Frame | null,
): Promise<FramesCounted> {
  const counted: FramesCounted = { frames: 0, samples: 0, end: from, cut: false };
  let lost = 0;
  let offset = from;
  while (offset < end && lost < RESYNC) {
    const bytes = await readBytes(blob, offset, Math.min(end, offset + CHUNK));
    const last = offset + bytes.length >= end;
    let at = 0;
    while (at + 8 <= bytes.length && lost < RESYNC) {
      const frame = frameAt(bytes, at);
      if (!frame) {
        at += 1;
        lost += 1;
        continue;
      }
      if (at + frame.length > bytes.length) {
        counted.cut = last;
        break;
      }
      counted.frames += 1;
      counted.samples += frame.samples;
      counted.end = offset + at + frame.length;
      lost = 0;
      at += frame.length;
    }
    if (last || at === 0) break;
    offset += at;
  }
  return counted;
}
