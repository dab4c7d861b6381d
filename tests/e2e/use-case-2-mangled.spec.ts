import { WEIR } from './catalog.ts';
import { albumFiles, namesOf } from './support/album-files.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const MANGLED = 'rip_tmp~A4.flac';

test('use case 2: of 17 loose FLACs the one without tags whose length fits two tracks is asked about', async ({
  app,
  api,
}) => {
  // All but "Interlude in Reeds"; what stands for "Tailrace", of the same length, has neither tags nor a name.
  const [mangledTrack, interlude] = [WEIR.tracks.at(-1), WEIR.tracks[8]];
  if (!mangledTrack || !interlude) throw new Error('the album changed');
  const clear = WEIR.tracks.filter((track) => track !== mangledTrack && track !== interlude);
  const files = await albumFiles({ ...WEIR, tracks: clear }, { format: 'flac', tagged: true });
  const [lost] = await albumFiles({ ...WEIR, tracks: [mangledTrack] }, { format: 'flac' });
  if (!lost) throw new Error('no file');

  await app.addFiles([...files, { ...lost, name: MANGLED }]);
  await app.waitForStatus(MANGLED, 'AWAITING_REVIEW');
  const review = app.review(MANGLED);
  await expect(review).toHaveCount(1);
  await expect(review).toContainText('0:12');
  await expect(review.getByRole('button', { name: interlude.title })).toBeVisible();
  await expect(review.getByRole('button', { name: 'None of these' })).toBeVisible();
  await expect(review.getByRole('button', { name: 'Search or enter an ID' })).toBeVisible();
  await app.answer(MANGLED, mangledTrack.title);

  await app.waitForPublished([...namesOf(files), MANGLED]);
  await expect(app.region('Review queue').getByRole('article')).toHaveCount(0);
  const available = await api.available(WEIR.id);
  expect(available).toHaveLength(17);
  expect(available).not.toContain(interlude.id);
  await expectServed(api, WEIR, mangledTrack, mangledTrack.duration_ms ?? 0);
});
