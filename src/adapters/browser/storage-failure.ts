import { AccessionError, failure, type Failure } from '#core/errors.ts';
import { describeBytes } from '#core/ingest/describe.ts';

/** A failure of the browser's storage in our words; what is one already passes unchanged. */
export function storageFailure(error: unknown): AccessionError {
  if (error instanceof AccessionError) return error;
  if (isOutOfSpace(error)) {
    return new AccessionError(failure('storage_full', 'There is no space left in this browser.'), { cause: error });
  }
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new AccessionError(failure('storage_failed', `This browser's storage failed (${words}).`), { cause: error });
}

/** True for what a browser throws when nothing more can be stored, and for our own word for it. */
export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AccessionError) return error.failure.code === 'storage_full';
  // Dexie wraps what IndexedDB threw: the name is then on the inner error.
  return error.name === 'QuotaExceededError' || ('inner' in error && isOutOfSpace(error.inner));
}

/** What to do about it, to be followed by what to press then. */
export const FREE_SPACE =
  'Press "Free now" in Settings, Storage (it frees originals of what is published), or free space on this device';

/**
 * A full disk as a person should hear of it: what came to nothing, how many bytes it wanted, and how many Accession
 * uses. What the browser says of the bytes that are free is not to be believed, and is not said.
 */
export async function noSpaceFor(
  what: string,
  wanted: number,
  { subject, then }: { subject: string; then: string },
): Promise<Failure> {
  const used = (await navigator.storage?.estimate?.())?.usage;
  const uses = used === undefined ? '' : `; Accession uses ${describeBytes(used)} of it`;
  const message = `${what} There is no space left in this browser: ${describeBytes(wanted)} are wanted${uses}.`;
  return failure('storage_full', message, { subject, remedy: `${FREE_SPACE}, then ${then}.` });
}

export function missingBlob(sha256: string): AccessionError {
  return new AccessionError(
    failure('blob_missing', `The stored file ${sha256.slice(0, 12)} is not in this browser any more.`),
  );
}
