import { PAPER_LANTERNS, SHORT_WAVES } from './catalog.ts';
import { albumFiles, namesOf, zipOf } from './support/album-files.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('use case 1: a ZIP of 12 MP3 for a pending request is approved, published and fulfils the request, whose mode goes to no other (UI-297)', async ({
  app,
  api,
  page,
}) => {
  const files = await albumFiles(PAPER_LANTERNS, { format: 'mp3' });
  const request = await api.requestAlbum(PAPER_LANTERNS.id);
  await api.requestAlbum(SHORT_WAVES.id);

  await app.fulfil(PAPER_LANTERNS.title);
  await app.addFiles([await zipOf('paper_lanterns.zip', files)]);
  await app.waitForPublished(namesOf(files));

  await expect(app.region('Review queue').getByRole('article')).toHaveCount(0);
  expect(await api.available(PAPER_LANTERNS.id)).toHaveLength(12);
  expect(await api.requestStatus(request)).toBe('fulfilled');
  await expect(page.getByLabel('Spontaneous upload')).toBeChecked();
  await expect(page.getByLabel('Fulfill a download request')).toBeEnabled();
  for (const track of PAPER_LANTERNS.tracks) await expectServed(api, PAPER_LANTERNS, track, track.duration_ms ?? 0);
});
