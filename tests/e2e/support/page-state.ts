/** How far the app is, as functions that run in the page: for the tests and the measurements of the whole app. */

/** The service worker has the large codecs. */
export async function codecsAreKept(): Promise<boolean> {
  await navigator.serviceWorker.ready;
  const cache = await caches.open('codecs');
  return (await cache.keys()).length > 0;
}

/** Which of these addresses are not kept for a time without a network. */
export async function notKept(paths: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const path of paths) if ((await caches.match(path)) === undefined) missing.push(path);
  return missing;
}

/** The app has made its database: a page is drawn before that, and who opens it first would make an empty one. */
export async function hasDatabase(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === 'accession');
}

/** The catalog is on this device: reads the row of the app's database that says so. */
export async function replicaIsComplete(): Promise<boolean> {
  // The page knows no other function of this file.
  if (!(await indexedDB.databases()).some(({ name }) => name === 'accession')) return false;
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('accession');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error('the database cannot be opened'));
  });
  try {
    return await new Promise<boolean>((resolve) => {
      const reading = database.transaction('meta').objectStore('meta').get('replica');
      reading.onsuccess = () => resolve(reading.result?.value?.complete === true);
      reading.onerror = () => resolve(false);
    });
  } finally {
    database.close();
  }
}

export interface RowsWanted {
  names: string[];
  status: string;
  /** Of `data-sync`; absent: any. */
  sync?: string;
}

/**
 * Whether the row of each of these jobs has come so far. A row that has failed, where that is not what is waited for,
 * ends the waiting and is said.
 */
export function rowsHaveCome({ names, status, sync }: RowsWanted): true | string | null {
  const rows = new Map(
    Array.from(document.querySelectorAll<HTMLElement>('li[data-status]'), (row) => [
      row.getAttribute('aria-label'),
      row,
    ]),
  );
  let come = 0;
  for (const name of names) {
    const row = rows.get(name);
    if (row === undefined) continue;
    if (row.dataset['status'] === 'FAILED' && status !== 'FAILED') return `${name} is FAILED: ${row.innerText}`;
    if (row.dataset['status'] === status && (sync === undefined || row.dataset['sync'] === sync)) come += 1;
  }
  return come === names.length ? true : null;
}
