import { TIN_WEATHER } from './catalog.ts';
import { albumFiles, namesOf } from './support/album-files.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('UI-342 two drops of one album that is not in the catalog are one question, and one entry has the tracks of both', async ({
  app,
  page,
  api,
}) => {
  const files = await albumFiles(TIN_WEATHER, { format: 'mp3', tagged: true });
  const names = namesOf(files);
  await app.addFiles(files.slice(0, 4));
  await app.waitForStatus(names[0] ?? '', 'AWAITING_REVIEW');
  await app.addFiles(files.slice(4));
  await app.waitForStatus(names[7] ?? '', 'AWAITING_REVIEW');
  const questions = app.region('Review queue').getByRole('article');
  await expect(questions).toHaveCount(1);
  await expect(questions).toContainText('(8 tracks, of several drops)');
  // Taken back as one.
  await questions.getByRole('button', { name: 'None of these' }).click();
  await expect(questions).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(questions).toContainText('(8 tracks, of several drops)');
  await questions.getByRole('button', { name: 'Create catalog entry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await app.waitForPublished(names);
  const { albums } = await api.get<{ albums: { id: string; title: string }[] }>('/v1/catalog/search?q=tin%20weather');
  const made = albums.filter(({ title }) => title === TIN_WEATHER.title);
  expect(made).toHaveLength(1);
  expect(await api.available(made[0]?.id ?? '')).toHaveLength(8);
});
