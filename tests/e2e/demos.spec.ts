/**
 * Each lane is tried with one press, without a network. `ACCESSION_PICTURES=docs/pictures npm test e2e demos` makes the
 * pictures of the README.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openPlace } from './support/places.ts';
import { expect, test } from './support/test.ts';

test.use({ viewport: { width: 1280, height: 800 } });

const picture = (page: Page, name: string) =>
  page.screenshot({
    path: join(process.env['ACCESSION_PICTURES'] ?? test.info().outputDir, `${name}.png`),
    animations: 'disabled',
  });

test('UI-367, VIDEO-141 video, library, documents, guide and playbooks are tried with one press each, without the server', async ({
  app,
  server,
  page,
}) => {
  await app.waitForReplica();
  await app.waitForOfflineStart();
  await server.stop();
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
  await main.getByRole('searchbox').first().fill('height of the tide');
  await expect(main.getByText('tides.ts').first()).toBeVisible();
  await picture(page, 'library');

  await openPlace(page, 'Documents');
  await tryIt.click();
  await expect(main.getByText('Reading Tide Poles by Lamp Light').first()).toBeVisible();
  await picture(page, 'documents');

  await openPlace(page, 'Guide');
  await tryIt.click();
  await expect(page.getByText(/harbour-tv\.xml: 10 programmes/)).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await picture(page, 'guide');

  await openPlace(page, 'Playbooks');
  await page.getByRole('button', { name: /^Try it/ }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('These answers were recorded: no model was asked.')).toBeVisible();
  await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible();
  await picture(page, 'playbooks');
});
