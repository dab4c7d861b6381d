import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { crossrefWork } from '../fixtures/metadata-server.ts';
import { zipOf } from '../fixtures/zip.ts';
import { filesIn } from '../soak/video-folder.ts';
import { looksRight } from './support/looks.ts';
import { CHROMIUM_ARGS } from './support/chromium-args.ts';
import { inPalette, openPlace } from './support/places.ts';
import { allowFolders, dropFolder } from './support/real-folder.ts';
import { expect, test } from './support/test.ts';

const executable = process.env['ACCESSION_BROWSER'] ?? chromium.executablePath();

const RIVERS = '10.5555/river.1';
const BANKS = '10.5555/river.2';
const ISBN = '9780306406157';
const paper = (doi: string, title: string): Uint8Array =>
  makePdf([
    [{ text: `https://doi.org/${doi}`, x: 72, y: 760 }, ...column(72, 650, [title, 'We measured it twice.'])],
    [{ text: `https://doi.org/${doi}`, x: 72, y: 760 }, ...column(72, 650, ['The second page has a weir.'])],
  ]);
const PAPERS = {
  'a.pdf': paper(RIVERS, 'Counting the rivers'),
  'b.pdf': paper('10.5555/wrong', 'Tracing the banks'),
  'c.pdf': makePdf([column(72, 700, ['A leaflet'])]),
};
const TITLES: Record<string, string> = {
  [RIVERS]: 'Counting the rivers',
  [BANKS]: 'Tracing the banks',
  '10.5555/wrong': 'Baking bread',
};

/** Crossref, as it answers these DOIs, and Open Library for one book; what else is asked is counted. */
async function crossref(context: BrowserContext): Promise<string[]> {
  const asked: string[] = [];
  await context.route(/^https:\/\/(?!127\.0\.0\.1)/, async (route) => {
    const url = route.request().url();
    asked.push(url);
    const doi = decodeURIComponent(/crossref\.org\/works\/([^?]+)/.exec(url)?.[1] ?? '');
    const title = TITLES[doi];
    const isbn = /[?&]bibkeys=ISBN:(\d{13})/.exec(url)?.[1];
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
    const book = { title: 'A book of leaflets', identifiers: { isbn_13: [isbn] }, publish_date: '2001' };
    if (isbn === ISBN) return route.fulfill({ headers, body: JSON.stringify({ [`ISBN:${isbn}`]: book }) });
    if (title === undefined) return route.fulfill({ status: 404, headers, body: '{"status":"error"}' });
    return route.fulfill({ headers, body: crossrefWork(doi, { title: [title] }) });
  });
  return asked;
}

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = [...(await filesIn(folder)).keys()];
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await hash(name)] as const)));
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).first();

test('DOCUMENT-47, DOCUMENT-48, DOCUMENT-80, DOCUMENT-87 PDFs dropped on Ingest in a ZIP are recognised on the Documents page after a yes, a DOI is corrected, the evidence is read, they come back as a ZIP, and from the catalog server', async ({
  page,
  server,
}) => {
  const asked = await crossref(page.context());
  await page.goto(server.signInLink);
  const zip = zipOf(Object.entries(PAPERS).map(([name, data]) => ({ name: `papers/${name}`, data })));
  const folder = await mkdtemp(join(tmpdir(), 'accession-documents-'));
  await writeFile(join(folder, 'papers.zip'), zip);
  await page
    .locator('input[type="file"]')
    .and(page.getByLabel('Add files', { exact: true }))
    .setInputFiles(join(folder, 'papers.zip'));

  await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible();
  await expect(page.getByText('May the records be looked up?')).toBeVisible();
  await expect(rowOf(page, 'c.pdf').getByText('Unknown')).toBeVisible();
  expect(asked).toEqual([]);
  await page.getByRole('button', { name: 'Look up', exact: true }).click();
  await expect(rowOf(page, 'a.pdf').getByText('Strong')).toBeVisible();
  await expect(rowOf(page, 'b.pdf').getByText('another title')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Write 1', exact: true })).toBeEnabled();

  await rowOf(page, 'b.pdf')
    .getByRole('button', { name: /b\.pdf/ })
    .click();
  await page.keyboard.press('d');
  await page.getByLabel('Its DOI').fill(`https://doi.org/${BANKS}`);
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'b.pdf').getByText('Strong')).toBeVisible();

  // The keys are about the row that has the focus, and the same key again takes back what it decided.
  const write = (count: number) => page.getByRole('button', { name: `Write ${count}`, exact: true });
  await page.keyboard.press('w');
  await expect(write(1)).toBeEnabled();
  await page.keyboard.press('w');
  await expect(write(2)).toBeEnabled();
  // Of what nobody knows nothing is written; its ISBN is given, and looked up.
  const leaflet = rowOf(page, 'c.pdf').getByRole('button', { name: /c\.pdf/ });
  await leaflet.focus();
  await page.keyboard.press('w');
  await expect(write(2)).toBeEnabled();
  await page.keyboard.press('i');
  await page.getByLabel('Its ISBN').fill('0-306-40615-2');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'c.pdf').getByText('A book of leaflets').first()).toBeVisible();
  await leaflet.focus();
  await page.keyboard.press('w');
  await expect(write(3)).toBeEnabled();
  await page.keyboard.press('w');
  await expect(write(2)).toBeEnabled();
  await rowOf(page, 'b.pdf')
    .getByRole('button', { name: /b\.pdf/ })
    .focus();

  await page.keyboard.press('o');
  const reader = page.getByRole('dialog', { name: 'Reader' });
  await expect(reader.locator('.outline')).toHaveCount(1);
  await reader.getByLabel('Find in the document').fill('second page');
  await page.keyboard.press('Enter');
  await expect(reader.getByRole('region', { name: 'Page 2 of 2' })).toBeVisible();
  await expect(reader.getByText('1 of 1')).toBeVisible();
  await expect(reader.locator('.text')).toContainText('a weir');
  await reader.getByRole('button', { name: 'Close the reader' }).click();

  await page.getByLabel('Send the PDFs to the catalog server, too').check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Write 2', exact: true }).click();
  expect((await download).suggestedFilename()).toBe('documents.zip');
  await expect(page.getByRole('heading', { name: '3 documents and the manifest are in documents.zip' })).toBeVisible();

  // To the server, and back by its feed.
  const kept = page.getByRole('region', { name: 'On the catalog server' });
  await expect(kept.getByRole('listitem')).toHaveCount(2);
  await kept.getByRole('button', { name: 'Open Tracing the banks' }).click();
  await expect(reader.locator('.text')).toContainText('Tracing the banks');
  await reader.getByRole('button', { name: 'Close the reader' }).click();
  // UI-293: the palette finds the document, and opens it.
  await (await inPalette(page, 'banks tracing', /^Tracing the banks/)).click();
  await expect(reader.locator('.text')).toContainText('Tracing the banks');
  await reader.getByRole('button', { name: 'Close the reader' }).click();
  await rm(folder, { recursive: true, force: true });
});

