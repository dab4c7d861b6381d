import { NINE_CRATES, SHORT_WAVES } from './catalog.ts';
import { albumFiles, namesOf, trackFile, zipOf } from './support/album-files.ts';
import { CONVERSION_MS } from './support/app.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('the same ZIP dropped twice is recognised and nothing is published twice, a file twice in one drop is taken once, and another one for its track is heard beside it (UI-50)', async ({
  app,
  api,
}) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'mp3', tagged: true });
  const zip = await zipOf('short_waves.zip', files);
  await app.addFiles([zip]);
  await app.waitForPublished(namesOf(files));
  await app.addFiles([zip]);

  for (const { name } of files) {
    const rows = app.jobRow(name);
    await expect(rows).toHaveCount(2, { timeout: CONVERSION_MS });
    const duplicate = app.page.locator('[data-duplicate-of]').and(rows);
    await expect(duplicate).toHaveCount(1);
    await expect(duplicate).toHaveAttribute('data-status', 'COMPLETED');
    await expect(rows.and(app.page.locator('[data-sync="published"]'))).toHaveCount(1);
  }
  await expect(app.region('Review queue').getByRole('article')).toHaveCount(0);
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);

  const [larch] = NINE_CRATES.tracks;
  if (!larch) throw new Error('the album changed');
  const first = await trackFile(NINE_CRATES, larch, { format: 'mp3', tagged: true });
  const copy = { ...first, name: 'copy of it.mp3' };
  await app.addFiles([first, copy]);
  await app.waitForStatus(first.name, 'COMPLETED');
  await app.waitForStatus(copy.name, 'COMPLETED');
  await expect(app.page.locator('[data-duplicate-of]')).toHaveCount(files.length + 1);
  expect(await api.available(NINE_CRATES.id)).toHaveLength(1);

  // UI-50: another file for the same track is heard beside what the catalog has, before anything is decided.
  const better = await trackFile(NINE_CRATES, larch, { format: 'flac', tagged: true });
  await app.addFiles([better]);
  const question = app.review('has audio in the catalog already');
  await question.getByRole('button', { name: 'Compare' }).click();
  await question.getByRole('button', { name: `Listen to ${better.name}` }).click();
  const dock = app.page.getByRole('region', { name: 'Listen', exact: true });
  const position = dock.getByRole('slider', { name: 'Position' });
  await expect(position).not.toHaveAttribute('aria-valuenow', '0');
  await position.press('x');
  await expect(dock.getByRole('button', { name: 'In the catalog' })).toHaveAttribute('aria-pressed', 'true');
  await position.press(' ');
  await position.press('Home');
  await position.press('ArrowRight');
  await expect(position).toHaveAttribute('aria-valuetext', /^0:05 of 0:\d\d$/);
  await dock.getByRole('button', { name: 'Load the waveform' }).click();
  await expect(dock.getByRole('button', { name: 'Load the waveform' })).toHaveCount(0);
  await expect(dock.getByText('No waveform')).toHaveCount(0);
  await question.getByRole('button', { name: /^Keep/ }).click();
  await expect(dock).toHaveCount(0);
});
