/** A plan's files against the folder they are said to be in. */
import * as v from 'valibot';
import { AccessionError, failure } from '../errors.ts';
import type { FileTree, TreeEntry } from './file-tree.ts';
import { locate } from './plan-path.ts';
import {
  PosixPathSchema,
  RecognizedFileSchema,
  RenameEntrySchema,
  type RecognizedFile,
  type RenameEntry,
} from './plan.ts';
import { withNotes, withRecognized, withRename, type Said } from './plan-rules.ts';
import type { KeptPlan } from './plan-store.ts';

/** The folders that may be seen from here. */
export interface MediaFolders {
  /** Null where there is no such folder, or where it is none of those that may be seen. */
  open(mediaFolderPath: string): Promise<FileTree | null>;
  /** What a file's name says of itself (several episodes, a part); null where nobody reads names. */
  said?(mediaFolderPath: string, path: string): Promise<Said | null>;
}

export interface Found {
  path: string;
  size: number;
  modified: number;
}

/** The plan with these files and no others; all of them fit, or it throws. */
export function fill(
  empty: KeptPlan,
  files: readonly RecognizedFile[] | readonly RenameEntry[],
  entries: ReadonlyMap<string, TreeEntry>,
  said: (path: string) => Said | null,
): KeptPlan {
  const folder = empty.plan.mediaFolderPath;
  const find = (path: string): Found => foundIn(folder, path, entries.get(insideOf(folder, path)) ?? null);
  let kept: KeptPlan = { ...empty, state: { ...empty.state, sources: {} } };
  for (const file of files) {
    if ('path' in file) {
      const wanted = parse(RecognizedFileSchema, file);
      kept = withRecognized(kept, { ...wanted, path: find(wanted.path).path }, said);
    } else {
      const wanted = parse(RenameEntrySchema, file);
      const { path, size, modified } = find(wanted.from);
      insideOf(folder, wanted.to);
      kept = withNotes(withRename(kept, { from: path, to: wanted.to }), {}, { [path]: { size, modified } });
    }
  }
  return kept;
}

/** The folder by its path without a slash at the end; throws `invalid` or `not_found`. */
export async function openFolder(folders: MediaFolders, said: string): Promise<{ folder: string; tree: FileTree }> {
  const folder = parse(PosixPathSchema, said.length > 1 ? said.replace(/\/$/, '') : said);
  return { folder, tree: await opened(folders, folder) };
}

export async function opened(folders: MediaFolders, mediaFolderPath: string): Promise<FileTree> {
  const tree = await folders.open(mediaFolderPath);
  if (tree) return tree;
  throw new AccessionError(
    failure('not_found', `The folder "${mediaFolderPath}" is not there, or it is none of those that may be seen.`, {
      remedy: 'Choose a folder that is open here; for the server, one below the folders in accession.toml, [video].',
      subject: mediaFolderPath,
    }),
  );
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
  throw new AccessionError(failure('invalid', `"${path}" is not inside "${folder}".`, { subject: path }));
}

/** The file as the file system spells it; throws `invalid` where there is none. */
export function foundIn(folder: string, path: string, entry: TreeEntry | null): Found {
  if (entry?.kind === 'file') {
    return { path: `${folder}/${entry.path}`, size: entry.size, modified: entry.modified };
  }
  throw new AccessionError(
    failure('invalid', `"${path}" is no file of this folder.`, {
      subject: path,
      remedy: 'Take the path from listFiles, letter by letter.',
    }),
  );
}

/** Throws `invalid` with what is wrong. */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue);
  throw new AccessionError(failure('invalid', path === null ? issue.message : `${path}: ${issue.message}`));
}
