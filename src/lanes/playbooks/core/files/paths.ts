/** Paths below the root (PB-20): `..` may go up and come down inside, nothing leads out. */
import { PlaybookFault } from '../faults.ts';

const outside = (path: string, why: string): PlaybookFault =>
  new PlaybookFault('path_outside', path, `"${path}" ${why}.`);

/** Normal form, without `.` and `..`. Throws PlaybookFault `path_outside`. */
export function insideRoot(path: string): string {
  if (/\p{Cc}/u.test(path)) throw outside(path, 'holds a control character');
  if (path.includes('\\')) throw outside(path, 'holds a backslash');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) throw outside(path, 'is absolute');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) throw outside(path, 'leads out of the root folder');
  }
  if (parts.length === 0) throw outside(path, 'names no file');
  return parts.join('/');
}

/** Throws PlaybookFault `path_outside` where the path leads into what the app keeps in a root for itself (`.accession`). */
export function notOurs(path: string, way = path): void {
  if (way.split('/').some((name) => /^\.accession(?:-|$)/i.test(name)))
    throw outside(path, 'is where the app keeps what is its own');
}

/** `b` of `in/b.json`. */
export function nameParts(path: string): { name: string; ext: string } {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? { name: base, ext: '' } : { name: base.slice(0, dot), ext: base.slice(dot + 1) };
}
