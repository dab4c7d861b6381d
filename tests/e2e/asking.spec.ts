import { readFile } from 'node:fs/promises';
import { BlobReader, ZipReader } from '@zip.js/zip.js';
import { makeAudio } from '../fixtures/audio.ts';
import { AMBIGUOUS_SECONDS, DRY_SEASON } from './catalog.ts';
import { namesOf } from './support/album-files.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('UI-226 UI-227 UI-264 UI-267 of ten files one is taken out of the answer and asked about by itself, with two presses', async ({
  app,
  page,
  api,
}) => {
  const files = await Promise.all(
    AMBIGUOUS_SECONDS.map(async (seconds, index) => ({
      name: `track${String(index + 1).padStart(2, '0')}.mp3`,
      bytes: await makeAudio({ format: 'mp3-vbr', seconds, seed: index + 1 }),
    })),
  );
  const [odd = ''] = namesOf(files).slice(2);
  await app.addFiles(files);
  await app.waitForStatus(odd, 'AWAITING_REVIEW');
  await page
    .getByRole('button', { name: /^Cancel / })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 10 files' }).click();
  await app.waitForStatus(odd, 'FAILED');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.locator('[data-status="FAILED"]')).toHaveCount(0);
  await app.waitForStatus(odd, 'AWAITING_REVIEW');
  await page.getByRole('link', { name: 'Review all' }).click();
  const question = page.getByRole('article');
  await expect(question).toContainText('10 files');
  await question.getByRole('checkbox', { name: `Take ${odd} with the others` }).uncheck();
  await expect(question.getByRole('button', { name: DRY_SEASON.title, exact: true })).toBeVisible();
  await question
    .locator('.option', { hasText: DRY_SEASON.title })
    .filter({ hasText: 'Accept 9, ask about 1' })
    .getByRole('button', { name: DRY_SEASON.title })
    .click();
  await expect(question).toContainText(odd);
  await expect(question.getByRole('checkbox')).toHaveCount(0);
  const third = DRY_SEASON.tracks[2]?.title ?? '';
  await question.getByRole('button', { name: third, exact: true }).click();
  await page.getByRole('link', { name: 'Ingest' }).first().click();
  await app.waitForPublished(namesOf(files));
  await expect(app.region('History')).toContainText('10 files: 10 published');
  expect(await api.available(DRY_SEASON.id)).toHaveLength(10);
  const saved = page.waitForEvent('download');
  await app
    .region('History')
    .getByRole('button', { name: /^Download 10 results/ })
    .click();
  const zip = new ZipReader(new BlobReader(new Blob([await readFile(await (await saved).path())])));
  expect((await zip.getEntries()).map(({ filename }) => filename)).toContain(
    `${DRY_SEASON.artist} - ${DRY_SEASON.title}/03 ${third}.ogg`,
  );
});
