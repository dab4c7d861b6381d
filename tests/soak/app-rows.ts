/** What stands in the app's database and blob store, as the browser itself reads it. */
import type { Page } from '@playwright/test';
import type { Batch, Job, ReasoningStep } from '#core/job/job.ts';
import type { OutboxItem } from '#core/sync/outbox-item.ts';

export interface AppRows {
  batches: Batch[];
  jobs: Job[];
  outbox: OutboxItem[];
}

export async function readRows(page: Page): Promise<AppRows> {
  const [batches, jobs, outbox] = await page.evaluate(readTables, ['batches', 'jobs', 'outbox']);
  // What the app wrote there are these.
  return { batches: batches as Batch[], jobs: jobs as Job[], outbox: outbox as OutboxItem[] };
}

export async function readSteps(page: Page): Promise<ReasoningStep[]> {
  const [steps] = await page.evaluate(readTables, ['steps']);
  return steps as ReasoningStep[];
}

/** A file of the blob store: its name, and what its content hashes to. */
export interface StoredBlob {
  folder: 'sha256' | 'tmp';
  name: string;
  sha256: string;
  size: number;
}

export function readBlobs(page: Page): Promise<StoredBlob[]> {
  return page.evaluate(hashStored);
}

/** Runs in the page. Answers the rows of each table; none while there is no database, which must not be made here. */
async function readTables(names: string[]): Promise<unknown[][]> {
  const nothing = names.map(() => []);
  if (!(await indexedDB.databases()).some(({ name }) => name === 'accession')) return nothing;
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('accession');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error('the database cannot be opened'));
  });
  try {
    const tables = database.transaction(names);
    const all = names.map(
      (name) =>
        new Promise<unknown[]>((resolve, reject) => {
          const reading = tables.objectStore(name).getAll();
          reading.onsuccess = () => resolve(reading.result);
          reading.onerror = () => reject(new Error(`${name} cannot be read`));
        }),
    );
    return await Promise.all(all);
  } finally {
    database.close();
  }
}

/** Runs in the page. */
async function hashStored(): Promise<StoredBlob[]> {
  const root = await navigator.storage.getDirectory();
  const found: StoredBlob[] = [];
  for (const folder of ['sha256', 'tmp'] as const) {
    const directory = await root.getDirectoryHandle(folder, { create: true });
    for await (const [name, handle] of directory.entries()) {
      // What is renamed or removed while it is listed is none of ours.
      const bytes = await directory
        .getFileHandle(handle.name)
        .then((file) => file.getFile())
        .then((file) => file.arrayBuffer())
        .catch(() => null);
      if (bytes === null) continue;
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      found.push({ folder, name, sha256, size: bytes.byteLength });
    }
  }
  return found;
}
