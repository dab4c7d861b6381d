import { guessEncoding, type LegacyEncoding } from '#core/ingest/legacy-encoding.ts';

/** Bytes of a legacy encoding as text, or null where they are not well-formed in it. */
export function decodeLegacy(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A text file whose encoding nobody wrote down (CUE, M3U): byte order mark, UTF-8, what it reads as, Windows-1252. */
export function decodeTextFile(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const unicode = decodeLegacy(bytes, 'utf-8');
  if (unicode !== null) return unicode;
  const encoding = guessEncoding([bytes], decodeLegacy);
  const legacy = encoding === null ? null : decodeLegacy(bytes, encoding);
  return legacy ?? new TextDecoder('windows-1252').decode(bytes);
}

/** Text that was written in another encoding and read as Latin-1: old ID3 tags, WAV's INFO. */

/** What Windows-1252 has instead of control characters, which is what many take Latin-1 for. */
const WINDOWS = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i))].map(
    (letter, i) => [letter, 0x80 + i] as const,
  ),
);

/**
 * How to put the texts of one file right: one program wrote them all. UTF-8 is known wherever it is met; another
 * encoding is guessed only for what is among `unsaid`, the texts of the file that do not say theirs. What is no such
 * text stays as it is.
 */
export function latin1Repair(unsaid: readonly string[]): (text: string) => string {
  const suspects = unsaid.map(latin1Bytes).filter((bytes) => bytes !== null);
  const legacy = suspects.filter((bytes) => decodeLegacy(bytes, 'utf-8') === null);
  const keys = legacy.map(keyOf);
  let encoding: LegacyEncoding | null | undefined;
  return (text) => {
    const bytes = latin1Bytes(text);
    if (bytes === null) return text;
    // What is valid UTF-8 when its characters are taken for bytes is not Latin-1 that anybody wrote.
    const unicode = decodeLegacy(bytes, 'utf-8');
    if (unicode !== null) return unicode;
    const key = keyOf(bytes);
    if (!keys.some((one) => one.includes(key))) return text;
    if (encoding === undefined) encoding = guessEncoding(legacy, decodeLegacy);
    return encoding === null ? text : (decodeLegacy(bytes, encoding) ?? text);
  };
}

/** One text may be Latin-1 here and Windows-1252 there: its bytes are the same. */
const keyOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** The bytes that were read; null where there is nothing beyond ASCII, or more than Latin-1 has. */
function latin1Bytes(text: string): Uint8Array | null {
  if (!/[^\0-\x7f]/.test(text)) return null;
  const bytes: number[] = [];
  for (const letter of text) {
    const byte = letter > '\xff' ? WINDOWS.get(letter) : letter.charCodeAt(0);
    if (byte === undefined) return null;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
