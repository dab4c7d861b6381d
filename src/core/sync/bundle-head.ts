/** How an exported result is known by its first bytes: a ZIP whose first entry is the manifest. */

export const BUNDLE_FORMAT = 'accession-bundle';
export const BUNDLE_MANIFEST = 'accession-bundle.json';

/** Of a ZIP's entry: signature and 26 bytes of facts; then name, extra field and data. */
export const HEADER_BYTES = 30;
/** So many bytes are to be read. */
export const BUNDLE_HEAD_BYTES = HEADER_BYTES + BUNDLE_MANIFEST.length;

const SIGNATURE = [0x50, 0x4b, 3, 4];

/** True for the first bytes of an exported result. */
export function isBundleHead(head: Uint8Array): boolean {
  if (head.length < BUNDLE_HEAD_BYTES || !SIGNATURE.every((byte, at) => head[at] === byte)) return false;
  return String.fromCharCode(...head.slice(HEADER_BYTES, BUNDLE_HEAD_BYTES)) === BUNDLE_MANIFEST;
}
