import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { BlobReader, ZipReader } from '@zip.js/zip.js';
import { makeAudio } from '../fixtures/audio.ts';
import {
  AMBIGUOUS_SECONDS,
  DRY_SEASON,
  NINE_CRATES,
  PAPER_LANTERNS,
  SIGNAL_FIRES,
  TIN_WEATHER,
  WEIR,
  type MadeUpAlbum,
} from './catalog.ts';
import { albumFiles, namesOf } from './support/album-files.ts';
import { CONVERSION_MS, type TestFile } from './support/app.ts';
import { dropFolder } from './support/real-folder.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('UI-226 UI-227 UI-338 UI-264 UI-267 of ten files one is taken out of the answer and asked about by itself, with two presses', async ({
  app,
  page,
  api,
}) => {
  const files = await Promise.all(
    AMBIGUOUS_SECONDS.map(async (seconds, index) => ({
      name: `track${String(index + 1).padStart(2, '0')}.mp3`,
      bytes: await makeAudio({ format: 'mp3-vbr', seconds, seed: index + 1 }),
    })),
  );
  const [odd = ''] = namesOf(files).slice(2);
  await app.addFiles(files);
  await app.waitForStatus(odd, 'AWAITING_REVIEW');
  await page
    .getByRole('button', { name: /^Cancel / })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 10 files' }).click();
  await app.waitForStatus(odd, 'FAILED');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.locator('[data-status="FAILED"]')).toHaveCount(0);
  await app.waitForStatus(odd, 'AWAITING_REVIEW');
  await page.getByRole('link', { name: 'Review all' }).click();
  const question = page.getByRole('article');
  await expect(question).toContainText('10 files');
  // UI-338: a range is taken out with Shift, and taken again at once.
  const [from = '', , , to = ''] = namesOf(files);
  await question.getByRole('checkbox', { name: `Take ${from} with the others` }).click();
  await question.getByRole('checkbox', { name: `Take ${to} with the others` }).click({ modifiers: ['Shift'] });
  const out = question.getByRole('group', { name: 'Rows that are not taken' });
  await expect(out).toContainText('4 rows not taken');
  await out.getByRole('button', { name: 'Leave out' }).click();
  await expect(question.getByText('Left out').first()).toBeVisible();
  await out.getByRole('button', { name: 'Take them again' }).click();
  await expect(out).toHaveCount(0);
  await question.getByRole('checkbox', { name: `Take ${odd} with the others` }).uncheck();
  await expect(question.getByRole('button', { name: DRY_SEASON.title, exact: true })).toBeVisible();
  await question
    .locator('.option', { hasText: DRY_SEASON.title })
    .filter({ hasText: 'Accept 9, ask about 1' })
    .getByRole('button', { name: DRY_SEASON.title })
    .click();
  await expect(question).toContainText(odd);
  await expect(question.getByRole('checkbox')).toHaveCount(0);
  const third = DRY_SEASON.tracks[2]?.title ?? '';
  await question.getByRole('button', { name: third, exact: true }).click();
  await page.getByRole('link', { name: 'Ingest' }).first().click();
  await app.waitForPublished(namesOf(files));
  await expect(app.region('History')).toContainText('10 files: 10 published');
  expect(await api.available(DRY_SEASON.id)).toHaveLength(10);
  const saved = page.waitForEvent('download');
  await app
    .region('History')
    .getByRole('button', { name: /^Download 10 results/ })
    .click();
  const zip = new ZipReader(new BlobReader(new Blob([await readFile(await (await saved).path())])));
  expect((await zip.getEntries()).map(({ filename }) => filename)).toContain(
    `${DRY_SEASON.artist} - ${DRY_SEASON.title}/03 ${third}.ogg`,
  );
});

/** What a mouse does, counted. */
function pressing(): { press(target: Locator): Promise<void>; presses(): number } {
  let count = 0;
  return {
    async press(target) {
      count += 1;
      await target.click();
    },
    presses: () => count,
  };
}

test('UI-296, UI-295 54 files of five albums, one of them a remaster, one live, one unknown, one with a wrong file, are settled in eight presses', async ({
  app,
  page,
  api,
}) => {
  const root = join(await mkdtemp(join(tmpdir(), 'accession-54-')), 'New music');
  const put = async (folder: string, files: TestFile[]): Promise<void> => {
    await mkdir(join(root, folder), { recursive: true });
    for (const { name, bytes } of files) await writeFile(join(root, folder, name), bytes);
  };
  /** As another edition has it: each track so many seconds longer, or by turns shorter. */
  const longer = (album: MadeUpAlbum, title: string, by: (at: number) => number): MadeUpAlbum => ({
    ...album,
    title,
    tracks: album.tracks.map((track, at) => ({ ...track, duration_ms: (track.duration_ms ?? 0) + by(at) * 1000 })),
  });
  const recipe = { format: 'mp3', tagged: true } as const;
  const weir = await albumFiles(WEIR, recipe);
  const wrong = await makeAudio({ format: 'mp3', seconds: 141, seed: 99, tags: { title: 'Voice memo' } });
  const odd = 'New recording 7.mp3';
  weir[4] = { name: odd, bytes: wrong };
  const live = longer({ ...NINE_CRATES, tracks: NINE_CRATES.tracks.slice(0, 6) }, 'Nine Crates (Live)', () => 21);
  const remaster = longer(SIGNAL_FIRES, 'Signal Fires (Remastered 2019)', (at) => (at % 2 === 0 ? 1.6 : -1.6));
  await put('Paper Lanterns', await albumFiles(PAPER_LANTERNS, recipe));
  await put('North of the Weir', weir);
  await put('Signal Fires', await albumFiles(remaster, recipe));
  await put('Nine Crates (Live)', await albumFiles(live, recipe));
  await put('Tin Weather', await albumFiles(TIN_WEATHER, recipe));
  await dropFolder(page, root);

  const { press, presses } = pressing();
  const waiting = page.locator('[data-status="PENDING"], [data-status="PROCESSING"]');
  await expect(app.review('Tin Weather')).toContainText('(8 tracks)', { timeout: CONVERSION_MS });
  await expect(waiting).toHaveCount(0, { timeout: CONVERSION_MS });
  await expect(app.region('Review queue').getByRole('article')).toHaveCount(4);
  await press(page.getByRole('button', { name: 'Treat remasters, deluxe and explicit as this album' }));
  await press(app.review('these 6 files').getByRole('button', { name: 'None of these' }));
  await press(app.review('Nine Crates').getByRole('button', { name: 'Discard files' }));
  await press(app.review('North of the Weir').getByRole('button', { name: 'Discard files' }));
  await press(app.review('Tin Weather').getByRole('button', { name: 'Create catalog entry' }));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Save' }));
  await expect(app.region('Review queue').getByRole('article')).toHaveCount(0);
  expect(presses()).toBeLessThanOrEqual(8);

  await expect(app.region('History')).toContainText('54 files: 47 published', { timeout: CONVERSION_MS });
  const published = async ({ id }: MadeUpAlbum): Promise<number> => (await api.available(id)).length;
  expect(await published(PAPER_LANTERNS)).toBe(12);
  expect(await api.available(WEIR.id)).toEqual(WEIR.tracks.flatMap(({ id }, at) => (at === 4 ? [] : [id])));
  expect(await published(SIGNAL_FIRES)).toBe(10);
  expect(await published(NINE_CRATES)).toBe(0);
  expect(await published(DRY_SEASON)).toBe(0);
  await rm(join(root, '..'), { recursive: true, force: true });
});
