/** Base64 by hand: the core has neither `atob` nor `Buffer`. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...ALPHABET].map((character, value) => [character.charCodeAt(0), value]));

const DIGITS = /^[A-Za-z\d+/]*$/;
/** A pattern over all of a large text runs out of stack. */
const PIECE = 65_536;

export function isBase64(text: string): boolean {
  const length = text.replace(/={1,2}$/, '').length;
  if (text.length % 4 !== 0) return false;
  for (let at = 0; at < length; at += PIECE)
    if (!DIGITS.test(text.slice(at, Math.min(at + PIECE, length)))) return false;
  return true;
}

/** @param text well-formed, as its schema has found it */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const length = text.replace(/=+$/, '').length;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < length; i++) {
    held = (held << 6) | (VALUES.get(text.charCodeAt(i)) ?? 0);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (held >> bits) & 0xff;
    held &= (1 << bits) - 1;
  }
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    const three = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    const digit = (shift: number): string => ALPHABET.charAt((three >> shift) & 63);
    parts.push(`${digit(18)}${digit(12)}${b === undefined ? '=' : digit(6)}${c === undefined ? '=' : digit(0)}`);
  }
  return parts.join('');
}
