import type { LegacyDecoder } from './legacy-alphabets.ts';
import { guessEncoding } from './legacy-encoding.ts';

export interface RawEntryName {
  raw: Uint8Array;
  /** It is UTF-8: by its flag, by a valid Unicode path field, or because its bytes are well-formed UTF-8. */
  unicode: boolean;
  /** As the format reads it: Unicode where it is that, CP437 otherwise. */
  fallback: string;
}

/**
 * Names of one archive that were written without saying how. The encoding is settled for the archive
 * as a whole, since one maker wrote all its names: UTF-8 where it fits, one of the East's where all such names
 * read as one of its languages, otherwise CP437, which is what the format says.
 */
export function decodeEntryNames(names: readonly RawEntryName[], decode: LegacyDecoder): string[] {
  const legacy = names.filter((name) => !name.unicode && name.raw.some((byte) => byte > 0x7f));
  const encoding = guessEncoding(
    legacy.map(({ raw }) => raw),
    decode,
  );
  if (encoding === null) return names.map((name) => name.fallback);
  const decoded = new Map(legacy.map((name) => [name, decode(name.raw, encoding) ?? name.fallback]));
  return names.map((name) => decoded.get(name) ?? name.fallback);
}
