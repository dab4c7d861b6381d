import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MirroredJob } from '#core/sync/protocol.ts';
import { putOldFiles, putOldSqlite } from '../fixtures/old-version.ts';
import { Api } from './support/api.ts';
import { App, CONVERSION_MS } from './support/app.ts';
import { CatalogServer } from './support/catalog-server.ts';
import { fillBrowser } from './support/old-browser.ts';
import { expect, test } from './support/test.ts';

test('a browser and a server that version 0.1 was used with open, and go on where they were killed', async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-old-'));
  const data = join(folder, 'data');
  await mkdir(data);
  await putOldSqlite(data, join(folder, 'shows'));
  await putOldFiles(data, join(folder, 'shows'));
  const server = await CatalogServer.start(data);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  try {
    const api = new Api(server.origin, server.token);
    // Nobody answers there: what was put to the model is put to the person.
    await fillBrowser(page, server, { llm_base_url: 'http://127.0.0.1:9' });
    const app = new App(page);
    await app.signIn(server.signInLink);

    // What was being converted, half sent, or accepted without the tab's knowing.
    await app.waitForPublished(['04 - Dusk.flac', '05 - Curfew.flac', '06 - Snuffer.flac', '03 - Glass (2).FLAC']);
    await app.waitForPublished(['07 - Rounds.flac', '01 Out.flac', '02 Home.flac']);
    const lamps = [1, 2, 3, 4, 5, 6, 7, 10].map((position) => `lamps-${position}`);
    expect(await api.available('al-lamps')).toEqual(lamps);
    // What was over stays over, and is there to be read.
    await app.waitForPublished(['01 - Wick.flac', '02 - Ladder.flac', 'forgotten.flac']);
    for (const name of ['cut off.flac', 'secret.flac', 'nothing like it.flac', 'not wanted.flac', '09 - Oil.flac'])
      await app.waitForStatus(name, 'FAILED');
    await expect(app.jobRow('wick again.flac')).toHaveAttribute('data-duplicate-of', /./);
    await expect(app.jobRow('08 - Morning.flac')).toContainText('Paused');

    // Questions of before are answered.
    await app.answer('01 - Bolt.flac', 'Bolt');
    await app.waitForPublished(['01 - Bolt.flac']);
    await app.answer('has audio in the catalog already', 'Keep what is in the catalog');
    await app.waitForStatus('better wick.flac', 'COMPLETED');
    await expect(app.review('The model leaves this to you')).toHaveCount(1);
    await expect(app.review('The model suggests')).toHaveCount(1);

    // Decisions of before are taken back, tried again, and made again.
    await app.press('nothing like it.flac', 'Undo decision:');
    await app.press('not wanted.flac', 'Retry');
    await app.press('09 - Oil.flac', 'Retry');
    const noMore = async (name: string) => expect(app.jobRow(name)).not.toHaveAttribute('data-status', 'FAILED');
    for (const name of ['nothing like it.flac', 'not wanted.flac', '09 - Oil.flac']) await noMore(name);
    await app.waitForStatus('nothing like it.flac', 'AWAITING_REVIEW');
    await app.waitForStatus('not wanted.flac', 'AWAITING_REVIEW');
    await app.waitForPublished(['09 - Oil.flac']);
    await page.getByLabel('Password of locked.zip').fill('open sesame');
    await page.getByLabel('Password of locked.zip').press('Enter');
    await expect(page.getByLabel('Password of locked.zip')).toHaveCount(0);
    // Far down in the list of active jobs, which draws what is near.
    await expect.poll(() => statusOf(api, 'secret.flac')).toBe('AWAITING_REVIEW');

    // Uploads whose worker is gone are gone on with here.
    await expect.poll(() => api.available('al-alone'), { timeout: CONVERSION_MS }).toEqual(['alone-1']);
    const north = [1, 3, 4, 6, 7, 9, 10, 11].map((position) => `north-${position}`);
    await expect.poll(() => api.available('al-north'), { timeout: CONVERSION_MS }).toEqual(north);

    await page.reload();
    await app.waitForPublished(['01 - Wick.flac', '01 - Bolt.flac', '09 - Oil.flac']);
    await app.waitForStatus('nothing like it.flac', 'AWAITING_REVIEW');
    expect(errors).toEqual([]);
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
});

/** As the workstation told the server. */
async function statusOf(api: Api, name: string): Promise<string | undefined> {
  const { items } = await api.get<{ items: MirroredJob[] }>('/v1/ingestion/jobs?limit=200');
  return items.find((job) => job.original_filename === name)?.status;
}
