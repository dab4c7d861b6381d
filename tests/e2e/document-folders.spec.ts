import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { filesIn } from '../soak/video-folder.ts';
import { axeFindings } from './support/axe.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const PAPERS = {
  'a.pdf': makePdf([[...column(72, 700, ['Counting the rivers', 'We measured it twice.'])]], {
    info: { Title: 'Counting the rivers', Author: 'Ana Garcia' },
  }),
  // Two of equal weight: nothing tells which is its own.
  'b.pdf': makePdf([
    [
      ...column(72, 700, ['Floods and ebbs', 'We measured them twice.']),
      { text: 'https://doi.org/10.5555/flood', x: 72, y: 600 },
      { text: 'https://doi.org/10.5555/ebb', x: 72, y: 580 },
    ],
  ]),
  'c.pdf': makePdf([column(72, 700, ['A leaflet'])]),
};

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = [...(await filesIn(folder)).keys()].filter((name) => name.endsWith('.pdf'));
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await hash(name)] as const)));
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).first();

/** Nothing wrong, and nothing wider than the page, at both sizes, in light and in the dark. */
async function looksRight(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await axeFindings(page), `${name} at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const shots = process.env['ACCESSION_SHOTS'];
    if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}-${width}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
}

test('DOCUMENT-98, DOCUMENT-104, DOCUMENT-110, DOCUMENT-113 a folder of the server is put in order from the page, its record is found by others, undo gives every byte back, and the model is asked where it is in doubt', async ({
  page,
  server,
}) => {
  const base = await mkdtemp(join(tmpdir(), 'accession-papers-'));
  const folder = join(base, 'Papers');
  await mkdir(folder);
  for (const [name, bytes] of Object.entries(PAPERS)) await writeFile(join(folder, name), bytes);
  const before = await contentsOf(folder);
  const model = await startModelServer({ cors: server.origin, models: ['qwen2.5:3b'] });
  await server.configure(`[documents]\nfolders = ["${folder}"]\nsources = []\n`);
  try {
    await page.goto(server.signInLink);
    await expect(page.getByRole('link', { name: 'Signed in as Admin' })).toBeVisible();
    await page.goto(`${server.origin}/settings#model`);
    const section = page.getByRole('region', { name: 'Model', exact: true });
    await section.getByRole('radio', { name: 'Ollama' }).check();
    await section.getByLabel('Address').fill(model.url);
    await section.getByLabel('Address').blur();
    await section.getByRole('button', { name: 'Test', exact: true }).click();
    await section.getByRole('button', { name: 'qwen2.5:3b', exact: true }).click();

    await page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('link', { name: 'Documents', exact: true })
      .click();
    const folders = page.getByRole('region', { name: 'Folders of the server' });
    await expect(folders.getByText('3 documents, scanned')).toBeVisible();
    await folders.locator('summary').click();
    await expect(folders.getByRole('listitem')).toHaveCount(3);
    await looksRight(page, 'folders');
    await folders.getByRole('button', { name: 'Put Papers in order' }).click();

    await rowOf(page, 'b.pdf')
      .getByRole('button', { name: /b\.pdf/ })
      .click();
    await expect(page.getByRole('button', { name: 'Ask the model' })).toBeVisible();
    await looksRight(page, 'doubt');
    await page.getByRole('button', { name: 'Ask the model' }).click();
    await expect(page.getByRole('button', { name: 'Ask the model' })).toBeVisible();
    await looksRight(page, 'asked');

    await rowOf(page, 'a.pdf')
      .getByRole('button', { name: /a\.pdf/ })
      .focus();
    await page.keyboard.press('w');
    await rowOf(page, 'c.pdf')
      .getByRole('button', { name: /c\.pdf/ })
      .focus();
    await page.keyboard.press('r');
    await page.getByLabel('Give the PDFs to other workstations, too').check();
    await page.getByRole('button', { name: 'Write 1, remove 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Write 1, remove 1' }).click();
    await expect(page.getByRole('heading', { name: '1 document written, 1 moved to the trash' })).toBeVisible();
    await looksRight(page, 'done');
    expect(Object.keys(await contentsOf(folder)).toSorted()).toEqual([
      '.accession-trash/c.pdf',
      'b.pdf',
      'counting_the_rivers.pdf',
    ]);

    await page.getByRole('button', { name: 'Done', exact: true }).click();
    const kept = page.getByRole('region', { name: 'On the catalog server' });
    await expect(kept.getByText('Counting the rivers')).toBeVisible();
    await kept.getByRole('button', { name: 'Open Counting the rivers' }).click();
    const reader = page.getByRole('dialog', { name: 'Reader' });
    await expect(reader.locator('.text')).toContainText('Counting the rivers');
    await reader.getByRole('button', { name: 'Close the reader' }).click();
    const past = page.getByRole('region', { name: 'Done on the server' });
    await expect(past.getByText('Written', { exact: true })).toBeVisible();
    await looksRight(page, 'history');
    await past.getByRole('button', { name: /Undo/ }).click();
    await expect(page.getByRole('heading', { name: /are as before/ })).toBeVisible();
    expect(await contentsOf(folder)).toEqual(before);
  } finally {
    await model.close();
    await rm(base, { recursive: true, force: true });
  }
});
