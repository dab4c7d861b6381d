/** Decodes bytes of a legacy encoding; null where they are not well-formed in it. The platform gives it (TextDecoder). */
export type LegacyDecoder = (bytes: Uint8Array, encoding: 'shift_jis') => string | null;

export interface RawEntryName {
  raw: Uint8Array;
  /** It is UTF-8: by its flag, by a valid Unicode path field, or because its bytes are well-formed UTF-8. */
  unicode: boolean;
  /** As the format reads it: Unicode where it is that, CP437 otherwise. */
  fallback: string;
}

/**
 * Names of one archive that were written without saying how. The encoding is settled for the archive
 * as a whole, since one maker wrote all its names: UTF-8 where it fits, Shift-JIS where all such names
 * read as Japanese, otherwise CP437, which is what the format says.
 */
export function decodeEntryNames(names: readonly RawEntryName[], decode: LegacyDecoder): string[] {
  const legacy = names.filter((name) => !name.unicode && name.raw.some((byte) => byte > 0x7f));
  const japanese = legacy.map((name) => decode(name.raw, 'shift_jis'));
  if (legacy.length === 0 || !readsAsJapanese(japanese)) return names.map((name) => name.fallback);
  const decoded = new Map(legacy.map((name, i) => [name, japanese[i] ?? name.fallback]));
  return names.map((name) => decoded.get(name) ?? name.fallback);
}

const KANA = /[\u3041-\u3096\u30a1-\u30fa\u30fc]/u;
const HAN_RUN = /[\u4e00-\u9fff\u3005]{2}/u;
const JAPANESE = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e\u2010-\u2026\u00d7]/u;

/**
 * Nearly any bytes are well-formed Shift-JIS: an accented CP437 letter with the letter behind it gives
 * one odd kanji ("Björk"). So every character beyond ASCII must be one that Japanese text uses, and
 * somewhere there must be kana, or two kanji in a row.
 */
function readsAsJapanese(texts: readonly (string | null)[]): boolean {
  if (texts.some((text) => text === null)) return false;
  const whole = texts.join('/');
  const foreign = [...whole].filter((character) => (character.codePointAt(0) ?? 0) > 0x7f);
  return foreign.every((character) => JAPANESE.test(character)) && (KANA.test(whole) || HAN_RUN.test(whole));
}
