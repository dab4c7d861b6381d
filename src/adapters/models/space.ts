import { AccessionError, failure } from '#core/errors.ts';

/** Throws AccessionError `storage_full` where `bytes` more do not fit; `free` null: the browser does not say. */
export function checkSpace(free: number | null, name: string, bytes: number): void {
  // What a browser says of its space is an estimate, and storing needs room to move.
  if (free === null || free >= 2 * bytes) return;
  const [need, left] = [gigabytes(2 * bytes), gigabytes(free)];
  throw new AccessionError(
    failure('storage_full', `"${name}" needs ${need} of free space in this browser; ${left} are left.`),
  );
}

function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
