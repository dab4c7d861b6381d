/** Rows of a question that are dragged to another candidate. */
import { makeAudio } from '../fixtures/audio.ts';
import { AMBIGUOUS_SECONDS, DRY_SEASON, SIGNAL_FIRES } from './catalog.ts';
import { namesOf } from './support/album-files.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('UI-362 a row is dragged to another candidate’s track, and says of which album it is', async ({ app, page }) => {
  const ambiguous = await Promise.all(
    AMBIGUOUS_SECONDS.map(async (seconds, at) => ({
      name: `track${String(at + 1).padStart(2, '0')}.mp3`,
      bytes: await makeAudio({ format: 'mp3-vbr', seconds, seed: at + 1 }),
    })),
  );
  await app.addFiles(ambiguous);
  for (const name of namesOf(ambiguous)) await app.waitForStatus(name, 'AWAITING_REVIEW');
  // All rows are in sight: nothing scrolls while one is dragged.
  await page.setViewportSize({ width: 1280, height: 2200 });
  const first = app.review('10 files');
  await first.getByRole('button', { name: 'Compare' }).click();
  const [one = '', two = ''] = namesOf(ambiguous);
  const row = (name: string) => first.getByRole('row').filter({ hasText: name });
  // The columns stand in the order of the options.
  const titles = await first.getByRole('columnheader').allTextContents();
  const columnOf = (title: string): number => titles.findIndex((text) => text.includes(title)) - 1;
  const cell = (name: string, album: string) => row(name).getByRole('cell').nth(columnOf(album));
  const [onFires] = SIGNAL_FIRES.tracks;

  await cell(two, DRY_SEASON.title).dragTo(cell(one, SIGNAL_FIRES.title));
  await expect(cell(two, DRY_SEASON.title)).toContainText(onFires?.title ?? '-');
  await expect(cell(two, DRY_SEASON.title)).toContainText(`of ${SIGNAL_FIRES.title}`);
  await expect(cell(two, DRY_SEASON.title)).toContainText('You decided');

  await page.screenshot({ path: test.info().outputPath('moved.png'), fullPage: true });
});
