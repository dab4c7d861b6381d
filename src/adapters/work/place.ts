import { AccessionError, type Failure } from '#core/errors.ts';

/**
 * Whether a failure speaks of where the work is done (no space, no server, codecs that cannot be fetched) and not of the
 * file: at another place, or later, the same file may go well.
 */
export function isOfPlace({ code }: Failure): boolean {
  return code === 'offline' || code.startsWith('storage_');
}

/** Throws a failure of the place; any other one is the file's. */
export function throwOfPlace(why: Failure): void {
  if (isOfPlace(why)) throw new AccessionError(why);
}
