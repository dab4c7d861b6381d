/** Files that are not what they seem, made from good ones. */

const LOCAL_HEADER = [0x50, 0x4b, 0x03, 0x04];
const CENTRAL_HEADER = [0x50, 0x4b, 0x01, 0x02];
/** Offset of the general purpose flags in each header. */
const LOCAL_FLAGS = 6;
const CENTRAL_FLAGS = 8;
const ENCRYPTED = 1;

/** The ZIP with one byte of the named (stored) entry's content changed: its CRC no longer fits. */
export function withWrongCrc(zip: Uint8Array<ArrayBuffer>, entry: string): Uint8Array<ArrayBuffer> {
  const out = zip.slice();
  const at = Buffer.from(out.buffer).indexOf(entry) + entry.length + 1000;
  out[at] = (out[at] ?? 0) ^ 0xff;
  return out;
}

/** The ZIP with the named entry marked as encrypted. */
export function withEncryptedEntry(zip: Uint8Array<ArrayBuffer>, entry: string): Uint8Array<ArrayBuffer> {
  const out = zip.slice();
  const bytes = Buffer.from(out.buffer);
  for (let name = bytes.indexOf(entry); name >= 0; name = bytes.indexOf(entry, name + 1)) {
    const local = bytes.lastIndexOf(Buffer.from(LOCAL_HEADER), name);
    const central = bytes.lastIndexOf(Buffer.from(CENTRAL_HEADER), name);
    const flags = central > local ? central + CENTRAL_FLAGS : local + LOCAL_FLAGS;
    bytes[flags] = (bytes[flags] ?? 0) | ENCRYPTED;
  }
  return out;
}

/** The ZIP with an entry's name replaced by another of the same length. */
export function withEntryName(zip: Uint8Array<ArrayBuffer>, from: string, to: string): Uint8Array<ArrayBuffer> {
  if (from.length !== to.length) throw new Error('names of one length, or the offsets move');
  const out = zip.slice();
  const bytes = Buffer.from(out.buffer);
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at, 'latin1');
  return out;
}
