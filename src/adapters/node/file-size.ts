import { stat } from 'node:fs/promises';
import { isCode } from './atomic-file.ts';

/** Bytes of a file, or null where there is none of that name. */
export async function fileSize(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}
