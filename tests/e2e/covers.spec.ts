/** Covers: yours beside the catalog's in a question, chosen, replaced by a picture of one's own, and had back. */
import { parseBuffer } from 'music-metadata';
import { makeAudio } from '../fixtures/audio.ts';
import { makeCover } from '../fixtures/cover.ts';
import { AMBIGUOUS_SECONDS, DRY_SEASON, SIGNAL_FIRES } from './catalog.ts';
import { namesOf } from './support/album-files.ts';
import { CONVERSION_MS } from './support/app.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const [RED, BLUE, GREEN] = [makeCover(1, 32), makeCover(2, 48), makeCover(3, 64)];
const asFile = (name: string, { bytes, mime }: typeof RED) => ({ name, mimeType: mime, buffer: Buffer.from(bytes) });

test('UI-360, JOB-80, API-188 a question shows your covers and those of its albums; the one that is chosen, or one’s own picture, goes into what is published', async ({
  app,
  api,
  page,
}) => {
  await api.put(`/v1/catalog/albums/${SIGNAL_FIRES.id}/cover`, BLUE.bytes, BLUE.mime);
  const files = await Promise.all(
    AMBIGUOUS_SECONDS.map(async (seconds, at) => ({
      name: `track${String(at + 1).padStart(2, '0')}.mp3`,
      bytes: await makeAudio({ format: 'mp3-vbr', seconds, seed: at + 1, ...(at < 9 ? { cover: RED } : {}) }),
    })),
  );
  await app.addFiles(files);
  for (const name of namesOf(files)) await app.waitForStatus(name, 'AWAITING_REVIEW');
  await page.getByRole('link', { name: 'Review all' }).click();
  const covers = page.getByRole('group', { name: 'Cover of what is published' });
  await expect(covers.getByRole('radio', { name: 'As in your files' })).toBeChecked();
  await expect(covers).toContainText('in 9 of 10 files');
  await expect(covers.getByRole('img', { name: 'Cover: As in your files' })).toHaveJSProperty('naturalWidth', 32);
  await expect(covers).toContainText('no cover in the catalog');
  const catalogs = covers.getByRole('radio', { name: SIGNAL_FIRES.title });
  await expect(covers.getByRole('img', { name: `Cover: ${SIGNAL_FIRES.title}` })).toHaveJSProperty('naturalWidth', 48);
  await page.screenshot({ path: test.info().outputPath('covers.png'), fullPage: true });

  await catalogs.check();
  await expect(covers).toContainText('Goes into the published files');
  await page.reload();
  await expect(covers.getByRole('radio', { checked: true })).toHaveCount(1);
  await expect(covers.getByRole('radio', { name: 'As in your files' })).not.toBeChecked();
  await covers.locator('input[type=file]').setInputFiles(asFile('mine.png', GREEN));
  await expect(covers.getByRole('radio', { name: 'mine.png' })).toBeChecked();
  // Nothing is lost: the file's own is had back, and the other stays to be chosen.
  await covers.getByRole('radio', { name: 'As in your files' }).check();
  await expect(covers.getByText('Goes into the published files')).toHaveCount(0);
  await covers.locator('input[type=file]').setInputFiles(asFile('notes.png', { ...RED, bytes: new Uint8Array([1]) }));
  await expect(page.getByText('"notes.png" is not a JPEG, PNG, GIF or WebP picture.')).toBeVisible();
  await covers.locator('input[type=file]').setInputFiles(asFile('mine.png', GREEN));
  await expect(covers.getByRole('radio', { name: 'mine.png' })).toBeChecked();

  await page.getByRole('button', { name: DRY_SEASON.title, exact: true }).click();
  await page.getByRole('link', { name: 'Ingest' }).first().click();
  await app.waitForPublished(namesOf(files));
  for (const { id } of DRY_SEASON.tracks) {
    const bytes = await api.bytes(`/v1/catalog/tracks/${id}/audio`);
    const { common } = await parseBuffer(bytes, { mimeType: 'audio/ogg', size: bytes.length });
    expect(Buffer.from(common.picture?.[0]?.data ?? []).equals(GREEN.bytes)).toBe(true);
  }
  // The album had none: it has that of what was published.
  await page.goto(new URL(`/catalog/albums/${DRY_SEASON.id}`, page.url()).href);
  await expect(page.getByRole('img', { name: `Cover of ${DRY_SEASON.title}` })).toHaveJSProperty('naturalWidth', 64);
});

test('UI-368, API-187 on an album’s page its cover is replaced by a picture, undone, and an earlier one had back', async ({
  app,
  api,
  page,
}) => {
  void app;
  await api.put(`/v1/catalog/albums/${DRY_SEASON.id}/cover`, RED.bytes, RED.mime);
  await app.waitForReplica();
  await page.goto(new URL(`/catalog/albums/${DRY_SEASON.id}`, page.url()).href);
  const cover = page.getByRole('img', { name: `Cover of ${DRY_SEASON.title}`, exact: true });
  await expect(cover).toHaveJSProperty('naturalWidth', 32);
  const section = page.getByRole('region', { name: 'Cover', exact: true });
  await section.locator('input[type=file]').setInputFiles(asFile('blue.png', BLUE));
  await expect(cover).toHaveJSProperty('naturalWidth', 48);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(cover).toHaveJSProperty('naturalWidth', 32);
  await section.getByRole('button', { name: 'Remove cover' }).click();
  await expect(cover).toHaveCount(0);
  await section.getByRole('button', { name: 'Earlier covers (2)' }).click();
  const earlier = section.getByRole('listitem');
  await expect(earlier).toHaveCount(2);
  await page.screenshot({ path: test.info().outputPath('earlier.png') });
  await earlier.filter({ hasText: '48 × 48' }).getByRole('button', { name: 'Use this one' }).click();
  await expect(cover).toHaveJSProperty('naturalWidth', 48);
  await expect(page.getByRole('status', { name: 'Publishing' })).toBeVisible({ timeout: CONVERSION_MS });
});
