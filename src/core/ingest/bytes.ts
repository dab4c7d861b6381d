/** Small readers over a head of bytes; out of range reads as -1, which equals no byte. */

export function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? -1;
}

/** True where `text` (ASCII) is at `at`. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  if (at + text.length > bytes.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

export function hasBytes(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return at + wanted.length <= bytes.length && wanted.every((byte, i) => bytes[at + i] === byte);
}

/** Bytes as characters 0..255: for looking at ASCII parts, never for names. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let out = '';
  for (let i = start; i < Math.min(end, bytes.length); i++) out += String.fromCharCode(byteAt(bytes, i));
  return out;
}

/** True for well-formed UTF-8; a character cut by the end of the bytes counts as well-formed. */
export function isUtf8(bytes: Uint8Array): boolean {
  let i = 0;
  while (i < bytes.length) {
    const lead = byteAt(bytes, i);
    const length =
      lead < 0x80
        ? 1
        : lead >= 0xc2 && lead < 0xe0
          ? 2
          : lead >= 0xe0 && lead < 0xf0
            ? 3
            : lead >= 0xf0 && lead < 0xf5
              ? 4
              : 0;
    if (length === 0) return false;
    for (let k = 1; k < length && i + k < bytes.length; k++) {
      const next = byteAt(bytes, i + k);
      if (next < 0x80 || next > 0xbf) return false;
      // Overlong forms, surrogates and code points above U+10FFFF.
      if (k === 1 && ((lead === 0xe0 && next < 0xa0) || (lead === 0xed && next > 0x9f))) return false;
      if (k === 1 && ((lead === 0xf0 && next < 0x90) || (lead === 0xf4 && next > 0x8f))) return false;
    }
    i += length;
  }
  return true;
}

/** One array of all the parts. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
