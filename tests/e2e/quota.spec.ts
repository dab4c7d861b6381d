import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { readBlobs, readRows } from '../soak/app-rows.ts';
import { SHORT_WAVES } from './catalog.ts';
import { albumFiles, namesOf, zipOf } from './support/album-files.ts';
import { App } from './support/app.ts';
import { CHROMIUM_ARGS } from './support/chromium-args.ts';
import { expect, ONLINE, test } from './support/test.ts';

const WANTED = /There is no space left in this browser: [\d.]+ [kM]?B are wanted; Accession uses [\d.]+ [kM]?B\./;
const REMEDY = 'Press "Free now" in Settings, Storage';
/** The browser gives files their space in steps of this, so that less is none. Bytes. */
const STEP = 1024 * 1024;

test('STAGE-80, STAGE-110 no space at each stage loses nothing, says what is wanted and what to free, and goes on when it is back', async ({
  api,
  server,
}) => {
  void api;
  const profile = await mkdtemp(join(tmpdir(), 'accession-quota-'));
  const executablePath = process.env['ACCESSION_BROWSER'] ?? chromium.executablePath();
  // A profile on the disk: a private window counts its space otherwise.
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    // What the service worker fetches beside it would take the space that is counted here.
    ...ONLINE,
    args: [...CHROMIUM_ARGS],
    locale: 'en-GB',
  });
  try {
    const page = await context.newPage();
    const app = new App(page);
    const cdp = await context.newCDPSession(page);
    const left = async (bytes: number): Promise<void> => {
      const used = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
      await cdp.send('Storage.overrideQuotaForOrigin', { origin: server.origin, quotaSize: used + bytes });
    };
    const freed = () => cdp.send('Storage.overrideQuotaForOrigin', { origin: server.origin });
    const files = await albumFiles(SHORT_WAVES, { format: 'flac', tagged: true });
    const [loose, ...rest] = files;
    const [again] = await albumFiles(SHORT_WAVES, { format: 'mp3', tagged: true });
    if (loose === undefined || again === undefined) throw new Error('no file');
    await app.signIn(server.signInLink);
    await app.waitForReplica();

    // Before the first file ever: the way of storing is chosen then, too.
    await left(0);
    await app.addFiles([loose]);
    await saysSo(app, loose.name);
    await freed();
    await app.addFiles([loose]);
    await expect(app.jobRow(loose.name).and(page.locator('[data-sync="published"]'))).toHaveCount(1);

    // While an archive is unpacked: its copy is in, and no room is left for what is in it.
    const zip = await zipOf('short_waves.zip', rest);
    await left(zip.bytes.length + STEP / 2);
    await app.addFiles([zip]);
    for (const { name } of rest) await saysSo(app, name);
    await freed();
    await page.getByRole('button', { name: 'Take the rest' }).click();
    for (const { name } of rest) await noLongerFailed(app, name);
    await app.waitForPublished(namesOf(rest));

    // While it is converted: the original stays, and the decision with it.
    await app.addFiles([again]);
    await expect(app.review('has audio in the catalog already')).toHaveCount(1);
    // Room for the answer, and not for the sound.
    await left(STEP / 32);
    await app.answer('has audio in the catalog already', 'Replace');
    await saysSo(app, again.name);
    const { jobs } = await readRows(page);
    const original = jobs.find(({ original_filename }) => original_filename === again.name)?.sha256;
    expect((await readBlobs(page)).map(({ name }) => name)).toContain(original);
    await freed();
    await app.press(again.name, 'Retry');
    await noLongerFailed(app, again.name);
    await app.waitForPublished([again.name]);
    expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);
    await app.forgetFiles();
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 20 });
  }
});

async function saysSo(app: App, name: string): Promise<void> {
  await app.waitForStatus(name, 'FAILED');
  await expect(app.jobRow(name)).toContainText(WANTED);
  await expect(app.jobRow(name)).toContainText(REMEDY);
}

async function noLongerFailed(app: App, name: string): Promise<void> {
  await expect(app.jobRow(name).and(app.page.locator('[data-status="FAILED"]'))).toHaveCount(0);
}
