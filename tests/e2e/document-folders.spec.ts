import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { keyOf } from '#lanes/documents/core/lookup/cache.ts';
import { answerFolder } from '#lanes/documents/node/answer-folder.ts';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { crossrefWork } from '../fixtures/metadata-server.ts';
import { choosing } from '../fixtures/model-brain.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { axeFindings } from './support/axe.ts';
import { looksRight } from './support/looks.ts';
import { useOllama } from './support/playbook-page.ts';
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

test('DOCUMENT-120 of a document of the server in doubt the page shows what it may be, the model is asked about the page that the server has, and nothing is written before a person decides', async ({
  page,
  server,
}) => {
  const titles: Record<string, string> = { '10.5555/river.8': 'On floods', '10.5555/river.9': 'On ebbs' };
  // What Crossref said of both before, on the server; the page asks it itself.
  const answers = answerFolder(join(dirname(server.media), 'documents', 'answers'));
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
  for (const [value, title] of Object.entries(titles)) {
    const body = crossrefWork(value, { title: [title] });
    await answers.put(keyOf('api.crossref.org', { kind: 'doi', value }), {
      status: 200,
      headers,
      body,
      at: Date.now(),
    });
  }
  await page.route(/^https:\/\/api\.crossref\.org\//, (route) => {
    const doi = decodeURIComponent(/works\/([^?]+)/.exec(route.request().url())?.[1] ?? '');
    return route.fulfill({ headers, body: crossrefWork(doi, { title: [titles[doi] ?? ''] }) });
  });
  const pdf = makePdf([
    [
      { text: 'Floods of the valley', x: 72, y: 700 },
      ...Object.keys(titles).map((doi, i) => ({ text: `https://doi.org/${doi}`, x: 72, y: 600 - 20 * i })),
    ],
  ]);
  const model = await startModelServer({ models: ['m'], reply: choosing('10.5555/river.9', 'It is about ebbs.') });
  try {
    await using it = await scanned(page, server, { 'two.pdf': pdf });
    await useOllama(page, model, 'm');
    await it.folders.locator('summary').click();
    await it.folders.getByRole('button', { name: 'Put in order: Papers' }).click();
    await page.getByRole('button', { name: 'Look up', exact: true }).click();
    await page.getByRole('button', { name: /two\.pdf/ }).click();
    const readings = page.getByRole('list', { name: 'What it may be' });
    await expect(readings.getByRole('listitem')).toContainText(['On floods', 'On ebbs']);

    await page.getByRole('button', { name: 'Ask the model' }).click();
    await expect(page.getByText('The model m says that it is 10.5555/river.9: It is about ebbs.')).toBeVisible();
    await expect(readings.getByRole('listitem')).toContainText(['On floods', 'On ebbs']);
    expect(JSON.stringify(model.requests)).toContain('Floods of the valley');
    const write = page.getByRole('button', { name: /^Write \d/ });
    await expect(write).toHaveCount(0);
    await looksRight(page, 'doubt', true);
    expect(await readdir(it.folder)).toEqual(['two.pdf']);
    await page.getByRole('button', { name: /two\.pdf/ }).focus();
    await page.keyboard.press('w');
    await write.click();
    await expect(page.getByRole('heading', { name: '1 document written' })).toBeFocused();
    const manifest = JSON.parse(await readFile(join(it.folder, 'manifest.json'), 'utf8')) as { entries: object[] };
    expect(manifest.entries).toMatchObject([{ title: 'On ebbs', doi: '10.5555/river.9', processed: true }]);
  } finally {
    await model.close();
  }
});
