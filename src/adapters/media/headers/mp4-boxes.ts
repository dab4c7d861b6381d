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
  for (const type of path) {
    box = box && [...boxesIn(bytes, box.start, Math.min(box.end, bytes.length))].find((each) => each.type === type);
  }
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
