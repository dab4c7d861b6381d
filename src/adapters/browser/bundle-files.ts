/** How an exported result (bundle.ts) is known and read: a ZIP of unpacked entries, the manifest first. */

export const BUNDLE_FORMAT = 'accession-bundle';
export const BUNDLE_MANIFEST = 'accession-bundle.json';

const LOCAL_HEADER = 0x04034b50;
/** Signature, 26 bytes of facts; then name, extra field and data. */
const HEADER_BYTES = 30;
const MOST_ENTRIES = 16;

/** True for a file whose first entry is the manifest of a bundle. Reads 51 bytes. */
export async function isBundle(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, HEADER_BYTES + BUNDLE_MANIFEST.length).arrayBuffer());
  if (head.length < HEADER_BYTES + BUNDLE_MANIFEST.length) return false;
  const view = new DataView(head.buffer);
  return (
    view.getUint32(0, true) === LOCAL_HEADER && new TextDecoder().decode(head.slice(HEADER_BYTES)) === BUNDLE_MANIFEST
  );
}

/**
 * The entries, as slices of the file: what is packed is not ours and not read, so that nothing can expand. Stops at the
 * first thing that is no entry (the directory).
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
