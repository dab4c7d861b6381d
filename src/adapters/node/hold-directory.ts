import { join } from 'node:path';
import { lockFile } from './lock-file.ts';

/** Kept from being collected, which would end the hold. */
const held: (() => void)[] = [];

/**
 * Makes this process the only server on a data directory, until it ends, however it ends.
 * @returns false when another process has it
 */
export function holdDirectory(directory: string): boolean {
  const release = lockFile(join(directory, 'server.lock'));
  if (release !== null) held.push(release);
  return release !== null;
}
