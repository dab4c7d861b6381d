import { baseName, labelOfUnsafe, pathKey, safePath, uniquePaths, withoutZip } from '#core/ingest/paths.ts';
import type { DroppedFile } from '../api.ts';

export interface PlannedFile {
  /** Path inside the batch, its own. */
  path: string;
  file: File;
}

/**
 * Gives every dropped file a path of its own. A ZIP's entries will lie in a folder of its name, so a ZIP
 * beside a folder of that name (or another such ZIP) becomes `album (2).zip`.
 */
export function planPaths(files: readonly DroppedFile[]): PlannedFile[] {
  const unique = uniquePaths();
  const safe = files.map(({ path, file }) => {
    const made = safePath(path);
    return { path: made.ok ? made.path : labelOfUnsafe(path), file };
  });
  const folders = new Set(safe.flatMap(({ path }) => foldersOf(path)).map(pathKey));
  return safe.map(({ path, file }) => {
    if (withoutZip(path) === path) return { path: unique(path), file };
    // A folder of its own makes its path its own, too.
    const archive = freeArchivePath(path, (folder) => folders.has(pathKey(folder)));
    folders.add(pathKey(withoutZip(archive)));
    return { path: archive, file };
  });
}

/** `album.zip`, or `album (2).zip` and so on when the folder for its entries is taken. */
export function freeArchivePath(path: string, isTaken: (folder: string) => boolean): string {
  const base = withoutZip(path);
  const ending = path.slice(base.length);
  let candidate = base;
  for (let n = 2; isTaken(candidate); n++) candidate = `${base} (${n})`;
  return `${candidate}${ending}`;
}

/** What the batch is called: the archive or file, the folder, or how many files. */
export function planLabel(files: readonly { path: string }[]): string {
  const [first] = files;
  if (first === undefined) return 'nothing';
  if (files.length === 1) return withoutZip(baseName(first.path));
  const top = first.path.split('/')[0] ?? '';
  const common = first.path.includes('/') && files.every((file) => file.path.startsWith(`${top}/`));
  return common ? top : `${files.length} files`;
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
