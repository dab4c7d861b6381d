import { archivePlaces, baseName, labelOfUnsafe, safePath, uniquePaths, withoutArchive } from './paths.ts';

/** A file on its way in: `file` is whatever carries its content. */
export interface Planned<F> {
  /** Path inside the batch, its own. */
  path: string;
  file: F;
}

/**
 * Gives every file that came together a path of its own. A ZIP's entries will lie in a folder of its name, so a ZIP
 * beside a folder of that name (or another such archive) becomes `album (2).zip`.
 */
export function planPaths<F>(files: readonly Planned<F>[]): Planned<F>[] {
  const unique = uniquePaths();
  const safe = files.map(({ path, file }) => {
    const made = safePath(path);
    return { path: made.ok ? made.path : labelOfUnsafe(path), file };
  });
  const isArchive = (path: string): boolean => withoutArchive(path) !== path;
  const loose = safe.map(({ path }) => (isArchive(path) ? null : unique(path)));
  const place = archivePlaces(loose.filter((path) => path !== null));
  return safe.map(({ path, file }, i) => ({ path: loose[i] ?? place(path), file }));
}

/** What the batch is called: the archive or file, the folder, or how many files. */
export function planLabel(files: readonly { path: string }[]): string {
  const [first] = files;
  if (first === undefined) return 'nothing';
  if (files.length === 1) return withoutArchive(baseName(first.path));
  const top = first.path.split('/')[0] ?? '';
  const common = first.path.includes('/') && files.every((file) => file.path.startsWith(`${top}/`));
  return common ? top : `${files.length} files`;
}