test('DOCUMENT-49, DOCUMENT-80, UI-190, UI-162 a real folder without any network: what was looked up before is written into it, what goes to the trash and the manifest with it, and undo gives every byte back', async ({
  server,
}) => {
  const base = await mkdtemp(join(tmpdir(), 'accession-documents-'));
  const folder = join(base, 'Papers');
  await mkdir(folder);
  for (const [name, bytes] of Object.entries(PAPERS)) await writeFile(join(folder, name), bytes);
  const before = await contentsOf(folder);
  const profile = join(base, 'profile');
  await allowFolders(profile, server.origin);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable,
    args: [...CHROMIUM_ARGS],
  });
  try {
    const page = await context.newPage();
    await crossref(context);
    await page.goto(server.signInLink);
    await openPlace(page, 'Documents');
    await expect(page.getByText('Drop PDFs here')).toBeVisible();
    await dropFolder(page, folder);
    await page.getByRole('button', { name: 'Look up', exact: true }).click();
    await expect(rowOf(page, 'a.pdf').getByText('Strong')).toBeVisible();

    await context.setOffline(true);
    await expect(page.getByText('There is no network.')).toBeVisible();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await dropFolder(page, folder);
    await expect(rowOf(page, 'a.pdf').getByText('Strong')).toBeVisible();
    await expect(rowOf(page, 'c.pdf').getByText('Unknown')).toBeVisible();
    await rowOf(page, 'b.pdf')
      .getByRole('button', { name: /b\.pdf/ })
      .click();
    await rowOf(page, 'c.pdf')
      .getByRole('button', { name: /c\.pdf/ })
      .focus();
    await page.keyboard.press('r');
    await expect(rowOf(page, 'c.pdf').getByText('Remove', { exact: true })).toBeVisible();
    await looksRight(page, 'documents', true);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const place = page.getByRole('link', { name: 'Documents', exact: true });
    await expect(place).toBeInViewport({ ratio: 1 });
    expect(await place.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Write 1, remove 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Write 1, remove 1' }).click();
    await expect(page.getByRole('heading', { name: '1 document written, 1 moved to the trash' })).toBeVisible();
    const after = await contentsOf(folder);
    expect(Object.keys(after).toSorted()).toEqual([
      '.accession-trash/c.pdf',
      'b.pdf',
      'counting_the_rivers_2019.pdf',
      'manifest.json',
      'manifest.state.json',
    ]);
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as { entries: object[] };
    expect(manifest.entries).toMatchObject([{ id: before['a.pdf'], doi: RIVERS, processed: true }]);

    await page.getByRole('region', { name: 'What was done' }).getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { name: '2 files are as before' })).toBeVisible();
    expect(await contentsOf(folder)).toMatchObject(before);
    await expect(page.getByText('Written and undone')).toBeVisible();
  } finally {
    await context.close();
    await rm(base, { recursive: true, force: true });
  }
});
