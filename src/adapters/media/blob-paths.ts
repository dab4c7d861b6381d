/** Where the blobs of this process lie on its disk: Node opens a file as a blob and does not say any more which one. */
const paths = new WeakMap<Blob, string>();

/** The blob is the file at this path. */
export function notePath(blob: Blob, path: string): Blob {
  paths.set(blob, path);
  return blob;
}

/** Undefined for one that is no file. */
export function pathOf(blob: Blob): string | undefined {
  return paths.get(blob);
}
