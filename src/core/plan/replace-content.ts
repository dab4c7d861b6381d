/** The content of a file as a step of a journal changes it: something is added behind it, or cut off again. */
import { createSHA256 } from 'hash-wasm';
import { failed } from '../errors.ts';
import { joinBytes } from '../ingest/bytes.ts';
import type { FileTree } from './file-tree.ts';
import type { JournalRecord, ReplaceStep } from './rename-journal.ts';

type Way = 'forward' | 'back';
type Done = Pick<Extract<JournalRecord, { kind: 'done' }>, 'size' | 'modified'>;

/** SHA-256, lower-case hex. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  return (await createSHA256()).update(bytes).digest();
}

/** SHA-256 of a file that is not held whole. Throws as `read` does. */
export async function hashOf(tree: Pick<FileTree, 'read'>, path: string): Promise<string> {
  const hash = await createSHA256();
  for await (const part of tree.read(path)) hash.update(part);
  return hash.digest();
}

/** The whole of a file. Throws as `read` does. */
export async function contentOf(tree: FileTree, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const part of tree.read(path)) parts.push(part);
  return joinBytes(parts);
}

/** Throws AccessionError: `conflict` where the file is not what the step says any more, `not_found` where it is gone. */
export async function writeReplaced(tree: FileTree, step: ReplaceStep, way: Way): Promise<Done> {
  if (tree.replace === undefined) throw failed('invalid', 'In this folder no file can be written into.');
  const [is, becomes] = way === 'forward' ? [step.before, step.after] : [step.after, step.before];
  if ((await tree.stat(step.path))?.kind !== 'file') throw failed('not_found', `"${step.path}" is not there any more.`);
  const old = await contentOf(tree, step.path);
  if (old.length !== is.size || (await sha256Of(old)) !== is.sha256) throw changed(step.path);
  const content = way === 'forward' ? joinBytes([old, decoded(step.added)]) : old.slice(0, step.before.size);
  if ((await sha256Of(content)) !== becomes.sha256) throw changed(step.path);
  await tree.replace(step.path, content, way === 'back' && step.modified > 0 ? step.modified : undefined);
  return stampOf(tree, step.path);
}

/** What a step that may have happened did; null when it did not. Throws `not_found` where its file is gone or another. */
export async function readReplaced(tree: FileTree, step: ReplaceStep, way: Way): Promise<Done | null> {
  await tree.settleReplace?.(step.path);
  const [is, becomes] = way === 'forward' ? [step.before, step.after] : [step.after, step.before];
  const there = await tree.stat(step.path);
  if (there?.kind === 'file' && (there.size === is.size || there.size === becomes.size)) {
    const hash = await sha256Of(await contentOf(tree, step.path));
    if (hash === becomes.sha256) return stampOf(tree, step.path);
    if (hash === is.sha256) return null;
  }
  throw failed('not_found', `"${step.path}" is not the file that was written into.`);
}

async function stampOf(tree: FileTree, path: string): Promise<Done> {
  const now = await tree.stat(path);
  return now === null ? {} : { size: now.size, modified: now.modified };
}

const changed = (path: string) =>
  failed('conflict', `"${path}" changed since it was read.`, { remedy: 'Look at the file, then make a new plan.' });

/** Bytes as a step keeps them: two hexadecimal digits each. */
export const encoded = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const decoded = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
