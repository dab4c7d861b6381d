import { SHORT_WAVES } from './catalog.ts';
import { albumFiles, namesOf, zipOf } from './support/album-files.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, test } from './support/test.ts';

const ANCHOR_STREET = {
  id: 'sh_anchor',
  title: 'Anchor Street',
  titles: ['Ankerstraße'],
  seasons: [{ number: 1, episodes: [{ number: 1 }, { number: 2, title: 'Low Tide' }] }],
};

test('with the server stopped during all of a job the results wait, are said to, and are published when it is back', async ({
  app,
  api,
  server,
}) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'flac', tagged: true });
  await app.waitForReplica();
  await app.waitForOfflineStart();
  await server.stop();

  await app.addFiles([await zipOf('short_waves.zip', files)]);
  await app.waitForOutbox(namesOf(files));
  for (const name of namesOf(files)) await expect(app.jobRow(name)).toContainText('Waiting to publish');
  await expect(app.syncStatus).toContainText('4 results wait');

  await server.start();
  await app.waitForPublished(namesOf(files));
  await expect(app.syncStatus).not.toContainText('results wait');
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);
  for (const track of SHORT_WAVES.tracks) await expectServed(api, SHORT_WAVES, track, track.duration_ms ?? 0);
});

test('the app starts without the server, with what waits and with its shows (SHOW-9, SW-1, SW-2)', async ({
  app,
  api,
  server,
  page,
}) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'mp3', tagged: true });
  await api.post('/v1/catalog/import', { shows: [ANCHOR_STREET] });
  await app.waitForReplica();
  await app.waitForOfflineStart();
  const show = page.getByRole('link', { name: ANCHOR_STREET.title });
  await page.goto(`${server.origin}/catalog/shows`);
  await expect(show).toBeVisible();
  await page.goto(server.origin);
  await server.stop();
  await app.addFiles(files);
  await app.waitForOutbox(namesOf(files));

  await page.goto('about:blank');
  await page.goto(server.origin);
  await expect(app.syncStatus).toContainText('4 results wait');
  await app.waitForOutbox(namesOf(files));
  await page.goto(`${server.origin}/review`);
  await expect(page.getByRole('main')).toBeVisible();
  await page.goto(`${server.origin}/catalog/shows`);
  await page.getByRole('searchbox').fill('ankerstrase');
  await show.click();
  await expect(page.getByLabel('Title, Season 1, row 2')).toHaveValue('Low Tide');
  await page.goto(server.origin);

  await server.start();
  await app.waitForPublished(namesOf(files));
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);
});
