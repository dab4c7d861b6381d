const REPLACEMENT = 0xfffd;

/** UTF-8 as text; what is not well-formed becomes U+FFFD. The core has no TextDecoder. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    // Texts are mostly of such bytes: a run of them is put together by one call.
    let end = at;
    while (end < bytes.length && end - at < RUN && (bytes[end] ?? 0) < 0x80) end += 1;
    if (end > at) text += Reflect.apply(String.fromCharCode, null, bytes.subarray(at, end)) as string;
    at = end;
    if (at === bytes.length || (bytes[at] ?? 0) < 0x80) continue;
    const { code, length } = readCodePoint(bytes, at);
    text += String.fromCodePoint(code);
    at += length;
  }
  return text;
}

/** Arguments of a call are bounded. */
const RUN = 4_096;

function readCodePoint(bytes: Uint8Array, at: number): { code: number; length: number } {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return { code: lead, length: 1 };
  const more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  if (lead < 0xc2 || lead > 0xf4) return { code: REPLACEMENT, length: 1 };
  let code = lead & (0x3f >> more);
  for (let next = 1; next <= more; next += 1) {
    const byte = bytes[at + next] ?? 0;
    if ((byte & 0xc0) !== 0x80) return { code: REPLACEMENT, length: next };
    code = (code << 6) | (byte & 0x3f);
  }
  const shortest = [0, 0x80, 0x800, 0x10000][more] ?? 0;
  const wrong = code < shortest || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return { code: wrong ? REPLACEMENT : code, length: more + 1 };
}

/** Text as UTF-8; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      const whole = text.codePointAt(i) ?? REPLACEMENT;
      if (whole > 0xffff) i++;
      code = whole >= 0xd800 && whole <= 0xdfff ? REPLACEMENT : whole;
    }
    if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
    else {
      if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
      else {
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      }
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return bytes.slice(0, at);
}

/** Whether a text takes more bytes than so many as UTF-8. */
export function exceedsBytes(text: string, most: number): boolean {
  if (text.length * 3 <= most) return false;
  let bytes = text.length;
  for (let at = 0; bytes <= most && at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each half of a surrogate pair is two of its four bytes.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes > most;
}
