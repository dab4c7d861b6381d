import { FAILURES, type FailureCode } from '#core/errors.ts';
import { cutFile, makeGarbage, makeZip } from '../fixtures/audio.ts';
import { NINE_CRATES, SHORT_WAVES } from './catalog.ts';
import { albumFiles, trackFile } from './support/album-files.ts';
import type { App } from './support/app.ts';
import { protectedZip, withEntryName, withWrongCrc } from './support/broken-files.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

/** A FAILED row that says which file, why, and what to do. */
async function expectFailed(app: App, name: string | RegExp, code: FailureCode): Promise<void> {
  const row = app.page.getByRole('listitem', { name, exact: true });
  await expect(row).toHaveAttribute('data-status', 'FAILED', { timeout: 180_000 });
  await expect(row).toContainText(FAILURES[code].remedy);
}

test('a truncated, a wrong, a protected and an unsafe archive, a mislabelled, an empty, a cut and a foreign file fail by themselves; a password opens its archive, and the good ones are published', async ({
  app,
  api,
}) => {
  const [one, two, three, four] = await albumFiles(SHORT_WAVES, { format: 'mp3', tagged: true });
  const [larch, walnut, cherry] = await albumFiles(NINE_CRATES, { format: 'mp3', tagged: true });
  if (!one || !two || !three || !four || !larch || !walnut || !cherry) throw new Error('the albums changed');
  const harmless = 'aaaaaax.mp3';
  let mixed = await makeZip({ [one.name]: one.bytes, [harmless]: three.bytes, [four.name]: four.bytes });
  mixed = withWrongCrc(mixed, one.name);
  mixed = withEntryName(mixed, harmless, '../../x.mp3');
  const spreadsheet = await makeZip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' });
  await app.addFiles([
    { name: 'half.zip', bytes: cutFile(await makeZip({ [larch.name]: larch.bytes }), 0.6) },
    { name: 'mixed.zip', bytes: mixed },
    { name: 'locked.zip', bytes: await protectedZip(two.name, two.bytes, 'a good one') },
    { name: 'really text.flac', bytes: new TextEncoder().encode('This was never music. '.repeat(200)) },
    { name: 'nothing.mp3', bytes: new Uint8Array() },
    { name: 'cut.mp3', bytes: cutFile(cherry.bytes, 0.5) },
    { name: 'budget.xlsx', bytes: spreadsheet },
    { name: 'noise.bin', bytes: makeGarbage(5000) },
    walnut,
  ]);

  await expectFailed(app, 'half.zip', 'archive_truncated');
  await expectFailed(app, one.name, 'archive_entry_crc');
  await expectFailed(app, two.name, 'archive_encrypted');
  await expectFailed(app, /x\.mp3$/, 'archive_unsafe_name');
  await expectFailed(app, 'really text.flac', 'file_mislabelled');
  await expectFailed(app, 'nothing.mp3', 'file_empty');
  await expectFailed(app, 'cut.mp3', 'file_damaged');
  await expectFailed(app, 'budget.xlsx', 'file_unsupported');
  await expectFailed(app, 'noise.bin', 'file_unsupported');
  const password = app.page.getByLabel('Password of locked.zip');
  await password.fill('a bad one');
  await password.press('Enter');
  await expect(app.page.getByText('This password does not open "locked.zip".')).toBeVisible();
  await password.fill('a good one');
  await password.press('Enter');
  await expect(password).toBeHidden();
  // It says FAILED until the entry was read again.
  await expect(app.jobRow(two.name)).not.toHaveAttribute('data-status', 'FAILED');
  await app.waitForPublished([two.name, four.name, walnut.name]);
  const published = [SHORT_WAVES.tracks[1]?.id, SHORT_WAVES.tracks[3]?.id];
  expect((await api.available(SHORT_WAVES.id)).toSorted()).toEqual(published.toSorted());
  expect(await api.available(NINE_CRATES.id)).toEqual([NINE_CRATES.tracks[1]?.id]);
});

test('a refused token is said plainly, nothing is lost, and the right link, opened in the same tab, publishes', async ({
  page,
  app,
  server,
  api,
}) => {
  const [track] = SHORT_WAVES.tracks;
  if (!track) throw new Error('the album changed');
  const one = await trackFile(SHORT_WAVES, track, { format: 'mp3', tagged: true });
  await app.waitForReplica();
  // A link with such a token would be refused (AUTH-39); a person may paste one.
  await page.goto(`${server.origin}/settings`);
  await page.getByLabel('Token', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('refuses the token')).toBeVisible();
  await page.goto(server.origin);
  await expect(app.syncStatus).toContainText('Not signed in', { timeout: 180_000 });
  await app.addFiles([one]);
  await app.waitForOutbox([one.name]);
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(0);

  await page.goto(server.signInLink);
  await app.waitForPublished([one.name]);
});
