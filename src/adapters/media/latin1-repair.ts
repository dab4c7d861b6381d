/** Text that was written in another encoding and read as Latin-1: old ID3 tags, WAV's INFO. */
import { guessEncoding, type LegacyEncoding } from '#core/ingest/legacy-encoding.ts';
import { decodeLegacy } from './legacy-text.ts';

/** What Windows-1252 has instead of control characters, which is what many take Latin-1 for. */
const WINDOWS = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i))].map(
    (letter, i) => [letter, 0x80 + i] as const,
  ),
);

/** How to put the texts of one file right: one program wrote them all. What is no such text stays as it is. */
export function latin1Repair(texts: readonly (string | undefined)[]): (text: string) => string {
  const suspects = texts.map((text) => latin1Bytes(text ?? '')).filter((bytes) => bytes !== null);
  const legacy = suspects.filter((bytes) => decodeLegacy(bytes, 'utf-8') === null);
  let encoding: LegacyEncoding | null | undefined;
  return (text) => {
    const bytes = latin1Bytes(text);
    if (bytes === null) return text;
    // What is valid UTF-8 when its characters are taken for bytes is not Latin-1 that anybody wrote.
    const unicode = decodeLegacy(bytes, 'utf-8');
    if (unicode !== null) return unicode;
    if (encoding === undefined) encoding = guessEncoding(legacy, decodeLegacy);
    return encoding === null ? text : (decodeLegacy(bytes, encoding) ?? text);
  };
}

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
