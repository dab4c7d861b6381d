import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAPER_LANTERNS } from './catalog.ts';
import { albumFiles, trackFile } from './support/album-files.ts';
import { CONVERSION_MS } from './support/app.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, test } from './support/test.ts';

test('UI-114 a question survives closing the tab, and its file is cancelled and tried again; WORK-21 what a script sends is worked on by the page that is open; OPS-47 damaged on the server it is refused by name', async ({
  app,
  api,
  page,
  server,
}) => {
  const [slack] = PAPER_LANTERNS.tracks;
  const manifest = PAPER_LANTERNS.tracks.find(({ title }) => title === 'Manifest');
  if (!slack || !manifest) throw new Error('the album changed');
  await app.addFiles([await trackFile(PAPER_LANTERNS, slack, { format: 'mp3', name: () => 'x' })]);
  await app.waitForStatus('x.mp3', 'AWAITING_REVIEW');
  await page.goto('about:blank');
  await page.goto(server.origin);
  await app.waitForStatus('x.mp3', 'AWAITING_REVIEW');

  const questions = app.region('Review queue').getByRole('article');
  await app.press('x.mp3', 'Cancel');
  await app.waitForStatus('x.mp3', 'FAILED');
  await expect(app.jobRow('x.mp3')).toContainText('cancelled', { ignoreCase: true });
  await expect(questions).toHaveCount(0);
  await app.press('x.mp3', 'Retry');
  await expect(app.jobRow('x.mp3')).not.toHaveAttribute('data-status', 'FAILED');
  await app.waitForStatus('x.mp3', 'AWAITING_REVIEW');
  await app.answer('Could not find matching album', 'None of these');
  await expect(questions).toHaveCount(0);
  expect(await api.available(PAPER_LANTERNS.id)).toHaveLength(0);

  await api.upload(await albumFiles({ ...PAPER_LANTERNS, tracks: [manifest] }, { format: 'mp3', tagged: true }));
  await expect.poll(() => api.available(PAPER_LANTERNS.id), { timeout: CONVERSION_MS }).toEqual([manifest.id]);
  await expectServed(api, PAPER_LANTERNS, manifest, manifest.duration_ms ?? 0);

  const paths = await readdir(server.media, { recursive: true });
  const path = paths.find((name) => name.endsWith('Manifest.ogg'));
  if (path === undefined) throw new Error('nothing was published');
  const bytes = await readFile(join(server.media, path));
  await writeFile(join(server.media, path), bytes.fill(0, 100, 200));
  await expect(api.bytes(`/v1/catalog/tracks/${manifest.id}/audio`)).rejects.toThrow('500');
  await page.goto(`${server.origin}/settings`);
  await expect(page.getByText('1 file of the server is damaged')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'has other bytes than the catalog says' })).toContainText(
    'Manifest.ogg',
  );
});

test('JOB-36 a page that the browser keeps for its Back button lets the lock go, and starts anew when it is shown; UI-154 while another page holds the database every page says so', async ({
  app,
  page,
  context,
  server,
}) => {
  await expect(app.region('Active jobs')).toBeVisible();
  const locks = () => page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name) ?? []);
  const say = (type: string) =>
    page.evaluate((name) => window.dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type);
  await expect.poll(locks).toContain('accession-pipeline');
  await say('pagehide');
  await expect.poll(locks).not.toContain('accession-pipeline');
  const loaded = page.waitForEvent('load');
  await say('pageshow');
  await loaded;
  await expect.poll(locks).toContain('accession-pipeline');

  await page.clock.install();
  await page.goto(server.origin);
  await expect(app.region('Active jobs')).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${server.origin}/v1/health`);
  await other.evaluate(async () => {
    const held = await new Promise<IDBDatabase>((opened, failed) => {
      const request = indexedDB.open('accession');
      request.onsuccess = () => opened(request.result);
      request.onerror = () => failed(request.error);
    });
    const store = held.transaction('meta', 'readwrite').objectStore('meta');
    // A transaction lasts as long as something is asked of it.
    const hold = (): void => {
      store.count().onsuccess = hold;
    };
    hold();
  });
  const notice = page.getByText('storage does not answer');
  // The next question, and the word about it.
  await page.clock.fastForward(16_000);
  await page.clock.fastForward(11_000);
  await expect(notice).toBeVisible();
  await other.close();
  await expect(notice).toBeHidden();
});
