import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { JobStatus } from '#core/job/job.ts';

/** A file as it is handed to the page; a folder's files carry their path. */
export interface TestFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** From a drop to the last step of a dozen tracks, on a slow machine. */
export const CONVERSION_MS = 180_000;

/** The app as a person uses it: everything is found by its accessible name. */
export class App {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the app through the link that the server printed; ready when the catalog replica is complete. */
  async signIn(link: string): Promise<void> {
    await this.page.goto(link);
    await expect(this.page).toHaveURL((url) => url.hash === '');
    await expect(this.fileInput).toBeAttached();
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

  async addFiles(files: TestFile[]): Promise<void> {
    await this.fileInput.setInputFiles(
      files.map(({ name, bytes }) => ({ name, mimeType: mimeOf(name), buffer: Buffer.from(bytes) })),
    );
  }

  /** The row of the job that is named so, wherever it stands on the page. */
  jobRow(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true });
  }

  /** A job that fails on the way is said at once, with what its row says. */
  async waitForStatus(name: string, status: JobStatus, timeout = CONVERSION_MS): Promise<void> {
    const row = this.jobRow(name);
    await expect(row, `${name} is ${status}`).toHaveAttribute('data-status', new RegExp(`^(${status}|FAILED)$`), {
      timeout,
    });
    if ((await row.getAttribute('data-status')) === status) return;
    throw new Error(`${name} is FAILED and not ${status}: ${await row.innerText()}`);
  }

  /** Waits until the server has accepted every one of these. */
  async waitForPublished(names: string[]): Promise<void> {
    for (const name of names) {
      await this.waitForStatus(name, 'COMPLETED');
      await expect(this.jobRow(name)).toHaveAttribute('data-sync', 'published');
    }
  }

  /** The open questions whose text has `about` in it. */
  review(about: string | RegExp): Locator {
    return this.region('Review queue').getByRole('article').filter({ hasText: about });
  }

  /** Presses the option that is named so in the question about that. */
  async answer(about: string | RegExp, option: string): Promise<void> {
    await this.review(about).getByRole('button', { name: option }).first().click();
  }

  /** Before a drop: these files are what this pending request asked for. */
  async fulfil(album: string): Promise<void> {
    await this.page.getByLabel('Fulfill a download request').check();
    const choice = this.page.getByLabel('Download request', { exact: true });
    const wanted = await choice.getByRole('option', { name: album }).getAttribute('value');
    await choice.selectOption(wanted);
  }

  /** What is done to one job: the button of that name in its row. */
  async press(name: string, button: 'Cancel' | 'Retry' | 'Undo'): Promise<void> {
    await this.jobRow(name).getByRole('button', { name: button }).click();
  }

  /** Waits until the offline copy of the catalog is whole. */
  async waitForReplica(): Promise<void> {
    await expect.poll(() => this.page.evaluate(replicaIsComplete), { message: 'the replica is complete' }).toBe(true);
  }

  /** Waits until the service worker serves the app. */
  async waitForOfflineStart(): Promise<void> {
    await this.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
  }
}

/** Runs in the page: reads the row of the app's database that says so. */
async function replicaIsComplete(): Promise<boolean> {
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

const MIME: Record<string, string> = {
  zip: 'application/zip',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
};

function mimeOf(name: string): string {
  return MIME[name.slice(name.lastIndexOf('.') + 1)] ?? '';
}
