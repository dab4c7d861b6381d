/** A folder as a browser lists it that cannot write into folders. */
import type { DroppedFile } from '#adapters/browser/api.ts';
import type { FolderSource } from '../client.ts';

/** Null where the files are not those of one folder. */
export function listSource(files: readonly DroppedFile[]): FolderSource | null {
  const [first] = files;
  const name = first?.path.includes('/') ? first.path.slice(0, first.path.indexOf('/')) : null;
  if (name === null || !files.every(({ path }) => path.startsWith(`${name}/`))) return null;
  return {
    kind: 'list',
    name,
    files: files.map(({ path, file }) => ({
      path: path.slice(name.length + 1),
      size: file.size,
      modified: file.lastModified,
    })),
  };
}
