/** Where the page finds what was shared (src/ui/launch.ts). */
const CACHE = 'share-target';
/** The form field that the web app manifest names. */
const FIELD = 'files';

/**
 * Puts the files that another app shared into the cache, each as a response with its name in `x-file-name`
 * (percent-encoded), and sends the browser to the page that takes them in. Files of an earlier share that nobody
 * has taken in yet stay.
 */
export async function takeShare(request: Request): Promise<Response> {
  try {
    const cache = await caches.open(CACHE);
    const shared = (await request.formData()).getAll(FIELD).filter((value) => value instanceof File);
    for (const file of shared) {
      const headers = {
        'content-type': file.type === '' ? 'application/octet-stream' : file.type,
        'x-file-name': encodeURIComponent(file.name),
      };
      await cache.put(`/share/${crypto.randomUUID()}`, new Response(file, { headers }));
    }
    return Response.redirect('/share', 303);
  } catch {
    // No space left, most likely. The sharing app still has the files.
    return Response.redirect('/share?failed', 303);
  }
}
