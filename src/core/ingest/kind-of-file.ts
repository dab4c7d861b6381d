import type { FileKind } from './file-kinds.ts';
import { id3End } from './sniff-mpeg.ts';
import { sniff } from './sniff.ts';

/**
 * What a file is by its first bytes, and by those behind an ID3 tag: a large one (with a cover in it) hides what it
 * is before. `read` answers up to `HEAD_BYTES` bytes from a place on; `size` in bytes.
 */
export async function kindOfFile(read: (start: number) => Promise<Uint8Array>, size: number): Promise<FileKind> {
  const head = await read(0);
  const kind = sniff(head);
  const behindTag = kind === 'id3' ? id3End(head) : null;
  if (behindTag === null || behindTag >= size) return kind;
  const inner = sniff(await read(behindTag));
  return inner === 'unknown' || inner === 'text' ? 'id3' : inner;
}
