import { SHORT_WAVES } from './catalog.ts';
import { albumFiles, namesOf, zipOf } from './support/album-files.ts';
import { CONVERSION_MS } from './support/app.ts';
import { expect, test } from './support/test.ts';

test('the same ZIP dropped twice: the second is recognised and nothing is published twice', async ({ app, api }) => {
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
});

test('a file twice in one drop is taken once', async ({ app, api }) => {
  const [first] = await albumFiles(SHORT_WAVES, { format: 'mp3', tagged: true });
  if (!first) throw new Error('no file');
  const copy = { ...first, name: 'copy of it.mp3' };
  await app.addFiles([first, copy]);
  await app.waitForStatus(first.name, 'COMPLETED');
  await app.waitForStatus(copy.name, 'COMPLETED');
  await expect(app.page.locator('[data-duplicate-of]')).toHaveCount(1);
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(1);
});
