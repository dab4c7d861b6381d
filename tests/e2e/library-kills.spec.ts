import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { KillableBrowser } from '../soak/killable-browser.ts';
import { allowFolders, dropFolder } from './support/real-folder.ts';
import { expect, test } from './support/test.ts';

const executable = process.env['ACCESSION_BROWSER'] ?? chromium.executablePath();
const FILES = 600;
const KILLS = 2;

async function folderOf(count: number): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'accession-library-')), 'Many');
  await mkdir(folder);
  for (let n = 0; n < count; n++) {
    const text = `File ${n} has the word number${n}.\n\n${'Boats come and go in the harbour. '.repeat(100)}`;
    await writeFile(join(folder, n % 2 === 0 ? `f${n}.md` : `f${n}.py`), n % 2 === 0 ? text : `"""${text}"""\n`);
  }
  return folder;
}

/** Puts the folder onto the Library page; what is known of it is found again. */
async function open(page: Page, origin: string, folder: string): Promise<void> {
  await page.goto(`${origin}/library`);
  await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
  await dropFolder(page, folder);
}

test('LIBRARY-63 a browser that is killed while it reads a folder goes on when the folder is given again, and no file is lost or there twice', async ({
  server,
}) => {
  const folder = await folderOf(FILES);
  const profile = await mkdtemp(join(tmpdir(), 'accession-profile-'));
  await allowFolders(profile, server.origin);
  let browser = await KillableBrowser.start(executable, profile);
  try {
    await browser.page.goto(server.signInLink);
    await expect(browser.page.getByRole('heading', { name: 'Ingest' })).toBeVisible();
    for (let kill = 0; kill < KILLS; kill++) {
      await open(browser.page, server.origin, folder);
      await expect(browser.page.getByText(/^[1-9]\d* of \d+ files$/)).toBeVisible();
      await browser.kill();
      browser = await KillableBrowser.start(executable, profile);
    }
    const { page } = browser;
    await open(page, server.origin, folder);
    await expect(page.getByText(new RegExp(`^${FILES} files, \\d+ chunks`))).toBeVisible({ timeout: 120_000 });
    await page.getByRole('searchbox', { name: 'Search the library' }).fill(`number${FILES - 1}`);
    // Parts of the name are in every file; the whole of it is in one, which comes once.
    await expect(page.locator('a.passage').first()).toContainText(`f${FILES - 1}.py`);
    await expect(page.locator('a.passage').filter({ hasText: `f${FILES - 1}.py` })).toHaveCount(1);
  } finally {
    await browser.kill();
  }
});
