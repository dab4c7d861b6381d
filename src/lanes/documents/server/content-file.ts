import type { NamedFile } from '#server/storage/file-check.ts';

/** Where the PDF of this content lies among the server's files. */
export function contentFile(sha256: string): NamedFile & { root: 'documents/contents' } {
  return { root: 'documents/contents', path: `${sha256.slice(0, 2)}/${sha256}.pdf`, sha256, size: null };
}

/** The SHA-256 that such a path says, or null. */
export const contentOfPath = (path: string): string | null =>
  /^[0-9a-f]{2}\/([0-9a-f]{64})\.pdf$/.exec(path)?.[1] ?? null;
