/** Repairs text before it is compared: entities, percent escapes, mojibake, compatibility forms. */
import { repairCp437 } from './code-pages.ts';

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '-',
  mdash: '-',
  hellip: '...',
  rsquo: "'",
  lsquo: "'",
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  szlig: 'ß',
  ntilde: 'ñ',
};

/** Windows-1252 characters of the bytes 0x80 to 0x9f, to find the byte behind a character. */
const CP1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Characters that UTF-8 read as a one-byte encoding leaves behind. */
const SUSPICIOUS = /[\u0080-\u009fÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßâãäåæçèéêëìíî€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘“”•–—˜™š›œžŸ¡-¿\ufffd]/g;

function decodeEntities(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, hex: string) => fromCode(parseInt(hex, 16)))
    .replace(/&#(\d{1,7});/g, (_, code: string) => fromCode(Number(code)))
    .replace(/&([a-z]{2,6});/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);
}

function fromCode(code: number): string {
  return code > 0x1f && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ' ';
}

function decodePercent(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = run
      .slice(1)
      .split('%')
      .map((hex) => parseInt(hex, 16));
    const decoded = decodeUtf8(bytes);
    return decoded.lost > 0 ? run : decoded.text;
  });
}

/** UTF-8 by hand: the core knows no TextDecoder. `lost` counts bytes that could not be read; -1 is an unknown byte. */
function decodeUtf8(bytes: readonly number[]): { text: string; lost: number; joined: number } {
  let text = '';
  let lost = 0;
  let joined = 0;
  for (let i = 0; i < bytes.length;) {
    const lead = bytes[i] ?? 0;
    const length =
      lead < 0
        ? 0
        : lead < 0x80
          ? 1
          : lead >= 0xc2 && lead < 0xe0
            ? 2
            : lead >= 0xe0 && lead < 0xf0
              ? 3
              : lead >= 0xf0 && lead < 0xf5
                ? 4
                : 0;
    if (length === 0) {
      lost++;
      i++;
      continue;
    }
    let code = length === 1 ? lead : lead & (0x7f >> length);
    let complete = true;
    for (let k = 1; k < length; k++) {
      const next = bytes[i + k] ?? -2;
      if (next >= 0x80 && next < 0xc0) code = (code << 6) | (next & 0x3f);
      else complete = false;
    }
    if (!complete) {
      lost++;
      i++;
      while (i < bytes.length && ((bytes[i] ?? 0) < 0 || ((bytes[i] ?? 0) >= 0x80 && (bytes[i] ?? 0) < 0xc0))) i++;
      continue;
    }
    text += fromCode(code);
    if (length > 1) joined++;
    i += length;
  }
  return { text, lost, joined };
}

/** The bytes a one-byte encoding would have shown as this text; null when it holds other characters. */
function bytesOf(text: string): number[] | null {
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const high = CP1252.indexOf(char);
    if (high >= 0) bytes.push(0x80 + high);
    else if (code <= 0xff) bytes.push(code);
    else if (code === 0xfffd) bytes.push(-1);
    else return null;
  }
  return bytes;
}

const suspicion = (text: string): number => (text.match(SUSPICIOUS) ?? []).length;

/** UTF-8 that was read as Latin-1 or Windows-1252 (even twice) becomes itself again. */
function repairMojibake(text: string): string {
  let best = text;
  for (let round = 0; round < 2; round++) {
    if (!/[\u0080-\uffff]/.test(best)) break;
    const bytes = bytesOf(best);
    if (bytes === null) break;
    const decoded = decodeUtf8(bytes);
    // Fewer suspicious characters, and more sequences read than lost: else the text was right as it was.
    if (decoded.joined === 0 || decoded.lost > decoded.joined || suspicion(decoded.text) >= suspicion(best)) break;
    best = decoded.text;
  }
  return best;
}

/** Bytes of Windows-1251 shown as Latin-1: `Íî÷ü` is `Ночь`. Only when the text is made of such letters throughout. */
function repairCyrillic(text: string): string {
  const letters = text.match(/\p{L}/gu) ?? [];
  const high = letters.filter((char) => char >= 'À' && char <= 'ÿ');
  if (high.length < 4 || high.length < letters.length * 0.8) return text;
  return text.replace(/[À-ÿ]/g, (char) => String.fromCodePoint(char.charCodeAt(0) - 0xc0 + 0x410));
}

/** One observed text, repaired for comparison. Length is bounded: what is longer is no title. */
export function repairText(raw: string): string {
  let text = raw.length > 600 ? raw.slice(0, 600) : raw;
  if (text.includes('&')) text = decodeEntities(text);
  if (text.includes('%')) text = decodePercent(text);
  if (/[\u0080-\uffff]/.test(text)) {
    text = repairCyrillic(repairMojibake(repairCp437(text, decodeUtf8)));
    text = text.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '').normalize('NFKC');
  }
  // Control characters have no place in a name.
  return [...text]
    .map((char) => (char < ' ' ? ' ' : char))
    .join('')
    .trim();
}
