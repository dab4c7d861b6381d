/** How long videos are, by what their containers say. */
import type { MediaSource } from '../core/agent/video-tools.ts';

/** Files that are looked into at a time: more make a disk or a network no quicker. */
const AT_ONCE = 4;

/**
 * Seconds by absolute path; null where a file does not say it or cannot be read. Only the heads of files are read.
 *
 * @param paths absolute, in the folder
 */
export async function lengthsOf(
  media: MediaSource,
  mediaFolderPath: string,
  paths: readonly string[],
): Promise<Map<string, number | null>> {
  const found = new Map<string, number | null>();
  const waiting = [...new Set(paths)];
  const worker = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const facts = await media.look(mediaFolderPath, path).catch(() => null);
      found.set(path, facts?.duration ?? null);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return found;
}
