import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { OpenFile } from '#core/plan/file-tree.ts';

/** The file at this place; null where it is none. A link is not followed, a pipe not waited for. Throws as `open` does. */
export async function openWithin(place: string): Promise<OpenFile | null> {
  const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await handle.stat().catch(() => null);
  if (!stats?.isFile()) {
    await handle.close();
    return null;
  }
  return {
    size: stats.size,
    async read(start, end) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, stats.size) - start));
      let read = 0;
      while (read < bytes.length) {
        const { bytesRead } = await handle.read(bytes, read, bytes.length - read, start + read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
      return bytes.subarray(0, read);
    },
    close: () => handle.close(),
  };
}
