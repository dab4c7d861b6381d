/** The strings of a Core Audio file: pairs of a name and a value. */
import { ascii, readBytes, viewOf } from './headers/bytes.ts';

/** A longer one is not read. Bytes. */
const INFO_LIMIT = 1024 ** 2;

/** By lower-case name; empty when there are none. */
export async function cafInfo(blob: Blob): Promise<Map<string, string>> {
  for (let at = 8; at + 12 <= blob.size;) {
    const head = await readBytes(blob, at, at + 12);
    if (!/^[\x20-\x7e]{4}$/.test(ascii(head, 0, 4))) break;
    const size = Number(viewOf(head).getBigInt64(4));
    if (ascii(head, 0, 4) === 'info' && size <= INFO_LIMIT)
      return pairs(await readBytes(blob, at + 16, at + 12 + size));
    if (size < 0) break;
    at += 12 + size;
  }
  return new Map();
}

function pairs(bytes: Uint8Array): Map<string, string> {
  const strings = new TextDecoder().decode(bytes).split('\0');
  const found = new Map<string, string>();
  for (let i = 0; i + 1 < strings.length; i += 2) {
    const name = (strings[i] ?? '').toLowerCase();
    if (name !== '' && !found.has(name)) found.set(name, strings[i + 1] ?? '');
  }
  return found;
}
