import { SHORT_WAVES } from './catalog.ts';
import { albumFiles, namesOf, zipOf } from './support/album-files.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, test } from './support/test.ts';

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

test('the app starts without the server, with what waits', async ({ app, api, server, page }) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'mp3', tagged: true });
  await app.waitForReplica();
  await app.waitForOfflineStart();
  await server.stop();
  await app.addFiles(files);
  await app.waitForOutbox(namesOf(files));

  await page.goto('about:blank');
  await page.goto(server.origin);
  await expect(app.syncStatus).toContainText('4 results wait');
  await app.waitForOutbox(namesOf(files));
  await page.goto(`${server.origin}/review`);
  await expect(page.getByRole('main')).toBeVisible();
  await page.goto(server.origin);

  await server.start();
  await app.waitForPublished(namesOf(files));
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);
});
