import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { CATALOG } from '../catalog.ts';
import { Api } from './api.ts';
import { App } from './app.ts';
import { CatalogServer } from './catalog-server.ts';

interface Fixtures {
  /** A server of this test's own, with the made-up catalog. */
  server: CatalogServer;
  api: Api;
  /** The app, signed in at that server. */
  app: App;
}

export const test = base.extend<Fixtures>({
  server: async ({}, use, testInfo) => {
    const data = await mkdtemp(join(tmpdir(), 'accession-e2e-'));
    const server = await CatalogServer.start(data);
    try {
      await use(server);
    } finally {
      await server.kill();
      await rm(data, { recursive: true, force: true });
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach('server.log', { body: server.log, contentType: 'text/plain' });
      }
    }
  },
  api: async ({ server }, use) => {
    const api = new Api(server.origin, server.token);
    await api.importCatalog(CATALOG);
    await use(api);
  },
  app: async ({ page, api, server }, use) => {
    void api;
    const app = new App(page);
    await app.signIn(server.signInLink);
    await use(app);
    await app.forgetFiles();
  },
});

/**
 * Without the service worker, which on a first visit fetches the whole app for the time without a network: half of the
 * processor's time of a test that is about something else. What it does is tested in offline, reload, sign-in, try-it,
 * ask, documents, launchers, storage-loss, old-version and the killed-* tests.
 */
export const ONLINE = { serviceWorkers: 'block' } as const;

export { expect } from '@playwright/test';
