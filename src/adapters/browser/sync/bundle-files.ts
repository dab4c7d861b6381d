import { HEADER_BYTES } from '#core/sync/bundle-head.ts';

const LOCAL_HEADER = 0x04034b50;
const MOST_ENTRIES = 16;

/**
 * The entries of an exported result, as slices of the file: what is packed is not ours and not read, so that nothing can
 * expand. Stops at the first thing that is no entry (the directory).
 */
export async function storedEntries(file: Blob): Promise<ReadonlyMap<string, Blob>> {
  const entries = new Map<string, Blob>();
  let at = 0;
  while (entries.size < MOST_ENTRIES && at + HEADER_BYTES <= file.size) {
    const view = new DataView(await file.slice(at, at + HEADER_BYTES).arrayBuffer());
    if (view.getUint32(0, true) !== LOCAL_HEADER) break;
    const [flags, method] = [view.getUint16(6, true), view.getUint16(8, true)];
    const [packed, size] = [view.getUint32(18, true), view.getUint32(22, true)];
    const nameBytes = view.getUint16(26, true);
    const data = at + HEADER_BYTES + nameBytes + view.getUint16(28, true);
    // Bit 3: the size comes after the data.
    if (method !== 0 || packed !== size || (flags & 8) !== 0 || data + size > file.size) break;
    entries.set(
      await file.slice(at + HEADER_BYTES, at + HEADER_BYTES + nameBytes).text(),
      file.slice(data, data + size),
    );
    at = data + size;
  }
  return entries;
}
