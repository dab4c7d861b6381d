/** Paths inside a folder, by segment: `/media/Show 2` is not below `/media/Show`. */

/** What of an absolute POSIX path is below `folder`, without a leading slash; null where it is not below it. */
export function below(folder: string, path: string): string | null {
  if (!path.startsWith(`${folder}/`)) return null;
  const rest = path.slice(folder.length + 1);
  const safe = rest.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return safe ? rest : null;
}
