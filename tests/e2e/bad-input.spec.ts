import { FAILURES, type FailureCode } from '#core/errors.ts';
import { cutFile, makeGarbage, makeZip } from '../fixtures/audio.ts';
import { SHORT_WAVES } from './catalog.ts';
import { albumFiles, namesOf } from './support/album-files.ts';
import type { App, TestFile } from './support/app.ts';
import { protectedZip, withEntryName, withWrongCrc } from './support/broken-files.ts';
import { expect, test } from './support/test.ts';

/** A FAILED row that says which file, why, and what to do. */
async function expectFailed(app: App, name: string | RegExp, code: FailureCode): Promise<void> {
  const row = app.page.getByRole('listitem', { name, exact: true });
  await expect(row).toHaveAttribute('data-status', 'FAILED', { timeout: 60_000 });
  await expect(row).toContainText(FAILURES[code].remedy);
}

async function fourTracks(): Promise<[TestFile, TestFile, TestFile, TestFile]> {
  const [one, two, three, four] = await albumFiles(SHORT_WAVES, { format: 'mp3', tagged: true });
  if (!one || !two || !three || !four) throw new Error('the album changed');
  return [one, two, three, four];
}

test('a truncated archive is one FAILED row, and what was dropped beside it goes on', async ({ app, api }) => {
  const [one, two] = await fourTracks();
  const zip = await makeZip({ [one.name]: one.bytes });
  await app.addFiles([{ name: 'half.zip', bytes: cutFile(zip, 0.6) }, two]);
  await expectFailed(app, 'half.zip', 'archive_truncated');
  await app.waitForPublished([two.name]);
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(1);
});

test('a wrong CRC and an entry named ../../x fail by themselves; a protected archive asks for its password; the rest is published', async ({
  app,
  api,
}) => {
  const [one, two, three, four] = await fourTracks();
  const harmless = 'aaaaaax.mp3';
  let zip = await makeZip({
    [one.name]: one.bytes,
    [harmless]: three.bytes,
    [four.name]: four.bytes,
  });
  zip = withWrongCrc(zip, one.name);
  zip = withEntryName(zip, harmless, '../../x.mp3');
  const locked = await protectedZip(two.name, two.bytes, 'a good one');
  await app.addFiles([
    { name: 'mixed.zip', bytes: zip },
    { name: 'locked.zip', bytes: locked },
  ]);

  await expectFailed(app, one.name, 'archive_entry_crc');
  await expectFailed(app, two.name, 'archive_encrypted');
  await expectFailed(app, /x\.mp3$/, 'archive_unsafe_name');
  const password = app.page.getByLabel('Password of locked.zip');
  await password.fill('a bad one');
  await password.press('Enter');
  await expect(app.page.getByText('This password does not open "locked.zip".')).toBeVisible();
  await password.fill('a good one');
  await password.press('Enter');
  await expect(password).toBeHidden();
  // It says FAILED until the entry was read again.
  await expect(app.jobRow(two.name)).not.toHaveAttribute('data-status', 'FAILED');
  await app.waitForPublished([two.name, four.name]);
  const published = [SHORT_WAVES.tracks[1]?.id, SHORT_WAVES.tracks[3]?.id];
  expect((await api.available(SHORT_WAVES.id)).toSorted()).toEqual(published.toSorted());
});

test('a mislabelled, an empty, a cut and a foreign file fail by themselves; the good one is published', async ({
  app,
  api,
}) => {
  const [one, two] = await fourTracks();
  const spreadsheet = await makeZip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' });
  await app.addFiles([
    one,
    { name: 'really text.flac', bytes: new TextEncoder().encode('This was never music. '.repeat(200)) },
    { name: 'nothing.mp3', bytes: new Uint8Array() },
    { name: 'cut.mp3', bytes: cutFile(two.bytes, 0.5) },
    { name: 'budget.xlsx', bytes: spreadsheet },
    { name: 'noise.bin', bytes: makeGarbage(5000) },
  ]);
  await expectFailed(app, 'really text.flac', 'file_mislabelled');
  await expectFailed(app, 'nothing.mp3', 'file_empty');
  await expectFailed(app, 'cut.mp3', 'file_damaged');
  await expectFailed(app, 'budget.xlsx', 'file_unsupported');
  await expectFailed(app, 'noise.bin', 'file_unsupported');
  await app.waitForPublished(namesOf([one]));
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(1);
});

test('a refused token is said plainly, nothing is lost, and the right link, opened in the same tab, publishes', async ({
  page,
  app,
  server,
  api,
}) => {
  const [one] = await fourTracks();
  await app.waitForReplica();
  // A link with such a token would be refused (AUTH-39); a person may paste one.
  await page.goto(`${server.origin}/settings`);
  await page.getByLabel('Token', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('refuses the token')).toBeVisible();
  await page.goto(server.origin);
  await expect(app.syncStatus).toContainText('Not signed in', { timeout: 60_000 });
  await app.addFiles([one]);
  await app.waitForOutbox([one.name]);
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(0);

  await page.goto(server.signInLink);
  await app.waitForPublished([one.name]);
});
