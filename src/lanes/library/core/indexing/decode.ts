/** Bytes of a file as text, if they are any. */
import { hasText } from '#core/ingest/bytes.ts';
import { guessEncoding } from '#core/ingest/legacy-encoding.ts';

/** Bytes as text, or null where they are not well-formed in the encoding (a label of the Encoding Standard). */
export type TextDecoding = (bytes: Uint8Array, encoding: string) => string | null;

export interface DecodedText {
  text: string;
  /** `utf-8`, `utf-16le`, `windows-1252`, ... */
  encoding: string;
}

/** How far is looked for what text does not have. Bytes. */
const HEAD = 8_000;

/** Null for what is no text. The byte order mark is left out. */
export function decodeText(bytes: Uint8Array, decode: TextDecoding): DecodedText | null {
  const wide = wideEncoding(bytes);
  if (wide !== null) {
    const text = decode(bytes.subarray(0, bytes.length & ~1), wide);
    return text === null ? null : { text: withoutMark(text), encoding: wide };
  }
  if (bytes.subarray(0, HEAD).includes(0) || isControlled(bytes) || hasText(bytes, 0, '%PDF-')) return null;
  const unicode = decode(bytes, 'utf-8');
  if (unicode !== null) return { text: withoutMark(unicode), encoding: 'utf-8' };
  const guessed = guessEncoding([bytes], decode);
  for (const encoding of guessed === null ? ['windows-1252'] : [guessed, 'windows-1252']) {
    const text = decode(bytes, encoding);
    if (text !== null) return { text, encoding };
  }
  return null;
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** UTF-16 by its mark, or by zeros in every other place as Latin text has them. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, Math.min(HEAD, bytes.length & ~1));
  if (head.length < 8) return null;
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = head.length * 0.3;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : null;
}

/** More than one byte in fifty is a control character that no text uses. */
function isControlled(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD);
  let control = 0;
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) control += 1;
  return control * 50 > head.length;
}
