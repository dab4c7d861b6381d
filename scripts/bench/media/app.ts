/** The whole app as a person has it: built, served by the real server, its catalog on this device, the server then gone. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { CatalogServer } from '../../../tests/e2e/support/catalog-server.ts';
import { codecsAreKept, replicaIsComplete } from '../../../tests/e2e/support/page-state.ts';
import { buildIfChanged } from '../../lib/build.mjs';
import { openAppBrowser, removeProfile, type AppBrowser } from './disk-browser.ts';
import { watchTasks } from './main-thread.ts';

export interface BenchApp {
  browser: AppBrowser;
  /** Chooses the files in the page's own file input. */
  drop(paths: readonly string[]): Promise<void>;
  /** Rows of the app's database. */
  count(table: 'jobs' | 'outbox' | 'reviews'): Promise<number>;
  close(): Promise<void>;
}

/** Builds the app if its sources changed and starts a server with this catalog. Its data go with `folder`. */
export async function startCatalog(folder: string, catalog: CatalogFile): Promise<CatalogServer> {
  await buildIfChanged(process.execPath);
  const server = await CatalogServer.start(join(folder, 'catalog'));
  const response = await fetch(`${server.origin}/v1/catalog/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(catalog),
  });
  if (!response.ok) throw new Error(`The catalog was not imported: ${response.status} ${await response.text()}`);
  return server;
}

/** The app in a browser of its own, ready to work without the server, which is stopped. */
export async function openApp(folder: string, server: CatalogServer): Promise<BenchApp> {
  const profile = join(folder, `profile-${randomUUID()}`);
  const browser = await openAppBrowser(profile, watchTasks);
  const { page } = browser;
  await page.goto(server.signInLink);
  await page.waitForSelector('input[type=file]', { state: 'attached' });
  await until(page, replicaIsComplete);
  await until(page, codecsAreKept);
  await server.stop();
  // What it does at its start is over when the figures begin.
  await page.waitForTimeout(3000);
  return {
    browser,
    drop: (paths) => browser.choose('input[type=file]', paths),
    count: (table) => page.evaluate(countRows, table),
    async close() {
      await browser.close();
      await removeProfile(profile);
    },
  };
}

const STARTED_MS = 120_000;

async function until(page: Page, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + STARTED_MS;
  while (!(await page.evaluate(holds))) {
    if (Date.now() > end) throw new Error(`The app was not ready in ${STARTED_MS} ms: ${holds.name}.`);
    await page.waitForTimeout(200);
  }
}

/** Runs in the page. */
async function countRows(table: string): Promise<number> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('accession');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error('the database cannot be opened'));
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      const reading = database.transaction(table).objectStore(table).count();
      reading.onsuccess = () => resolve(reading.result);
      reading.onerror = () => reject(new Error('the rows cannot be counted'));
    });
  } finally {
    database.close();
  }
}
