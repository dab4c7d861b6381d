import { TIN_WEATHER } from './catalog.ts';
import { albumFiles, namesOf, zipOf } from './support/album-files.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

interface Hits {
  albums: { id: string; title: string }[];
}

test('use case 4: an album that is not in the catalog is created in the editor and then published (UI-113, UI-228)', async ({
  app,
  api,
  page,
}) => {
  const files = await albumFiles(TIN_WEATHER, { format: 'm4a', tagged: true });
  await app.addFiles([await zipOf('tin_weather.zip', files)]);

  const question = app.review('Could not find matching album in catalog.');
  await expect(question).toContainText(`Detected: '${TIN_WEATHER.title}' by '${TIN_WEATHER.artist}' (8 tracks).`, {
    timeout: 180_000,
  });
  await expect(question).toContainText('Would you like to create a new catalog entry?');
  for (const way of ['Create catalog entry', 'Find in catalog', 'Discard files'])
    await expect(question.getByRole('button', { name: way })).toBeVisible();
  // UI-113: which files it is about, each to be heard before they are entered.
  await question.getByRole('button', { name: 'Show files' }).click();
  await expect(question.getByRole('row')).toHaveCount(1 + TIN_WEATHER.tracks.length);
  for (const { title } of TIN_WEATHER.tracks) await expect(question.getByRole('cell', { name: title })).toBeVisible();
  await expect(question.getByRole('button', { name: /^Listen to/ })).toHaveCount(TIN_WEATHER.tracks.length);
  await question.getByRole('button', { name: 'Create catalog entry' }).click();

  const editor = page.getByRole('dialog');
  await expect(editor.getByLabel('Album title')).toHaveValue(TIN_WEATHER.title);
  await expect(editor.getByLabel('Album artist')).toHaveValue(TIN_WEATHER.artist);
  await editor.getByRole('button', { name: 'Save' }).click();

  await app.waitForPublished(namesOf(files));
  const { albums } = await api.get<Hits>(`/v1/catalog/search?q=${encodeURIComponent(TIN_WEATHER.title)}`);
  const created = await api.album(albums.find((album) => album.title === TIN_WEATHER.title)?.id ?? 'nothing found');
  expect(created.tracks.map((track) => [track.position, track.title, track.availability])).toEqual(
    TIN_WEATHER.tracks.map((track) => [track.position, track.title, 'available']),
  );
  for (const [index, track] of created.tracks.entries()) {
    await expectServed(api, TIN_WEATHER, track, TIN_WEATHER.tracks[index]?.duration_ms ?? 0);
  }
});

test('UI-269 an album that came into the catalog since it was asked about is opened, with what it lacks', async ({
  app,
  api,
  page,
}) => {
  const files = await albumFiles(TIN_WEATHER, { format: 'm4a', tagged: true });
  await app.addFiles([await zipOf('tin_weather.zip', files)]);
  const question = app.review('Could not find matching album in catalog.');
  // All of it is taken in: what comes after the answer would be a question of its own.
  await expect(question).toContainText(`(${files.length} tracks)`, { timeout: 180_000 });
  // Somebody else made it, as far as they had it.
  const { title, year, artist } = TIN_WEATHER;
  const album = { id: 'tin-weather', title, year, artist, artist_id: 'gale' };
  const tracks = TIN_WEATHER.tracks.slice(0, 2).map(({ availability: _, ...track }) => ({
    ...{ ...track, id: `tin-weather${track.id}`, album_id: album.id, artist_id: album.artist_id },
  }));
  await api.importCatalog({ artists: [{ id: album.artist_id, name: artist }], albums: [album], tracks });
  const editor = page.getByRole('dialog');
  await expect(async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Create catalog entry' }).click();
    await expect(editor).toContainText(`${title} is in the catalog now`, { timeout: 3000 });
  }).toPass({ timeout: 180_000 });
  await editor.getByRole('button', { name: 'Save' }).click();
  await app.waitForPublished(namesOf(files));
  expect(await api.available(album.id)).toHaveLength(TIN_WEATHER.tracks.length);
});
