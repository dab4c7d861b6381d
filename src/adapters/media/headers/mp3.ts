/**
 * MPEG audio, layers I to III. A Xing or Info header that agrees with the file's size is believed; in
 * every other case all frame headers are walked, because nothing less gives the length of a VBR file
 * without one. LAME's delay and padding are taken off, as decoders do.
 */
import { mpegFrame, type MpegFrame } from '#core/ingest/mpeg-frame.ts';
import type { SaidHeader } from './audio-header.ts';
import { ascii, id3v2Length, readBytes, trailingTagsLength, viewOf, countFrames, CUT_NOTE } from './bytes.ts';

/** How far junk before the first frame is searched through. Bytes. */
const RESYNC = 64 * 1024;

/** The frame at `at`; one with an emphasis that does not exist is none. */
function frameAt(bytes: Uint8Array, at: number): MpegFrame | null {
  return ((bytes[at + 3] ?? 0) & 3) === 2 ? null : mpegFrame(bytes, at);
}

/** Offset of the first frame that a second, like one follows; null when there is none near `from`. */
async function firstFrame(blob: Blob, from: number): Promise<{ at: number; frame: MpegFrame } | null> {
  const bytes = await readBytes(blob, from, from + RESYNC + 8192);
  for (let at = 0; at < Math.min(RESYNC, bytes.length); at++) {
    const frame = bytes[at] === 0xff ? frameAt(bytes, at) : null;
    if (!frame) continue;
    const next = frameAt(bytes, at + frame.length);
    const alone = from + at + frame.length >= blob.size;
    if (alone || (next && alike(frame, next))) return { at: from + at, frame };
  }
  return null;
}

function alike(one: MpegFrame, other: MpegFrame): boolean {
  return one.version === other.version && one.layer === other.layer && one.sampleRate === other.sampleRate;
}

interface Summary {
  frames: number | null;
  bytes: number | null;
  delay: number;
  padding: number;
}

/** The Xing, Info or VBRI header inside the first frame. */
function summaryOf(bytes: Uint8Array, frame: MpegFrame): Summary | null {
  const view = viewOf(bytes);
  const xing = 4 + (frame.version === 1 ? (frame.channels === 1 ? 17 : 32) : frame.channels === 1 ? 9 : 17);
  const name = ascii(bytes, xing, 4);
  if (name === 'Xing' || name === 'Info') {
    const flags = view.getUint32(xing + 4);
    let at = xing + 8;
    const frames = flags & 1 ? view.getUint32((at += 4) - 4) : null;
    const size = flags & 2 ? view.getUint32((at += 4) - 4) : null;
    at += (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
    const known = ['LAME', 'Lavf', 'Lavc'].includes(ascii(bytes, at, 4));
    const gap = known ? view.getUint32(at + 20) & 0xffffff : 0;
    return {
      frames,
      bytes: size,
      delay: known ? (gap >> 12) + 529 : 0,
      padding: known ? Math.max(0, (gap & 4095) - 529) : 0,
    };
  }
  if (ascii(bytes, 36, 4) !== 'VBRI') return null;
  return { frames: view.getUint32(50), bytes: view.getUint32(46), delay: 0, padding: 0 };
}

export async function readMp3(blob: Blob): Promise<SaidHeader | null> {
  const start = await id3v2Length(blob);
  const end = blob.size - (await trailingTagsLength(blob));
  const first = await firstFrame(blob, start);
  if (!first) return null;
  const { at, frame } = first;
  const head = new Uint8Array(Math.max(frame.length, 256));
  head.set((await readBytes(blob, at, at + head.length)).subarray(0, head.length));
  const summary = summaryOf(head, frame);
  const trim = (summary?.delay ?? 0) + (summary?.padding ?? 0);
  const toMs = (frames: number): number => (Math.max(0, frames * frame.samples - trim) * 1000) / frame.sampleRate;
  const present = end - at;
  // Half a percent covers writers that leave their own header, or the tags, in or out of the count.
  const believed = summary?.frames && summary.bytes && Math.abs(summary.bytes - present) <= present * 0.005 + 2048;
  const from = summary ? at + frame.length : at;
  const counted = believed
    ? null
    : await countFrames(blob, from, end, (bytes, offset) => {
        const other = frameAt(bytes, offset);
        return other && alike(frame, other) ? other : null;
      });
  const frames = counted?.frames ?? summary?.frames ?? 0;
  return {
    container: 'mp3',
    codec: `mp${frame.layer}`,
    sample_rate: frame.sampleRate,
    channels: frame.channels,
    duration_ms: toMs(frames),
    declared_ms: summary?.frames ? toMs(summary.frames) : null,
    audio_bytes: present,
    skip: summary?.delay ?? 0,
    ...(counted?.cut && !summary ? { note: CUT_NOTE } : {}),
  };
}
