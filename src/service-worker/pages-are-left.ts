/** The lock that a page holds while it is left, and for how long the next one waits (src/ui/client/leaving.ts). */
const LOCK = 'accession-leaving';
const LIMIT_MS = 2_000;

/** Resolves when the workers of the pages that are being left have ended, or after two seconds. */
export async function pagesAreLeft(locks: Pick<LockManager, 'request'> | undefined): Promise<void> {
  try {
    await locks?.request(LOCK, { signal: AbortSignal.timeout(LIMIT_MS) }, () => undefined);
  } catch {
    // They take longer: the next page comes all the same.
  }
}
