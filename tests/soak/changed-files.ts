import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until so many of the files are of another size or gone: the caller is there in the middle of the steps. False
 * where `isOver` said so before, or it took too long.
 */
export async function changed(
  files: readonly string[],
  { count, longestMs, isOver = () => false }: { count: number; longestMs: number; isOver?: () => boolean },
): Promise<boolean> {
  const sizes = new Map(files.map((name) => [name, statSync(name).size]));
  const end = performance.now() + longestMs;
  while (performance.now() < end && !isOver()) {
    let others = 0;
    for (const [name, size] of sizes) if (statSync(name, { throwIfNoEntry: false })?.size !== size) others += 1;
    if (others >= count) return true;
    await wait(2);
  }
  return false;
}
