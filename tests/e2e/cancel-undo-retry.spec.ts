import { SHORT_WAVES } from './catalog.ts';
import { albumFiles, namesOf } from './support/album-files.ts';
import { expect, test } from './support/test.ts';

test('UI-114 a cancelled job is FAILED with "cancelled" and is taken up again by Retry', async ({ app, api }) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'mp3', name: () => 'unknown' });
  const [nameless] = files;
  if (!nameless) throw new Error('no file');
  await app.addFiles([nameless]);
  await app.waitForStatus('unknown.mp3', 'AWAITING_REVIEW');
  await app.press('unknown.mp3', 'Cancel');
  await app.waitForStatus('unknown.mp3', 'FAILED');
  await expect(app.jobRow('unknown.mp3')).toContainText('cancelled', { ignoreCase: true });
  await expect(app.region('Review queue').getByRole('article')).toHaveCount(0);

  await app.press('unknown.mp3', 'Retry');
  await expect(app.jobRow('unknown.mp3')).not.toHaveAttribute('data-status', 'FAILED');
  await app.waitForStatus('unknown.mp3', 'AWAITING_REVIEW');
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(0);
});

test('a decision is taken back while its result waits, and made again', async ({ app, api, server }) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'mp3', tagged: true });
  const [first, ...others] = namesOf(files);
  if (!first) throw new Error('no file');
  await app.waitForReplica();
  await app.waitForOfflineStart();
  await server.stop();
  await app.addFiles(files);
  await app.waitForOutbox(namesOf(files));

  await app.press(first, 'Undo decision:');
  await app.waitForStatus(first, 'AWAITING_REVIEW');
  await expect(app.syncStatus).toContainText('3 results wait');

  await server.start();
  await app.waitForPublished(others);
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(3);
  await app.answer(first, SHORT_WAVES.tracks[0]?.title ?? '');
  await app.waitForPublished([first]);
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);
});
