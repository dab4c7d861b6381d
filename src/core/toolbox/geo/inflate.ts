/** DEFLATE by fflate, with a bound on what comes out kept at each piece. */
import { Inflate } from 'fflate';
import { AccessionError, failed } from '../../errors.ts';

/** Bytes that go in at a time: what comes of them is bounded by the form itself (1,032 times as many). */
const PIECE = 4096;

/** Throws AccessionError `tool_input` (broken) or `tool_limit` (more than `most` bytes). */
export function inflate(packed: Uint8Array, most: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let count = 0;
  let ended = false;
  const inflater = new Inflate((part, last) => {
    count += part.length;
    if (count > most)
      throw failed('tool_limit', `file: unpacked it is larger than ${Math.round(most / 1024 / 1024)} MiB`, { subject: 'file' }); // prettier-ignore
    parts.push(part);
    ended ||= last;
  });
  try {
    for (let at = 0; at < packed.length && !ended; at += PIECE)
      inflater.push(packed.subarray(at, at + PIECE), at + PIECE >= packed.length);
  } catch (thrown) {
    if (thrown instanceof AccessionError) throw thrown;
    throw broken(thrown);
  }
  if (!ended) throw broken();
  const whole = new Uint8Array(count);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const broken = (cause?: unknown): Error =>
  failed('tool_input', 'file: what is packed in it is broken', { subject: 'file', cause });
