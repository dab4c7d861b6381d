/**
 * Folders that are held while something is done in them. A path is looked up anew by each call to the system, so that
 * whoever may write a folder could put a link in its place between the check and the deed. Linux leads through a folder
 * that is open, whatever its name leads to by then:
 *
 *   root --open, no link--> season --open, no link--> /proc/self/fd/17/episode.mkv
 *
 * Elsewhere the parents are looked at before, and by `isSame` once more after it.
 */
import { constants, existsSync } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode } from '#core/errors.ts';

/** Opens for nothing but leading on; Node has no name for it (fcntl.h of Linux). */
const O_PATH = 0o10000000;
const FOLDER = constants.O_DIRECTORY | constants.O_NOFOLLOW;
const GONE = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'] as const;

export interface HeldPlace {
  /** For the system, as long as it is held. */
  path: string;
  /** Whether its folder is still where it was; always where it is held by the system itself. */
  isSame(): Promise<boolean>;
  close(): Promise<void>;
}

/** Whether this system leads through open folders; not where Node lets this process read named folders alone (`--permission`). */
const leadsOn = process.platform === 'linux' && isThere('/proc/self/fd');

function isThere(path: string): boolean {
  try {
    return existsSync(path);
  } catch (error) {
    if (isCode(error, 'ERR_ACCESS_DENIED')) return false;
    throw error;
  }
}

/**
 * A place below `root`, whose folders are all there and no links; null otherwise. `names`: from the root on, the last one
 * need not be there. Throws what the system says otherwise.
 * @param byFolders false: as on a system that does not lead through open folders, for tests
 */
export async function holdPlace(
  root: string,
  names: readonly string[],
  byFolders: boolean = leadsOn,
): Promise<HeldPlace | null> {
  const folders = names.slice(0, -1);
  const name = names.at(-1) ?? '';
  try {
    return byFolders ? await byHandles(root, folders, name) : await byNames(root, folders, name);
  } catch (error) {
    if (isCode(error, ...GONE)) return null;
    throw error;
  }
}

async function byHandles(root: string, folders: readonly string[], name: string): Promise<HeldPlace> {
  let folder: FileHandle = await open(root, O_PATH | constants.O_DIRECTORY);
  for (const next of folders) {
    const above = folder;
    try {
      folder = await open(`/proc/self/fd/${above.fd}/${next}`, O_PATH | FOLDER);
    } finally {
      await above.close();
    }
  }
  const held = folder;
  const place = `/proc/self/fd/${held.fd}${name === '' ? '' : `/${name}`}`;
  return { path: place, isSame: () => Promise.resolve(true), close: () => held.close() };
}

async function byNames(root: string, folders: readonly string[], name: string): Promise<HeldPlace | null> {
  let at = root;
  for (const folder of folders) {
    at = join(at, folder);
    if (!(await lstat(at)).isDirectory()) return null;
  }
  const before = await lstat(at, { bigint: true });
  const isSame = async (): Promise<boolean> => {
    const now = await lstat(at, { bigint: true }).catch(() => null);
    return now?.ino === before.ino && now.dev === before.dev && (await realpath(at).catch(() => null)) === at;
  };
  return { path: join(at, name), isSame, close: () => Promise.resolve() };
}

/** The folder that a held place is in, for the system. */
export const folderOf = ({ path }: HeldPlace): string => dirname(path);
