import { byteAt, hasBytes, hasText } from './bytes.ts';
import type { FileKind } from './file-kinds.ts';

/** What the first pages of an Ogg stream announce: https://www.rfc-editor.org/rfc/rfc3533 (each stream begins with one page). */
export function oggKind(bytes: Uint8Array): FileKind {
  let at = 0;
  while (hasText(bytes, at, 'OggS') && (byteAt(bytes, at + 5) & 2) !== 0) {
    const segments = byteAt(bytes, at + 26);
    const payload = at + 27 + segments;
    if (hasBytes(bytes, payload, [1]) && hasText(bytes, payload + 1, 'vorbis')) return 'vorbis';
    if (hasText(bytes, payload, 'OpusHead')) return 'opus';
    if (hasBytes(bytes, payload, [0x7f]) && hasText(bytes, payload + 1, 'FLAC')) return 'ogg-flac';
    let length = 0;
    for (let i = 0; i < segments; i++) length += Math.max(0, byteAt(bytes, at + 27 + i));
    at = payload + length;
  }
  return 'ogg-other';
}
