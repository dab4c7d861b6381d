import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeTinyGguf } from '../fixtures/tiny-gguf.ts';
import { expect, test } from './support/test.ts';

const NAME = 'tiny test model';

/** Settings, Model, with the processor chosen; the list of models is there. */
async function openLocalModels(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('radio', { name: 'This browser, on the processor' }).check();
  await expect(page.getByRole('list', { name: 'Local models' })).toBeVisible();
}

async function addTinyModel(page: Page): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'accession-gguf-'));
  try {
    const path = join(folder, `${NAME}.gguf`);
    await writeFile(path, makeTinyGguf());
    await page.getByLabel('From a file').setInputFiles(path);
    await expect(modelRow(page)).toHaveAttribute('data-state', 'ready');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function modelRow(page: Page) {
  return page.getByRole('list', { name: 'Local models' }).getByRole('listitem').filter({ hasText: NAME });
}

test('MODEL-1, MODEL-9: a GGUF file of this device is taken in, keeps to a schema, is verified and deleted', async ({
  app,
}) => {
  const { page } = app;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await openLocalModels(page);
  expect(asked.filter((url) => /wllama|web-llm/.test(url))).toEqual([]);
  await addTinyModel(page);
  await expect(modelRow(page)).toContainText('In use');

  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('The model can be used.')).toBeVisible();
  await expect(page.locator('[data-stage="schema"]')).toContainText(/"choice":"(A|B|none)"/);

  await modelRow(page).getByRole('button', { name: 'Verify' }).click();
  await expect(modelRow(page)).toContainText('Every part is as it was downloaded.');
  await modelRow(page).getByRole('button', { name: 'Delete...' }).click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: /^Delete/ }).click();
  await expect(modelRow(page)).toHaveCount(0);
});
