/**
 * A real WebLLM generation, by hand on a machine with a graphics card (`npm run test:webgpu`): the app downloads the
 * smallest listed model through its settings page and the staged check asks it under a schema. Nothing is counted as
 * passed elsewhere: without a real graphics card it ends with code 3 and says so.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, type Page } from '@playwright/test';
import { App } from '../e2e/support/app.ts';
import { CatalogServer } from '../e2e/support/catalog-server.ts';

const REFUSED = 3;
const MODEL = process.argv[2] ?? 'Qwen2.5-0.5B-Instruct-q4f16_1-MLC';
const DOWNLOAD_MS = 30 * 60_000;
/** The profile is kept, so that the weights are fetched once. */
const PROFILE = join(homedir(), '.cache', 'accession-webgpu');

const executablePath = process.env['ACCESSION_BROWSER'];
const data = await mkdtemp(join(tmpdir(), 'accession-webgpu-'));
const server = await CatalogServer.start(data);
const browser = await chromium.launchPersistentContext(PROFILE, {
  args: ['--enable-unsafe-webgpu', '--enable-features=Vulkan', '--no-first-run'],
  headless: process.env['HEADED'] === undefined,
  ...(executablePath ? { executablePath } : {}),
});
try {
  const page = await browser.newPage();
  const app = new App(page);
  await app.signIn(server.signInLink);
  process.exitCode = await smoke(page);
} finally {
  await browser.close();
  await server.kill();
  await rm(data, { recursive: true, force: true });
}

async function smoke(page: Page): Promise<number> {
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('radio', { name: 'This browser, on the graphics card' }).check();
  const list = page.getByRole('list', { name: 'Local models' });
  const look = page.getByRole('button', { name: 'models all the same' });
  await expect(look.or(list).first()).toBeVisible();
  if (await look.isVisible()) await look.click();
  const row = page.locator(`[data-model="${MODEL}"]`);
  const unfit = await row.locator('.unfit').allInnerTexts();
  if (unfit.length > 0) {
    process.stderr.write(`Not run: ${unfit.join(' ')}\nThis test needs a machine with a graphics card.\n`);
    return REFUSED;
  }
  if ((await row.getAttribute('data-state')) !== 'ready') {
    process.stdout.write(`Downloading ${MODEL} ...\n`);
    await row.getByRole('button', { name: /Download|Go on/ }).click();
    await expect(row).toHaveAttribute('data-state', 'ready', { timeout: DOWNLOAD_MS });
  }
  const use = row.getByRole('button', { name: 'Use', exact: true });
  if (await use.isVisible()) await use.click();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText(/The model can be used\.|It cannot be used yet\./)).toBeVisible({ timeout: 10 * 60_000 });
  for (const stage of await page.locator('[data-stage]').all()) process.stdout.write(`${await stage.innerText()}\n`);
  const passed = await page.getByText('The model can be used.').isVisible();
  process.stdout.write(passed ? 'passed: a real WebLLM generation under a schema\n' : 'failed\n');
  return passed ? 0 : 1;
}
