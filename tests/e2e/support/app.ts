import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { JobStatus } from '#core/job/job.ts';
import { codecsAreKept, hasDatabase, replicaIsComplete, rowsHaveCome, type RowsWanted } from './page-state.ts';

/** A file as it is handed to the page; a folder's files carry their path. */
export interface TestFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** From a drop to the last step of a dozen tracks, on a slow machine. */
export const CONVERSION_MS = 300_000;

/** The app as a person uses it: everything is found by its accessible name. */
export class App {
  readonly page: Page;
  readonly #folders: string[] = [];

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the app through the link that the server printed; ready when the catalog replica is complete. */
  async signIn(link: string): Promise<void> {
    await this.page.goto(link);
    await expect(this.page).toHaveURL((url) => url.hash === '');
    await expect(this.fileInput).toBeAttached();
    await expect.poll(() => this.page.evaluate(hasDatabase), { message: 'the app has its database' }).toBe(true);
  }

  get fileInput(): Locator {
    return this.page.locator('input[type="file"]').and(this.page.getByLabel('Add files', { exact: true }));
  }

  /** The sync state: how many results wait, and whether the server answers. */
  get syncStatus(): Locator {
    return this.page.getByRole('status');
  }

  region(name: 'Active jobs' | 'Review queue' | 'History'): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  /** Chooses these files, as the person's own: they are on the disk, nothing passes through the test's pipe. */
  async addFiles(files: TestFile[]): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'accession-drop-'));
    const paths = files.map(({ name }) => join(folder, name));
    await Promise.all(files.map(({ bytes }, index) => writeFile(paths[index] ?? '', bytes)));
    await this.fileInput.setInputFiles(paths);
    this.#folders.push(folder);
  }

  /** Takes the dropped files off the disk; called when the test ends. */
  async forgetFiles(): Promise<void> {
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }

  /** The row of the job that is named so, wherever it stands on the page. */
  jobRow(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true });
  }

  /** A job that fails on the way is said at once, with what its row says. */
  async waitForStatus(name: string, status: JobStatus): Promise<void> {
    await this.#reach({ names: [name], status });
  }

  /** Waits until the server has accepted every one of these. */
  async waitForPublished(names: string[]): Promise<void> {
    await this.#reach({ names, status: 'COMPLETED', sync: 'published' });
  }

  /** Waits until each of these is approved and converted, and only the server is missing. */
  async waitForOutbox(names: string[]): Promise<void> {
    await this.#reach({ names, status: 'CONVERTING', sync: 'waiting' });
  }

  /** The open questions whose text has `about` in it. */
  review(about: string | RegExp): Locator {
    return this.region('Review queue').getByRole('article').filter({ hasText: about });
  }

  /** Presses the option that is named so in the question about that. */
  async answer(about: string | RegExp, option: string): Promise<void> {
    const folded = this.review(about).and(this.page.locator('[data-folded]'));
    if ((await folded.count()) > 0) await folded.first().getByRole('button').click();
    await this.review(about).getByRole('button', { name: option }).first().click();
  }

  /** Before a drop: these files are what this pending request asked for. */
  async fulfil(album: string): Promise<void> {
    await this.page.getByLabel('Fulfill a download request').check();
    const choice = this.page.getByLabel('Download request', { exact: true });
    const wanted = await choice.getByRole('option', { name: album }).getAttribute('value');
    await choice.selectOption(wanted);
  }

  /** What is done to one job, by the button's whole name: it says of which file, as rows have the same buttons. */
  async press(name: string, button: 'Cancel' | 'Retry' | 'Undo decision:'): Promise<void> {
    const row = this.jobRow(name);
    await expect(row.first()).toBeAttached();
    // Of an album that is one line: its rows, with their buttons, come when it is opened.
    if ((await row.getByRole('button').count()) === 0)
      await this.page
        .getByRole('group')
        .filter({ has: row })
        .getByRole('button', { name: /^Files of/ })
        .click();
    await row.getByRole('button', { name: `${button} ${name}`, exact: true }).click();
  }

  /** Asked in the page, as a locator would work out the name of each row of the page each time. */
  async #reach(wanted: RowsWanted): Promise<void> {
    const ended = await this.page.waitForFunction(rowsHaveCome, wanted, { polling: 200, timeout: CONVERSION_MS });
    expect(await ended.jsonValue()).toBe(true);
  }

  /** Waits until the offline copy of the catalog is whole. */
  async waitForReplica(): Promise<void> {
    await expect.poll(() => this.page.evaluate(replicaIsComplete), { message: 'the replica is complete' }).toBe(true);
  }

  /** Waits until the service worker has everything: the app's files and the large codecs. */
  async waitForOfflineStart(): Promise<void> {
    const message = 'the codecs are kept for offline use';
    await expect.poll(() => this.page.evaluate(codecsAreKept), { message, timeout: 180_000 }).toBe(true);
  }
}
