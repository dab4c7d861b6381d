import { PAPER_LANTERNS } from './catalog.ts';
import { albumFiles } from './support/album-files.ts';
import { CONVERSION_MS } from './support/app.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, test } from './support/test.ts';

test('a question survives closing the tab; WORK-21 what a script sends is worked on by the page that is open', async ({
  app,
  api,
  page,
  server,
}) => {
  const files = await albumFiles(PAPER_LANTERNS, { format: 'mp3', name: () => 'x' });
  const [nameless] = files;
  if (!nameless) throw new Error('no file');
  await app.addFiles([nameless]);
  await app.waitForStatus('x.mp3', 'AWAITING_REVIEW');
  await page.goto('about:blank');
  await page.goto(server.origin);

  await app.answer('Could not find matching album', 'None of these');
  await expect(app.region('Review queue').getByRole('article')).toHaveCount(0);
  expect(await api.available(PAPER_LANTERNS.id)).toHaveLength(0);

  const [track] = PAPER_LANTERNS.tracks.filter(({ title }) => title === 'Manifest');
  if (!track) throw new Error('the album changed');
  await api.upload(await albumFiles({ ...PAPER_LANTERNS, tracks: [track] }, { format: 'mp3', tagged: true }));
  await expect.poll(() => api.available(PAPER_LANTERNS.id), { timeout: CONVERSION_MS }).toEqual([track.id]);
  await expectServed(api, PAPER_LANTERNS, track, track.duration_ms ?? 0);
});

test('JOB-36 a page that the browser keeps for its Back button lets the lock go, and starts anew when it is shown', async ({
  app,
  page,
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
});

test('UI-154 while another page holds the database every page says so', async ({ app, page, context, server }) => {
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
