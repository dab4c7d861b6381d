import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { readRows } from '../soak/app-rows.ts';
import { checkRound } from '../soak/check-round.ts';
import { killRound, type RoundOptions } from '../soak/kill-round.ts';
import type { Kill } from '../soak/kill-stages.ts';
import { KillableBrowser } from '../soak/killable-browser.ts';
import { PAPER_LANTERNS } from './catalog.ts';
import { albumFiles, zipOf } from './support/album-files.ts';
import { expect, test } from './support/test.ts';

/** `npm run soak -- media` kills fifty times, at random. */
const KILLS: readonly Kill[] = [
  { stage: 'unpacking', delayMs: 20 },
  { stage: 'converting', delayMs: 100 },
  { stage: 'enqueued', delayMs: 50, reload: true },
  { stage: 'publishing', delayMs: 50 },
];

test('JOB-30, JOB-35 the browser is killed while it unpacks, converts and publishes, and reloaded: twelve results, each once', async ({
  server,
  api,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-killed-'));
  const left = [...KILLS];
  const sampleRate = 8000;
  try {
    const files = await albumFiles(PAPER_LANTERNS, { format: 'flac', tagged: true });
    const zip = await zipOf('paper_lanterns.zip', files);
    const archive = join(folder, zip.name);
    await writeFile(archive, zip.bytes);
    const round: RoundOptions = {
      executable: process.env['ACCESSION_BROWSER'] ?? chromium.executablePath(),
      profile: join(folder, 'profile'),
      link: server.signInLink,
      archive,
      archiveSha256: createHash('sha256').update(zip.bytes).digest('hex'),
      tracks: PAPER_LANTERNS.tracks.length,
      next: () => left.shift() ?? null,
    };
    const outcome = await killRound(round);
    const sound = {
      samples: (track: { duration_ms: number | null }) => Math.round(((track.duration_ms ?? 0) / 1000) * sampleRate),
      channels: 1,
    };
    const found = await checkRound({ api, media: server.media, album: PAPER_LANTERNS, sound }, round, outcome);
    expect(found).toMatchObject({ lost: [], torn: [], duplicated: [], orphans: [] });
    expect(found.repeated).toBeLessThanOrEqual(found.allowed);
    expect(outcome.killed).toHaveLength(KILLS.length);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
});

test('JOB-52 of a drop that was made just before the browser is killed every file is there, or is named', async ({
  server,
  api,
}) => {
  void api;
  const folder = await mkdtemp(join(tmpdir(), 'accession-dropped-'));
  const executable = process.env['ACCESSION_BROWSER'] ?? chromium.executablePath();
  const names = ['one.flac', 'two.flac', 'three.flac'];
  const opened = async () => {
    const browser = await KillableBrowser.start(executable, join(folder, 'profile'));
    const input = browser.page.locator('input[type="file"]').and(browser.page.getByLabel('Add files', { exact: true }));
    await browser.page.goto(server.signInLink);
    await input.waitFor({ state: 'attached' });
    return { browser, page: browser.page, input };
  };
  try {
    const paths = names.map((name) => join(folder, name));
    // Long enough that not all of them are taken in when the browser ends.
    for (const path of paths) await writeFile(path, Buffer.concat([Buffer.from('fLaC'), randomBytes(12_000_000)]));
    const first = await opened();
    await first.input.setInputFiles(paths);
    // As soon as the page says anything of them.
    await first.page.getByText('Reading in what you dropped...').or(first.page.getByText('one.flac')).first().waitFor();
    await first.browser.kill();

    const { browser, page } = await opened();
    const notice = page.getByText('The browser ended before this was taken in');
    const taken = (await readRows(page)).jobs.map(({ original_filename }) => original_filename);
    const lost = names.filter((name) => !taken.includes(name));
    if (lost.length > 0) await expect(notice).toBeVisible();
    for (const name of lost) await expect(notice).toContainText(name);
    expect(taken.length + lost.length).toBe(names.length);
    await browser.kill();
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
});
