import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a few bytes into the directory, durably, and takes them away. Rejects where that is not possible. */
export async function checkDisk(directory: string): Promise<void> {
  const path = join(directory, `.health-${process.pid}`);
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.write('works');
    await handle.datasync();
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
}
