import { AccessionError, failed, failure, isQuotaExceeded, type Failure } from '#core/errors.ts';
import { describeBytes } from '#core/ingest/file-kinds.ts';

/** A failure of the browser's storage in our words; what is one already passes unchanged. */
export function storageFailure(error: unknown): AccessionError {
  if (error instanceof AccessionError) return error;
  if (isOutOfSpace(error)) return failed('storage_full', 'There is no space left in this browser.', { cause: error });
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return failed('storage_failed', `This browser's storage failed (${words}).`, { cause: error });
}

/** True for what a browser throws when nothing more can be stored, and for our own word for it. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof AccessionError ? error.failure.code === 'storage_full' : isQuotaExceeded(error);
}

/** What to do about it, to be followed by what to press then. */
export const FREE_SPACE =
  'Press "Free now" in Settings, Storage (it frees originals of what is published), or free space on this device';

/**
 * A full disk as it is shown to a person: what came to nothing, how many bytes it wanted, and how many Accession
 * uses. What the browser says of the bytes that are free is not to be believed, and is not said. `why`: a sentence
 * where it is not that a write was refused.
 */
export async function noSpaceFor(
  what: string,
  wanted: number,
  { subject, then, why = 'There is no space left in this browser' }: { subject: string; then: string; why?: string },
): Promise<Failure> {
  // A browser that cannot even count has no figure to say; the failure is said all the same.
  const used = await usedBytes().catch(() => undefined);
  const uses = used === undefined ? '' : `; Accession uses ${describeBytes(used)}`;
  const message = `${what} ${why}: ${describeBytes(wanted)} are wanted${uses}.`;
  return failure('storage_full', message, { subject, remedy: `${FREE_SPACE}, then ${then}.` });
}

const usedBytes = async (): Promise<number | undefined> => (await navigator.storage?.estimate?.())?.usage;

export function missingBlob(sha256: string): AccessionError {
  return failed('blob_missing', `The stored file ${sha256.slice(0, 12)} is not in this browser any more.`);
}
