import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { JobStatus } from '#core/job/job.ts';
import type { Api } from '../../e2e/support/api.ts';
import type { TestFile } from '../../e2e/support/app.ts';
import type { CatalogServer } from '../../e2e/support/catalog-server.ts';
import { codecsAreKept, replicaIsComplete } from '../../e2e/support/page-state.ts';
import type { DrivenBrowser, Plain, Tab, Target } from './tab.ts';

/** From a drop to the last step of a dozen tracks, on a slow machine. */
const WORK_MS = 300_000;
const PAGE_MS = 180_000;

/** A row as a person sees it. */
interface Row {
  name: string;
  status: string;
  sync: string;
  words: string;
}

/** The app in a browser as a person uses it; all scenarios of a browser share the server's catalog. */
export class Station {
  readonly browser: DrivenBrowser;
  readonly server: CatalogServer;
  readonly api: Api;
  readonly #folders: string[] = [];
  /** The first one and those that the test has opened, in their order. */
  readonly tabs: Tab[] = [];

  constructor(browser: DrivenBrowser, server: CatalogServer, api: Api) {
    this.browser = browser;
    this.server = server;
    this.api = api;
    this.tabs.push(browser.first);
  }

  async openTab(width?: 'wide' | 'narrow'): Promise<Tab> {
    const tab = await this.browser.openTab(width);
    this.tabs.push(tab);
    return tab;
  }

  get tab(): Tab {
    return this.browser.first;
  }

  /**
   * The app's first page in the first tab, signed in, with the catalog on this device. A page of the app is left for one of
   * the app: WebKit stops the workers of a page that goes elsewhere, and its database may then be held (docs/PERFORMANCE.md).
   */
  async begin(): Promise<void> {
    // The same address with another fragment would be no load.
    await this.tab.open(this.server.signInLink.replace('/#', `/?${randomUUID()}#`));
    await this.until(replicaIsComplete, [], true, { what: 'the replica is complete' });
    await this.settled();
  }

  /** Waits until a page that was opened works: WebKit is not left in the middle of a start (docs/PERFORMANCE.md). */
  async settled(tab = this.tab): Promise<void> {
    await this.until(somebodyWorks, [], true, { what: 'a tab works', tab });
    const connected = (): boolean => /Server:\s*Connected/.test(document.body.textContent);
    await this.until(connected, [], true, { what: 'the server is there', tab });
  }

  /** Waits until another tab stands behind the one that works. */
  async waitsForItsTurn(): Promise<void> {
    await this.until(somebodyWaits, [], true, { what: 'a tab waits for its turn' });
  }

  /** A full load of one of the app's pages. */
  async go(path: string, tab = this.tab): Promise<void> {
    await tab.open(this.server.origin + path);
    await this.settled(tab);
  }

  /** Takes the dropped files off the disk. */
  async end(): Promise<void> {
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }

  /** `name`: of the button. */
  async addFiles(files: readonly TestFile[], tab = this.tab, name = 'Add files'): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'accession-drop-'));
    this.#folders.push(folder);
    const paths = files.map(({ name }) => join(folder, name));
    await Promise.all(files.map(({ bytes }, at) => writeFile(paths[at] ?? '', bytes)));
    const input: Target = { kind: 'file', name };
    await this.shows(input, tab);
    await tab.choose(input, paths);
  }

  /** Presses it as soon as it is there. */
  async press(target: Target, tab = this.tab): Promise<void> {
    await this.shows(target, tab);
    await tab.click(target);
  }

  async shows(target: Target, tab = this.tab): Promise<void> {
    const what = `${target.kind} "${target.name}" is shown`;
    await expect
      .poll(() => tab.has(target).catch((error: unknown) => String(error)), { message: what, timeout: PAGE_MS })
      .toBe(true);
  }

  /** Waits until what the function answers in the page is this. */
  async until<Args extends Plain[], Answer extends Plain>(
    page: (...args: Args) => Answer | Promise<Answer>,
    args: Args,
    wanted: Answer,
    { what, tab = this.tab, timeout = PAGE_MS }: { what: string; tab?: Tab; timeout?: number },
  ): Promise<void> {
    // While a page is on its way to another one nothing can be asked.
    const look = (): Promise<unknown> => tab.run(page, ...args).catch((error: unknown) => String(error));
    await expect.poll(look, { message: what, timeout }).toEqual(wanted);
  }

  /** The words of the page, in one line. */
  text(tab = this.tab): Promise<string> {
    return tab.run(() => document.body.innerText.replace(/\s+/g, ' '));
  }

  async says(words: string, tab = this.tab, timeout = PAGE_MS): Promise<void> {
    const look = (): Promise<string> => this.text(tab).catch((error: unknown) => String(error));
    await expect.poll(look, { message: `the page says "${words}"`, timeout }).toContain(words);
  }

  rows(tab = this.tab): Promise<Row[]> {
    return tab.run(() =>
      [...document.querySelectorAll<HTMLElement>('li[data-status]')].map((row) => ({
        name: row.getAttribute('aria-label') ?? '',
        status: row.dataset['status'] ?? '',
        sync: row.dataset['sync'] ?? '',
        words: row.innerText.replace(/\s+/g, ' '),
      })),
    ) as unknown as Promise<Row[]>;
  }

  /** Waits until each of these is so; one that fails on the way is said at once, with what its row says. */
  async reach(names: readonly string[], status: JobStatus, sync: string | null = null, tab = this.tab): Promise<void> {
    const look = async (): Promise<string[]> => {
      const rows = await this.rows(tab).catch(() => null);
      if (rows === null) return ['the page is on its way'];
      const failed = rows.find(({ name, status: is }) => names.includes(name) && is === 'FAILED');
      if (failed && status !== 'FAILED') throw new Error(`${failed.name} has failed: ${failed.words}`);
      const there = rows.filter((row) => row.status === status && (sync === null || row.sync === sync));
      return names.filter((name) => !there.some((row) => row.name === name));
    };
    await expect.poll(look, { message: `not ${status} ${sync ?? ''} yet`, timeout: WORK_MS }).toEqual([]);
  }

  async published(names: readonly string[], tab = this.tab): Promise<void> {
    await this.reach(names, 'COMPLETED', 'published', tab);
  }

  /** Waits until the service worker has everything that a start without the server needs. */
  async waitForOfflineStart(): Promise<void> {
    await this.until(codecsAreKept, [], true, { what: 'the codecs are kept', timeout: WORK_MS });
  }
}

/** Runs in the page: one of the tabs has the lock of the pipeline. */
async function somebodyWorks(): Promise<boolean> {
  const { held } = await navigator.locks.query();
  return held?.some(({ name }) => name === 'accession-pipeline') ?? false;
}

/** Runs in the page: another tab has asked for that lock. */
async function somebodyWaits(): Promise<boolean> {
  const { pending } = await navigator.locks.query();
  return pending?.some(({ name }) => name === 'accession-pipeline') ?? false;
}
