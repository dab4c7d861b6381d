import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { filesIn, makeFolder } from '../soak/video-folder.ts';
import { videoKills } from '../soak/video-kills.ts';
import { CHROMIUM_ARGS } from './support/chromium-args.ts';
import { Display, hasDisplay } from './support/display.ts';
import { openPlace } from './support/places.ts';
import { dropFolder } from './support/real-folder.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const executable = process.env['ACCESSION_BROWSER'] ?? chromium.executablePath();

const FILES = [
  'the.quiet.harbour.s01e01.1080p.web.x264-GRP.mkv',
  'the.quiet.harbour.s01e01.1080p.web.x264-GRP.en.srt',
  'the.quiet.harbour.s01e02.1080p.web.x264-GRP.mkv',
  'the.quiet.harbour.s01e04.1080p.web.x264-GRP.mkv',
  'sample/sample-the.quiet.harbour.s01e01.mkv',
];
/** The last of them is corrected to be the third episode. */
const RENAMED = {
  'Season 01/The Quiet Harbour - s01e01.mkv': FILES[0],
  'Season 01/The Quiet Harbour - s01e01.en.srt': FILES[1],
  'Season 01/The Quiet Harbour - s01e02.mkv': FILES[2],
  'Season 01/The Quiet Harbour - s01e03.mkv': FILES[3],
  'sample/sample-the.quiet.harbour.s01e01.mkv': FILES[4],
  'Season 01/notes.txt': 'Season 01/notes.txt',
};

test('VIDEO-81, VIDEO-117, VIDEO-122, UI-128 a folder on the disk is recognised, a row corrected, renamed after the browser asked, undone, and known again', async ({
  server,
}, testInfo) => {
  testInfo.skip(!hasDisplay, 'wants Xvfb and xdotool');
  const folder = join(await mkdtemp(join(tmpdir(), 'accession-video-')), 'The Quiet Harbour');
  await makeFolder(folder, FILES);
  const before = await filesIn(folder);
  const display = await Display.start();
  const browser = await chromium.launch({
    executablePath: executable,
    headless: false,
    args: [...CHROMIUM_ARGS],
    env: { ...process.env, DISPLAY: display.name },
  });
  try {
    const page = await browser.newPage();
    await page.goto(server.signInLink);
    await openPlace(page, 'Video');
    await expect(page.getByText('Drop a folder of a show here')).toBeVisible();
    await dropFolder(page, folder);

    const row = page.getByRole('row').filter({ hasText: 's01e04' });
    await row.getByRole('button', { name: /^Correct / }).click();
    const form = page.getByRole('form', { name: /^Correct / });
    await form.getByLabel('Episode').fill('3');
    await form.getByRole('button', { name: 'Apply' }).click();
    await expect(row.getByText('S01E03')).toBeVisible();
    await page.getByRole('button', { name: 'Confirm 3 files' }).click();

    const button = page.getByRole('button', { name: 'Rename 4 files' });
    const done = page.getByRole('heading', { name: '4 files renamed' });
    await expect(async () => {
      if (await button.isEnabled()) await button.click();
      await expect(page.getByText('The browser asks whether this page may use the folder')).toBeVisible();
      expect(await filesIn(folder)).toEqual(before);
      // The browser does not say that its question is drawn, and takes no answer in its first half second.
      await wait(1500);
      await display.press('Tab', 'Return');
      await expect(done).toBeVisible({ timeout: 4000 });
    }).toPass({ timeout: 30_000 });
    expect(Object.fromEntries(await filesIn(folder))).toEqual(RENAMED);

    await page.getByRole('region', { name: 'What was done' }).getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { name: 'former names again' })).toBeVisible();
    expect(await filesIn(folder)).toEqual(before);
    await expect(page.getByText('Renamed and undone')).toBeVisible();

    // What was confirmed is known after a reload, and leads on to the names.
    await page.reload();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the records of 3 files' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('videos.records.json');
    const { records } = JSON.parse(await readFile(await saved.path(), 'utf8')) as { records: { episodes: number[] }[] };
    expect(records.flatMap(({ episodes }) => episodes).sort()).toEqual([1, 2, 3]);
    await dropFolder(page, folder);
    await expect(page.getByText('3 files are recorded')).toBeVisible();
    await expect(row.getByText('S01E03')).toBeVisible();
    await page.getByRole('button', { name: 'Make the rename plan' }).click();
    await expect(button).toBeEnabled();
  } finally {
    await browser.close();
    display.stop();
    await rm(join(folder, '..'), { recursive: true, force: true });
  }
});

/** `npm run soak -- video` kills twenty times, at random. */
test('PLAN-88, PLAN-98 a rename on the server says what is in its way and what to do, is carried out once it is gone, and undone where it is listed', async ({
  page,
  server,
  api,
}) => {
  const media = await realpath(await mkdtemp(join(tmpdir(), 'accession-media-')));
  await writeFile(join(media, 'a.mkv'), 'the first');
  await server.configure(`[video]\nfolders = ["${media}"]\n`);
  const to = join(media, 'The Quiet Harbour - s01e01.mkv');
  const files = [{ from: join(media, 'a.mkv'), to }];
  await api.post('/v1/plans', { task: 'rename-files', mediaFolderPath: media, files });
  try {
    await page.goto(server.signInLink);
    await openPlace(page, 'Video');
    const waiting = page.getByRole('listitem').filter({ hasText: 'Rename: 1 file' });
    // Somebody puts a file there under that name.
    await writeFile(to, 'of somebody else');
    await waiting.getByRole('button', { name: 'Look' }).click();
    await expect(waiting.getByText('already. Move what has that name away')).toBeVisible();
    await expect(waiting.getByRole('button', { name: 'Rename 1 file' })).toBeDisabled();
    expect((await readdir(media)).sort()).toHaveLength(2);
    await rm(to);
    await waiting.getByRole('button', { name: 'Hide' }).click();
    await waiting.getByRole('button', { name: 'Look' }).click();
    await waiting.getByRole('button', { name: 'Rename 1 file' }).click();
    const past = page.getByRole('region', { name: 'Done on the server' }).getByRole('listitem');
    await expect(past.getByText('Renamed', { exact: true })).toBeVisible();
    expect(await readdir(media)).toEqual(['The Quiet Harbour - s01e01.mkv']);
    await past.getByRole('button', { name: `Undo the rename in ${media}` }).click();
    await page.getByRole('button', { name: 'Undo the rename', exact: true }).click();
    await expect(page.getByText('1 file has its former name again.')).toBeVisible();
    await expect(past.getByText('Renamed and undone')).toBeVisible();
    expect(await readFile(join(media, 'a.mkv'), 'utf8')).toBe('the first');
    expect(await readdir(media)).toEqual(['a.mkv']);
  } finally {
    await rm(media, { recursive: true, force: true });
  }
});

test('VIDEO-82 the browser is killed while it renames forty files: each is wholly renamed or wholly back', async ({
  server,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-video-kills-'));
  try {
    const kills = await videoKills({
      executable,
      profile: join(folder, 'profile'),
      folder: join(folder, 'media'),
      origin: server.origin,
      link: server.signInLink,
      delays: [250, 600],
    });
    for (const kill of kills) expect(kill).toMatchObject({ lost: [], overwritten: [], torn: false });
    expect(kills).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
