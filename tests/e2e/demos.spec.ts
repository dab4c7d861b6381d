/** Each lane is tried with one press in the installed app, without its server and without a network. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { notKept } from './support/page-state.ts';
import { openPlace } from './support/places.ts';
import { expect, test } from './support/test.ts';

/** Where the pictures that the README shows are kept (`ACCESSION_PICTURES=docs/pictures`): the server stays, then. */
const PICTURES = process.env['ACCESSION_PICTURES'];

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
}

const APP = join(import.meta.dirname, '../../build/_app/immutable');
const RUN_ON = /\bPDFWorker\b|\bGlobalWorkerOptions\b/;

/** Addresses of what the demos run on beside the app: the reader of PDFs and the grammars of two languages. */
function filesOfDemos(): string[] {
  const names = readdirSync(APP, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const wanted = names.filter(
    (name) =>
      /(web-tree-sitter|tree-sitter-(typescript|python))-[^/]*\.wasm$/.test(name) ||
      (/\/chunks\/[^/]+\.js$/.test(`/${name}`) && RUN_ON.test(readFileSync(join(APP, name), 'utf8'))),
  );
  return wanted.map((name) => `/_app/immutable/${name}`);
}

test('UI-390, UI-391, UI-367 after a first visit video, library, documents, guide and playbooks are tried with one press each, without server and network', async ({
  app,
  context,
  page,
  server,
}) => {
  await app.waitForReplica();
  await app.waitForOfflineStart();
  const wanted = filesOfDemos();
  expect(wanted.length).toBeGreaterThanOrEqual(4);
  await expect.poll(() => page.evaluate(notKept, wanted), { timeout: 180_000 }).toEqual([]);
  if (PICTURES === undefined) {
    await server.stop();
    await context.setOffline(true);
  }
  await page.goto('about:blank');
  await page.goto(server.origin);
  const main = page.getByRole('main');
  const tryIt = main.getByRole('button', { name: 'Try it', exact: true });

  await openPlace(page, 'Video');
  await tryIt.click();
  // Two shows, each with its own rows, and a file of neither, which is asked about.
  await expect(main).toContainText('Lantern Street');
  await expect(main).toContainText('Slack Tide');
  await picture(page, 'video');

  await openPlace(page, 'Library');
  await tryIt.click();
  await expect(main.getByText('Harbour office').first()).toBeVisible();
  // Asked before it was read.
  await main.getByRole('searchbox').first().fill('height of the tide');
  await expect(main.getByText('tides.ts').first()).toBeVisible();
  await picture(page, 'library');

  await openPlace(page, 'Documents');
  await tryIt.click();
  // Both were read; whose numbers these are nobody can be asked.
  await expect(main.getByRole('row', { name: /^scan0017\.pdf/ })).toContainText('10.5555/harbour.2024.17');
  await expect(main.getByRole('row', { name: /^almanac\.txt/ })).toContainText('9783161484100');
  await picture(page, 'documents');

  await openPlace(page, 'Guide');
  await tryIt.click();
  await expect(page.getByText(/harbour-tv\.xml: 10 programmes/)).toBeVisible();
  await expect(main).not.toContainText('Looking...');
  await picture(page, 'guide');

  await openPlace(page, 'Playbooks');
  await page.getByRole('button', { name: /^Try it/ }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('These answers were recorded: no model was asked.')).toBeVisible();
  await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible();
  await picture(page, 'playbooks');
});
