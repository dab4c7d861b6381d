/** Files as tools take them: text, or bytes in base64; and the archives among them. */
import * as v from 'valibot';
import { failed } from '../../errors.ts';
import { decodeUtf8, encodeUtf8 } from '../../utf8.ts';
import { fromBase64, isBase64 } from '../base64.ts';
import { inflate } from './inflate.ts';

export const fileInput = v.union(
  [
    v.pipe(v.string(), v.nonEmpty('is empty')),
    v.strictObject({ base64: v.pipe(v.string(), v.nonEmpty('is empty'), v.check(isBase64, 'is no base64')) }),
  ],
  'must be the text of a file, or { base64 }',
);
export type FileInput = v.InferOutput<typeof fileInput>;

export const bytesOf = (given: FileInput): Uint8Array =>
  typeof given === 'string' ? encodeUtf8(given) : fromBase64(given.base64);

export const beginsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

/** `PK\3\4` */
export const isZip = (bytes: Uint8Array): boolean => beginsWith(bytes, [0x50, 0x4b, 3, 4]);

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Of an archive: its files, and all of them unpacked. */
const MOST_ENTRIES = 2_000;
export const MOST_UNPACKED = 64 * 1024 * 1024;

export interface ZipEntry {
  name: string;
  read(): Uint8Array;
}

/** By its directory. Names lead nowhere: nothing is written. Throws AccessionError `tool_input`, `tool_limit`. */
export function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const data = view(bytes);
  let end = bytes.length - 22;
  while (end >= 0 && data.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw broken();
  const count = data.getUint16(end + 10, true);
  if (count > MOST_ENTRIES) throw failed('tool_limit', `file: the archive has more than ${MOST_ENTRIES} files`);
  const entries: ZipEntry[] = [];
  let at = data.getUint32(end + 16, true);
  let left = MOST_UNPACKED;
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || data.getUint32(at, true) !== 0x02014b50) throw broken();
    const [flags, method] = [data.getUint16(at + 8, true), data.getUint16(at + 10, true)];
    const [packed, name, extra, comment] = [20, 28, 30, 32].map((offset) => offset === 20 ? data.getUint32(at + 20, true) : data.getUint16(at + offset, true)) as [number, number, number, number]; // prettier-ignore
    const begins = data.getUint32(at + 42, true);
    const said = decodeUtf8(bytes.subarray(at + 46, at + 46 + name));
    entries.push({
      name: said,
      read() {
        if (begins + 30 > bytes.length || data.getUint32(begins, true) !== 0x04034b50) throw broken();
        if ((flags & 1) !== 0) throw failed('tool_input', `file: ${said} is encrypted`, { subject: 'file' });
        const from = begins + 30 + data.getUint16(begins + 26, true) + data.getUint16(begins + 28, true);
        if (from + packed > bytes.length) throw broken();
        const body = bytes.subarray(from, from + packed);
        if (method !== 0 && method !== 8)
          throw failed('tool_input', `file: ${said} is packed in a way that is not known`, { subject: 'file' });
        const whole = method === 0 ? body : inflate(body, left);
        left -= whole.length;
        if (left < 0) throw failed('tool_limit', 'file: the archive is too large unpacked');
        return whole;
      },
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}

const broken = (): Error => failed('tool_input', 'file: the archive is broken', { subject: 'file' });
