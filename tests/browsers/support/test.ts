import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { CATALOG } from '../../e2e/catalog.ts';
import { Api } from '../../e2e/support/api.ts';
import { CatalogServer } from '../../e2e/support/catalog-server.ts';
import { startFirefox } from './firefox.ts';
import type { DrivenBrowser } from './tab.ts';
import { Station } from './station.ts';
import { startWebkit } from './webkit.ts';
import { Errors, watchedApp } from './watched-app.ts';

const CACHE = fileURLToPath(new URL('../../../.cache', import.meta.url));

export type BrowserId = 'firefox' | 'webkit';

/** What the projects of `browsers.config.ts` say. */
export interface Options {
  id: BrowserId;
  /** The program that is started; empty where this machine has none. */
  program: string;
  /** In a private session. WebKit alone. */
  isPrivate: boolean;
}

interface Shared {
  errors: Errors;
  server: CatalogServer;
  api: Api;
  browser_: DrivenBrowser | null;
}

/** Where starting hangs, not where a machine is busy: 4 s of its own, a minute where thirty programs share two cores. */
const START_MS = 240_000;
const START = { firefox: startFirefox, webkit: startWebkit };

/**
 * One server and one browser for all scenarios of a browser: starting both, and a first visit, cost more than most of them.
 * Each begins at the app's first page, signed in, with files that no other has. After one that failed both are started anew.
 */
export const test = base.extend<{ station: Station }, Options & Shared>({
  id: ['firefox', { option: true, scope: 'worker' }],
  program: ['', { option: true, scope: 'worker' }],
  isPrivate: [false, { option: true, scope: 'worker' }],
  errors: [
    async ({}, use) => {
      const errors = new Errors();
      await use(errors);
      await errors.close();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ errors }, use) => {
      // Beside the build, so that its files can be linked.
      await mkdir(CACHE, { recursive: true });
      const folder = await mkdtemp(join(CACHE, 'browsers-'));
      const main = await watchedApp(join(folder, 'app'), await errors.listen());
      const server = await CatalogServer.start(join(folder, 'data'), main);
      try {
        await use(server);
      } finally {
        await server.kill();
        await rm(folder, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: START_MS },
  ],
  api: [
    async ({ server }, use) => {
      const api = new Api(server.origin, server.token);
      await api.importCatalog(CATALOG);
      await use(api);
    },
    { scope: 'worker' },
  ],
  /** Null where this machine has none. */
  browser_: [
    async ({ id, program, isPrivate }, use) => {
      const browser = program === '' ? null : await START[id](program, isPrivate);
      try {
        await use(browser);
      } finally {
        await browser?.close();
      }
    },
    { scope: 'worker', timeout: START_MS },
  ],
  station: async ({ api, browser_, errors, server }, use, testInfo) => {
    if (browser_ === null) return testInfo.skip(true, 'this machine has no such browser');
    const station = new Station(browser_, server, api);
    await station.begin();
    await use(station);
    await station.end();
    if (testInfo.status !== testInfo.expectedStatus) {
      const texts = station.tabs.map((tab) => station.text(tab).catch((error: unknown) => String(error)));
      await writeFile(testInfo.outputPath('pages.txt'), (await Promise.all(texts)).join('\n\n'));
      await writeFile(testInfo.outputPath('page.png'), await station.tab.picture());
      await writeFile(testInfo.outputPath('server.log'), server.log);
    }
    const wrong = [...errors.take(), ...browser_.errors.splice(0)];
    if (wrong.length > 0) throw new Error(`errors that nothing has caught:\n${wrong.join('\n')}`);
  },
});

export { expect } from '@playwright/test';
