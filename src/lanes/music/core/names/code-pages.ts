/** MATCH-99: names out of ZIP files whose bytes were shown in the code page of DOS (CP437): `M÷tley` is `Mötley`. */

/** Characters of the bytes 0x80 to 0xff. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
/** What no name of music has between its letters, in Latin writing. */
const ODD = /[⌐¬░-▓│-╬█▄▌▐▀ΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈∙√ⁿ■₧]/u;
const BETWEEN = new RegExp(`\\p{Script=Latin}${ODD.source}|${ODD.source}\\p{Script=Latin}`, 'u');

/** Names of the bytes 0x80 to 0x9f in Windows-1252 are left out: they are no letters but a few. */
const asLatin = (byte: number): string => (byte >= 0xc0 ? String.fromCodePoint(byte) : '');

/** The bytes that CP437 shows as this text; null when it has other characters. */
function bytesOf(text: string): number[] | null {
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const at = CP437.indexOf(char);
    if (code < 0x80) bytes.push(code);
    else if (at >= 0) bytes.push(0x80 + at);
    else return null;
  }
  return bytes;
}

/**
 * The text that CP437 was made of, where signs stand between Latin letters: UTF-8, else Latin-1; the text itself where it
 * is neither.
 *
 * @param decodeUtf8 says with `lost` how many bytes it could not read
 */
export function repairCp437(
  text: string,
  decodeUtf8: (bytes: readonly number[]) => { text: string; lost: number; joined: number },
): string {
  if (!BETWEEN.test(text)) return text;
  const bytes = bytesOf(text);
  if (bytes === null) return text;
  const utf8 = decodeUtf8(bytes);
  if (utf8.lost === 0 && utf8.joined > 0) return utf8.text;
  const latin = bytes.map((byte) => (byte < 0x80 ? String.fromCodePoint(byte) : asLatin(byte)));
  return latin.includes('') ? text : latin.join('');
}
