import { guessEncoding } from '#core/ingest/legacy-encoding.ts';

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
