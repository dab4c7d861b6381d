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

test('without the server results wait and are said to, the app starts with them and its shows, a decision is taken back, and all of it is published when it is back (SHOW-9, SW-1, SW-2)', async ({
  app,
  api,
  server,
  page,
}) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'flac', tagged: true });
  const names = namesOf(files);
  const [first, ...others] = names;
  if (!first) throw new Error('no file');
  await api.post('/v1/catalog/import', { shows: [ANCHOR_STREET] });
  await app.waitForReplica();
  await app.waitForOfflineStart();
  const show = page.getByRole('link', { name: ANCHOR_STREET.title });
  await page.goto(`${server.origin}/catalog/shows`);
  await expect(show).toBeVisible();
  await page.goto(server.origin);
  await server.stop();

  // All of the work is done without it.
  await app.addFiles([await zipOf('short_waves.zip', files)]);
  await app.waitForOutbox(names);
  for (const name of names) await expect(app.jobRow(name)).toContainText('Waiting to publish');
  await expect(app.syncStatus).toContainText('4 results wait');

  // The app starts without it, with what waits.
  await page.goto('about:blank');
  await page.goto(server.origin);
  await expect(app.syncStatus).toContainText('4 results wait');
  await app.waitForOutbox(names);
  await page.goto(`${server.origin}/review`);
  await expect(page.getByRole('main')).toBeVisible();
  await page.goto(`${server.origin}/catalog/shows`);
  await page.getByRole('searchbox').fill('ankerstrase');
  await show.click();
  await expect(page.getByLabel('Title, Season 1, row 2')).toHaveValue('Low Tide');
  await page.goto(server.origin);

  // A decision is taken back while its result waits.
  await app.press(first, 'Undo decision:');
  await app.waitForStatus(first, 'AWAITING_REVIEW');
  await expect(app.syncStatus).toContainText('3 results wait');

  await server.start();
  await app.waitForPublished(others);
  await expect(app.syncStatus).not.toContainText('results wait');
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(3);

  // And made again.
  await app.answer(first, SHORT_WAVES.tracks[0]?.title ?? '');
  await app.waitForPublished([first]);
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);
  for (const track of SHORT_WAVES.tracks) await expectServed(api, SHORT_WAVES, track, track.duration_ms ?? 0);
});
