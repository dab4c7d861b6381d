/** A plan's files against the folder they are said to be in. */
import * as v from 'valibot';
import { failed } from '../errors.ts';
import type { FileTree, TreeEntry } from './file-tree.ts';
import { locate } from './plan-path.ts';
import { PosixPathSchema, type PlanState } from './plan.ts';
import type { PlanKind } from './plan-kind.ts';

/** The folders that may be seen from here. */
export interface MediaFolders {
  /** Null where there is no such folder, or where it is none of those that may be seen. */
  open(mediaFolderPath: string): Promise<FileTree | null>;
}

export interface Found {
  path: string;
  size: number;
  modified: number;
}

/** An entry whose sources are spelled as the file system spells them, with what they are now. */
export interface PlacedEntry {
  entry: object;
  sources: PlanState['sources'];
}

/**
 * @param given an entry as an agent or a person has it
 * @throws AccessionError `invalid` for what is no entry, a source that is no file of the folder, a path that is not inside
 */
export async function placed(
  kind: PlanKind,
  folder: string,
  given: object,
  entryAt: (below: string) => Promise<TreeEntry | null>,
): Promise<PlacedEntry> {
  const entry = new Map<string, unknown>(Object.entries(parse(kind.entry, given)));
  const sources: PlanState['sources'] = {};
  for (const [field, role] of Object.entries(kind.paths)) {
    const path = entry.get(field);
    if (typeof path !== 'string') continue;
    const below = insideOf(folder, path);
    if (role === 'target') continue;
    const found = foundIn(folder, path, await entryAt(below));
    entry.set(field, found.path);
    sources[found.path] = { size: found.size, modified: found.modified };
  }
  return { entry: Object.fromEntries(entry), sources };
}

/** The folder by its path without a slash at the end; throws `invalid` or `not_found`. */
export async function openFolder(folders: MediaFolders, path: string): Promise<{ folder: string; tree: FileTree }> {
  const folder = parse(PosixPathSchema, path.length > 1 ? path.replace(/\/$/, '') : path);
  return { folder, tree: await opened(folders, folder) };
}

export async function opened(folders: MediaFolders, mediaFolderPath: string): Promise<FileTree> {
  const tree = await folders.open(mediaFolderPath);
  if (tree) return tree;
  throw failed('not_found', `The folder "${mediaFolderPath}" is not there, or it is none of those that may be seen.`, {
    remedy: 'Choose a folder that is open here; for the server, one below the folders in accession.toml, [video].',
    subject: mediaFolderPath,
  });
}

/** The files of a folder by their path below it. */
export async function listing(tree: FileTree): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  for await (const entry of tree.list()) if (entry.kind === 'file') entries.set(entry.path, entry);
  return entries;
}

/** The path below the folder; throws `invalid` where it is not inside. */
export function insideOf(folder: string, path: string): string {
  const place = locate(folder, path);
  if (place.ok) return place.below;
  throw failed('invalid', `"${path}" is not inside "${folder}".`, { subject: path });
}

/** The file as the file system spells it; throws `invalid` where there is none. */
export function foundIn(folder: string, path: string, entry: TreeEntry | null): Found {
  if (entry?.kind === 'file') return { path: `${folder}/${entry.path}`, size: entry.size, modified: entry.modified };
  throw failed('invalid', `"${path}" is no file of this folder.`, {
    subject: path,
    remedy: 'Take the path from listFiles, letter by letter.',
  });
}

/** Throws `invalid` with what is wrong. */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue);
  throw failed('invalid', path === null ? issue.message : `${path}: ${issue.message}`);
}
