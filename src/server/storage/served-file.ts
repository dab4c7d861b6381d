/** A kept file on its way out: it is what its row says, or it is not sent. */
import type { FileState } from '#core/ports.ts';
import type { CatalogDeps } from '../deps.ts';
import { noteMet } from './damage.ts';
import { checksOf, endsOnlyWhere, type NamedFile, type Wrong } from './file-check.ts';

export type ServedDeps = Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log'>;

/**
 * Looks at a file, and hashes it once for as long as nobody writes to it. One that is gone, or is another one by now, is
 * looked for where it may have gone; `file`: where it is. What is wrong is logged and noted.
 */
export async function lookToServe(
  deps: ServedDeps,
  file: NamedFile & { moved?: Pick<NamedFile, 'root' | 'path'> },
): Promise<{ file: NamedFile; state: FileState; wrong: null } | { state: FileState | null; wrong: Wrong }> {
  const checks = checksOf(deps.blobs);
  const checked = await checks.check(file);
  if (checked.wrong === null) return { file, ...checked };
  const there = file.moved && { ...file, ...file.moved };
  const found = there && (await checks.check(there));
  const isFound = there !== undefined && found?.wrong === null;
  if (isFound && checked.wrong === 'gone') return { file: there, ...found };
  deps.log.error('a kept file is not what the catalog says', {
    name: `${file.root}/${file.path}`,
    wrong: checked.wrong,
  });
  await noteMet(deps, file, checked.wrong);
  return isFound ? { file: there, ...found } : checked;
}

/** A whole file is hashed once more as it goes out; of a part, the file must be as it was when it was hashed. */
export function watched(
  { blobs, log }: ServedDeps,
  file: NamedFile,
  { size, mark }: FileState,
  { start, end }: { start: number; end: number },
): AsyncIterable<Uint8Array> {
  const whole = start === 0 && end === size;
  return endsOnlyWhere(blobs.read(file.path, start, end, file.root), async (sha256) => {
    const right = whole ? sha256 === file.sha256 : (await blobs.state(file.path, file.root))?.mark === mark;
    if (right) return true;
    checksOf(blobs).forget(file);
    log.error('a kept file changed while it was read', { name: `${file.root}/${file.path}` });
    return false;
  });
}
