/** The files of a folder that belong to its library, and what is left out, counted by reason. */
import ignore, { type Ignore } from 'ignore';
import { isSystemFile } from '#core/ingest/ingester.ts';
import { decodeUtf8 } from '#core/utf8.ts';
import type { FolderEntry, FolderSource } from './ports.ts';

/** Bytes; what is larger is data and not to be read. Most of a PDF are its pictures. */
const LARGEST_FILE = 5_000_000;
const LARGEST_PDF = 50_000_000;

const isPdf = (path: string): boolean => /\.pdf$/i.test(path);
export const isTooLarge = (path: string, size: number): boolean => size > (isPdf(path) ? LARGEST_PDF : LARGEST_FILE);

export type LeftOut =
  | '.gitignore'
  | 'node_modules'
  | 'version control'
  | 'binary'
  | 'over 5 MB'
  | 'over 50 MB'
  | 'link'
  | 'system file'
  | 'cannot be read';

export interface FoundFile {
  path: string;
  size: number;
  modified: number;
}

export interface Found {
  /** By path. */
  files: FoundFile[];
  leftOut: Map<LeftOut, number>;
  failed: { path: string; why: string }[];
}

const VERSION_CONTROL = new Set(['.git', '.hg', '.svn', '.bzr', '.jj']);

/** Deeper is a circle of mounts, or a mistake. */
const DEEPEST = 64;

/** Rejects only where the folder itself cannot be read. `between` is awaited before each directory. */
export async function walkFolder(folder: FolderSource, between: () => Promise<void>): Promise<Found> {
  const found: Found = { files: [], leftOut: new Map(), failed: [] };
  await walk(folder, '', [], found, between);
  found.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return found;
}

/** The `.gitignore` of a directory, and the path that it is about. */
interface Rules {
  below: string;
  rules: Ignore;
}

async function walk(
  folder: FolderSource,
  directory: string,
  above: readonly Rules[],
  found: Found,
  between: () => Promise<void>,
): Promise<void> {
  await between();
  const entries = await listed(folder, directory, found);
  const own = entries.some(({ name, kind }) => name === '.gitignore' && kind === 'file')
    ? await readRules(folder, directory)
    : null;
  const rules = own === null ? above : [...above, own];
  for (const entry of entries) {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
    const reason = reasonToLeaveOut(entry, path, rules);
    if (reason !== null) found.leftOut.set(reason, (found.leftOut.get(reason) ?? 0) + 1);
    else if (entry.kind === 'file') found.files.push({ path, size: entry.size, modified: entry.modified });
    else if (path.split('/').length < DEEPEST) await walk(folder, path, rules, found, between);
    else found.failed.push({ path, why: 'The folder is nested too deep.' });
  }
}

async function listed(folder: FolderSource, directory: string, found: Found): Promise<FolderEntry[]> {
  try {
    return await folder.list(directory);
  } catch (thrown) {
    if (directory === '') throw thrown;
    found.failed.push({ path: directory, why: 'The folder cannot be read.' });
    return [];
  }
}

async function readRules(folder: FolderSource, directory: string): Promise<Rules | null> {
  const path = directory === '' ? '.gitignore' : `${directory}/.gitignore`;
  try {
    const read = await folder.read(path);
    return read === null ? null : { below: directory, rules: ignore().add(decodeUtf8(read.bytes)) };
  } catch {
    return null;
  }
}

function reasonToLeaveOut(entry: FolderEntry, path: string, rules: readonly Rules[]): LeftOut | null {
  const { name, kind, size } = entry;
  if (kind === 'link') return 'link';
  if (kind === 'other') return 'cannot be read';
  if (VERSION_CONTROL.has(name)) return 'version control';
  if (kind === 'directory' && name === 'node_modules') return 'node_modules';
  if (isSystemFile(path)) return 'system file';
  if (isIgnored(path, kind === 'directory', rules)) return '.gitignore';
  if (kind !== 'file' || !isTooLarge(path, size)) return null;
  return isPdf(path) ? 'over 50 MB' : 'over 5 MB';
}

/** The rules nearest to the file that say anything decide, as with git. */
function isIgnored(path: string, directory: boolean, rules: readonly Rules[]): boolean {
  for (const { below, rules: own } of rules.toReversed()) {
    const relative = below === '' ? path : path.slice(below.length + 1);
    const { ignored, unignored } = own.test(directory ? `${relative}/` : relative);
    if (ignored || unignored) return ignored;
  }
  return false;
}
