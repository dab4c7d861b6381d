/** Counting what has no header of its length: sounds made of frames, each with its own length in front. */
import { readBytes } from './bytes.ts';

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

export interface FramesCounted {
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
