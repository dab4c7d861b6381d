import type { ListedFile } from '#lanes/library/browser/folder-sources.ts';
import type { LibrarySource } from '../client.ts';

/** Files that were dropped or chosen, as a folder: that which they all are in, or none of a name. Null: there are none. */
export function listedSource(files: readonly ListedFile[]): LibrarySource | null {
  const [first] = files;
  if (first === undefined) return null;
  const top = first.path.split('/')[0] ?? '';
  const shared = first.path.includes('/') && files.every(({ path }) => path.startsWith(`${top}/`));
  if (!shared) return { kind: 'files', name: 'Files', files };
  return {
    kind: 'files',
    name: top,
    files: files.map(({ path, file }) => ({ path: path.slice(top.length + 1), file })),
  };
}
