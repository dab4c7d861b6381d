import type { DroppedFile } from '#adapters/browser/api.ts';

/** Files opened with the installed app (`file_handlers` of the manifest). */
export function onLaunchedFiles(take: (files: DroppedFile[]) => void): void {
  window.launchQueue?.setConsumer((params) => {
    const handles = params.files.filter((handle): handle is FileSystemFileHandle => handle.kind === 'file');
    if (handles.length === 0) return;
    void Promise.all(handles.map(async (handle) => ({ path: handle.name, file: await handle.getFile() }))).then(take);
  });
}

/** The cache in which the service worker puts what was shared with the app. */
const SHARED = 'share-target';

/**
 * What another app shared: the service worker answered the POST to `/share` and put the files away
 * as responses, their names in the header `x-file-name` (percent-encoded). They stay there until
 * `forget` is called, so that a page closed in between takes them in the next time.
 */
export async function sharedFiles(): Promise<{ files: DroppedFile[]; forget: () => Promise<void> }> {
  const files: DroppedFile[] = [];
  if (!('caches' in window) || !(await caches.has(SHARED))) return { files, forget: async () => undefined };
  const cache = await caches.open(SHARED);
  const taken = await cache.keys();
  for (const request of taken) {
    const response = await cache.match(request);
    if (response === undefined) continue;
    const name = decodeURIComponent(response.headers.get('x-file-name') ?? 'shared file');
    const blob = await response.blob();
    files.push({ path: name, file: new File([blob], name, { type: blob.type }) });
  }
  return { files, forget: async () => void (await Promise.all(taken.map((request) => cache.delete(request)))) };
}
