/** The built app in a browser of its own, over a server of its own, with all that passes between them counted. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogServer } from '../../tests/e2e/support/catalog-server.ts';
import { countingProxy, listening, type Counted } from './counting-proxy.ts';
import { openAppBrowser, removeProfile, type AppBrowser } from './media/disk-browser.ts';

export interface CountedApp {
  folder: string;
  server: CatalogServer;
  browser: AppBrowser;
  /** Signs the browser in, by way of the counting. */
  link: string;
}

/**
 * Ends all of it after the work.
 * @param counted hears of each file of the app @param init runs in the page before its own code
 */
export async function withCountedApp<T>(
  counted: (file: Counted) => void,
  init: (() => void) | undefined,
  work: (app: CountedApp) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'accession-bench-app-'));
  const server = await CatalogServer.start(join(folder, 'data'));
  const proxy = countingProxy(new URL(server.origin), counted);
  const origin = await listening(proxy);
  try {
    const browser = await openAppBrowser(join(folder, 'profile'), init);
    try {
      return await work({ folder, server, browser, link: `${origin}/#token=${server.token}` });
    } finally {
      await browser.close();
    }
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await server.stop();
    await removeProfile(folder);
  }
}
