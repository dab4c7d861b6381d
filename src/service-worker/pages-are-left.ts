/** The lock that a page holds while it is left, and for how long the next one waits (src/ui/client/leaving.ts). */
const LOCK = 'accession-leaving';
const LIMIT_MS = 15_000;

/** Resolves when the workers of the pages that are being left have ended, or after fifteen seconds. */
export async function pagesAreLeft(locks: Pick<LockManager, 'request'> | undefined): Promise<void> {
  try {
    await locks?.request(LOCK, { signal: AbortSignal.timeout(LIMIT_MS) }, () => undefined);
  } catch {
    // They take longer: the next page comes all the same.
  }
}

/**
 * The next page, with the headers by which WebKit keeps no page that is left for it (BackForwardCache.cpp, canCachePage), and
 * no answer for the way back: Back to a kept page, or to one whose answer is kept, asks no service worker, so that nobody
 * would wait for the workers of the page that is left. Other browsers pass the first header over where it comes from a
 * service worker, and nothing else of the site is cleared.
 */
export async function keepingNoPage(page: Promise<Response>): Promise<Response> {
  const { body, status, statusText, headers } = await page;
  const more = new Headers(headers);
  more.set('Clear-Site-Data', '"cache"');
  more.set('Cache-Control', 'no-store');
  return new Response(body, { status, statusText, headers: more });
}
