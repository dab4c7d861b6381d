import { makeAudio } from '../fixtures/audio.ts';
import { AMBIGUOUS_SECONDS, DRY_SEASON, SIGNAL_FIRES } from './catalog.ts';
import { namesOf } from './support/album-files.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('use case 3: track01.mp3 ... whose lengths fit two albums: the album is asked once, then every file finds its track (UI-8)', async ({
  app,
  api,
}) => {
  const files = await Promise.all(
    AMBIGUOUS_SECONDS.map(async (seconds, index) => ({
      name: `track${String(index + 1).padStart(2, '0')}.mp3`,
      bytes: await makeAudio({ format: 'mp3-vbr', seconds, seed: index + 1 }),
    })),
  );

  await app.addFiles(files);
  for (const name of namesOf(files)) await app.waitForStatus(name, 'AWAITING_REVIEW');
  const questions = app.region('Review queue').getByRole('article');
  await expect(questions).toHaveCount(1);
  await expect(questions).toContainText('10 files');
  await expect(questions).toContainText('1:02');
  await expect(questions.getByRole('button', { name: SIGNAL_FIRES.title })).toBeVisible();
  await expect(questions.getByRole('button', { name: DRY_SEASON.title })).toContainText('%');
  await app.answer('10 files', DRY_SEASON.title);

  await app.waitForPublished(namesOf(files));
  await expect(questions).toHaveCount(0);
  expect(await api.available(DRY_SEASON.id)).toHaveLength(10);
  expect(await api.available(SIGNAL_FIRES.id)).toHaveLength(0);
  for (const [index, track] of DRY_SEASON.tracks.entries()) {
    await expectServed(api, DRY_SEASON, track, (AMBIGUOUS_SECONDS[index] ?? 0) * 1000);
  }
});
