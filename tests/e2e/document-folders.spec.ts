import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { axeFindings } from './support/axe.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('DOCUMENT-94, DOCUMENT-113 a folder of the server is listed as it was scanned, once the scan is done, and axe finds nothing wrong at both sizes', async ({
  page,
  server,
}) => {
  const base = await mkdtemp(join(tmpdir(), 'accession-papers-'));
  const folder = join(base, 'Papers');
  await mkdir(folder);
  const info = { Title: 'Counting the rivers', Author: 'Ana Garcia' };
  await writeFile(join(folder, 'a.pdf'), makePdf([column(72, 700, ['Counting the rivers'])], { info }));
  await writeFile(join(folder, 'c.pdf'), makePdf([column(72, 700, ['A leaflet'])]));
  await server.configure(`[documents]\nfolders = ["${folder}"]\nsources = []\n`);
  try {
    await page.goto(server.signInLink);
    await expect(page.getByRole('link', { name: 'Signed in as Admin' })).toBeVisible();
    await page.goto(`${server.origin}/documents`);
    const folders = page.getByRole('region', { name: 'Folders of the server' });
    await expect(folders.getByText('2 documents, scanned')).toBeVisible();
    await folders.locator('summary').click();
    await expect(folders.getByRole('listitem')).toHaveCount(2);
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
});
