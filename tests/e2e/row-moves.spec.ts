/** Rows of a question that are dragged to another candidate, and to another question. */
import { makeAudio } from '../fixtures/audio.ts';
import { AMBIGUOUS_SECONDS, DRY_SEASON, NINE_CRATES, SIGNAL_FIRES } from './catalog.ts';
import { albumFiles, namesOf } from './support/album-files.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('UI-362, UI-363 a row is dragged to another candidate’s track and to another question’s album; by keyboard it is given there, too', async ({
  app,
  page,
}) => {
  const ambiguous = await Promise.all(
    AMBIGUOUS_SECONDS.map(async (seconds, at) => ({
      name: `track${String(at + 1).padStart(2, '0')}.mp3`,
      bytes: await makeAudio({ format: 'mp3-vbr', seconds, seed: at + 1 }),
    })),
  );
  // An album of other lengths throughout is asked about by itself; one of its tracks is as long as one file of the first.
  const live = await albumFiles(
    {
      ...NINE_CRATES,
      title: 'Nine Crates (Live)',
      tracks: NINE_CRATES.tracks
        .slice(0, 6)
        .map((track) => ({ ...track, duration_ms: (track.duration_ms ?? 0) + 21_000 })),
    },
    { format: 'mp3', tagged: true },
  );
  await app.addFiles(ambiguous);
  for (const name of namesOf(ambiguous)) await app.waitForStatus(name, 'AWAITING_REVIEW');
  await app.addFiles(live);
  for (const name of namesOf(live)) await app.waitForStatus(name, 'AWAITING_REVIEW');

  // Both questions are in sight: nothing scrolls while a row is dragged.
  await page.setViewportSize({ width: 1280, height: 2200 });
  const first = app.review('10 files');
  const other = app.review(NINE_CRATES.title);
  await first.getByRole('button', { name: 'Compare' }).click();
  const [one = '', two = '', three = ''] = namesOf(ambiguous);
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

  await cell(three, DRY_SEASON.title).dragTo(other);
  await expect(
    page.getByText(new RegExp(`“${three}” (is “.*” of|fits no free track of) “${NINE_CRATES.title}`)),
  ).toBeVisible();
  await expect(row(three)).toContainText(/You decided|Asked about by itself/);

  // By keyboard: the row is taken out, and given to the other question.
  await first.getByRole('checkbox', { name: `Take ${one} with the others` }).focus();
  await page.keyboard.press('Space');
  await first
    .getByRole('combobox', { name: 'Give them to another question' })
    .selectOption({ label: NINE_CRATES.title });
  await expect(
    page.getByText(new RegExp(`“${one}” (is “.*” of|fits no free track of) “${NINE_CRATES.title}`)),
  ).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('moved.png'), fullPage: true });
});
