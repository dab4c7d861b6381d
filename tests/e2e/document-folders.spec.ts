import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { axeFindings } from './support/axe.ts';
import { looksRight } from './support/looks.ts';
import { expect, ONLINE, test } from './support/test.ts';
import type { CatalogServer } from './support/catalog-server.ts';

test.use(ONLINE);

const TITLE = 'Counting the rivers of the valley and of all the valleys beside it';

/** A folder of the server with these PDFs, the page that lists it once it is scanned. */
async function scanned(page: Page, server: CatalogServer, files: Record<string, Uint8Array>) {
  const base = await mkdtemp(join(tmpdir(), 'accession-papers-'));
  const folder = join(base, 'Papers');
  await mkdir(folder);
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  await server.configure(`[documents]\nfolders = ["${folder}"]\nsources = []\n`);
  await page.goto(server.signInLink);
  await expect(page.getByRole('link', { name: 'Signed in as Admin' })).toBeVisible();
  await page.goto(`${server.origin}/documents`);
  const folders: Locator = page.getByRole('region', { name: 'Folders of the server' });
  const count = Object.keys(files).length;
  await expect(folders.getByText(`${count} ${count === 1 ? 'document' : 'documents'}, scanned`)).toBeVisible();
  await folders.locator('summary').click();
  await expect(folders.getByRole('listitem')).toHaveCount(count);
  return { folder, folders, [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }) };
}

const paper = (title: string): Uint8Array =>
  makePdf([column(72, 700, [title])], { info: { Title: title, Author: 'Ana Garcia' } });

test('DOCUMENT-94, DOCUMENT-113, UI-350 a folder of the server is listed as it was scanned, once the scan is done; its rows keep their titles on a narrow screen, and axe finds nothing wrong at both sizes, light and dark', async ({
  page,
  server,
}) => {
  const leaflet = makePdf([column(72, 700, ['A leaflet'])]);
  await using it = await scanned(page, server, { 'a.pdf': paper(TITLE), 'c.pdf': leaflet });
  await looksRight(page, 'folders', true);
  await page.setViewportSize({ width: 390, height: 844 });
  const row = it.folders.getByRole('listitem').filter({ hasText: TITLE });
  const title = await row.getByText(TITLE, { exact: true }).boundingBox();
  const whole = await row.boundingBox();
  expect(title?.width ?? 0).toBeGreaterThan((whole?.width ?? Infinity) * 0.75);
});

test('DOCUMENT-104 a folder of the server is put in order from the page: confirmed, carried out there, and taken back', async ({
  page,
  server,
}) => {
  const pdf = paper(TITLE);
  await using it = await scanned(page, server, { 'a.pdf': pdf });
  await it.folders.getByRole('button', { name: 'Put in order: Papers' }).click();
  const row = page.getByRole('row').filter({ hasText: 'a.pdf' });
  await row
    .first()
    .getByRole('button', { name: /a\.pdf/ })
    .focus();
  await page.keyboard.press('w');
  await page.getByRole('button', { name: 'Write 1', exact: true }).click();
  await expect(page.getByRole('heading', { name: '1 document written' })).toBeFocused();
  await expect(page.getByText('It was done on the catalog server.')).toBeVisible();
  const written = (await readdir(it.folder)).filter((name) => name.endsWith('.pdf'));
  expect(written).toEqual(['counting_the_rivers_of_the_valley_and_of_all_the_valleys_beside_it.pdf']);
  const bytes = await readFile(join(it.folder, written[0] ?? ''));
  expect(bytes.subarray(0, pdf.length).equals(pdf)).toBe(true);
  const manifest = JSON.parse(await readFile(join(it.folder, 'manifest.json'), 'utf8')) as { entries: object[] };
  expect(manifest.entries).toMatchObject([{ title: TITLE, processed: true }]);
  expect(await axeFindings(page)).toEqual([]);

  await page.getByRole('region', { name: 'What was done' }).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: '1 file is as before' })).toBeFocused();
  expect((await readdir(it.folder)).filter((name) => name.endsWith('.pdf'))).toEqual(['a.pdf']);
  expect((await readFile(join(it.folder, 'a.pdf'))).equals(pdf)).toBe(true);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Done on the server' }).getByText('Written and undone')).toBeVisible();
});
