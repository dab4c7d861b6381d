/** A folder of a made-up show on the disk, and what became of it. */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** Files of a show as they are found, by path; each content is its own name, so that it is known again wherever it goes. */
export function showFiles(episodes: number): string[] {
  const two = (number: number): string => `${number}`.padStart(2, '0');
  return Array.from({ length: episodes }, (_one, i) => {
    const [season, episode] = [1 + Math.floor(i / 20), 1 + (i % 20)];
    return `the.quiet.harbour.s${two(season)}e${two(episode)}.1080p.web.x264-GRP.mkv`;
  });
}

/** Something that stands there already and that nobody renames. */
export const BYSTANDER = 'Season 01/notes.txt';

export async function makeFolder(folder: string, files: readonly string[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const path of [...files, BYSTANDER]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  }
}

/** Content by path. */
export async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(relative(folder, path).split(sep).join('/'), await readFile(path, 'utf8'));
  }
  return found;
}

export interface FolderFindings {
  /** Contents that are nowhere, or in two places. */
  lost: string[];
  /** Files that hold what was not theirs, or that were not there and are nobody's. */
  overwritten: string[];
  /** Both old and new names in one folder. */
  torn: boolean;
  /** Files under a new name. */
  renamed: number;
}

/** Every file is either as before or renamed, all of them alike. */
export function judge(found: ReadonlyMap<string, string>, files: readonly string[]): FolderFindings {
  const where = new Map<string, string[]>();
  for (const [path, content] of found) where.set(content, [...(where.get(content) ?? []), path]);
  const lost = [...files, BYSTANDER].filter((content) => where.get(content)?.length !== 1);
  const known = new Set([...files, BYSTANDER]);
  const strangers = [...found].filter(([, content]) => !known.has(content)).map(([path]) => path);
  const moved = found.get(BYSTANDER) === BYSTANDER ? [] : [BYSTANDER];
  const renamed = files.filter((path) => found.get(path) !== path).length;
  return { lost, overwritten: [...strangers, ...moved], torn: renamed > 0 && renamed < files.length, renamed };
}
