/** Files that are not what they seem, made from good ones. */
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';

/** The ZIP with one byte of the named (stored) entry's content changed: its CRC no longer fits. */
export function withWrongCrc(zip: Uint8Array<ArrayBuffer>, entry: string): Uint8Array<ArrayBuffer> {
  const out = zip.slice();
  const at = Buffer.from(out.buffer).indexOf(entry) + entry.length + 1000;
  out[at] = (out[at] ?? 0) ^ 0xff;
  return out;
}

/** A ZIP of one entry that opens with the password alone. */
export async function protectedZip(
  name: string,
  content: Uint8Array<ArrayBuffer>,
  password: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { password, useWebWorkers: false });
  await writer.add(name, new Uint8ArrayReader(content));
  return new Uint8Array(await writer.close());
}

/** The ZIP with an entry's name replaced by another of the same length. */
export function withEntryName(zip: Uint8Array<ArrayBuffer>, from: string, to: string): Uint8Array<ArrayBuffer> {
  if (from.length !== to.length) throw new Error('names of one length, or the offsets move');
  const out = zip.slice();
  const bytes = Buffer.from(out.buffer);
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at, 'latin1');
  return out;
}
