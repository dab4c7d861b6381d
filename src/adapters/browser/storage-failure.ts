import { AccessionError, failure } from '#core/errors.ts';

/** A failure of the browser's storage in our words; what is one already passes unchanged. */
export function storageFailure(error: unknown): AccessionError {
  if (error instanceof AccessionError) return error;
  if (isQuota(error)) {
    return new AccessionError(failure('storage_full', 'There is no space left in this browser.'), { cause: error });
  }
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new AccessionError(failure('storage_failed', `This browser's storage failed (${words}).`), { cause: error });
}

/** Dexie wraps what IndexedDB threw: the name is then on the inner error. */
function isQuota(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'QuotaExceededError' || ('inner' in error && isQuota(error.inner));
}

export function missingBlob(sha256: string): AccessionError {
  return new AccessionError(
    failure('blob_missing', `The stored file ${sha256.slice(0, 12)} is not in this browser any more.`),
  );
}
