import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAPER_LANTERNS } from './catalog.ts';
import { albumFiles } from './support/album-files.ts';
import { CONVERSION_MS } from './support/app.ts';
import { expect, test } from './support/test.ts';

/** One nameless file, which becomes a question. */
async function nameless() {
  const [file] = await albumFiles(PAPER_LANTERNS, { format: 'mp3', name: () => 'x' });
  if (!file) throw new Error('no file');
  return file;
}

test('JOB-50 stored files that the browser removed are named, and dropped again they are worked on', async ({
  app,
  page,
  server,
}) => {
  const file = await nameless();
  await app.addFiles([file]);
  await app.waitForStatus('x.mp3', 'AWAITING_REVIEW');
  // An address of the same origin without the app.
  await page.goto(`${server.origin}/v1/health`);
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
  });
  await page.goto(server.origin);
  const notice = page.getByText('the browser had removed the stored copy of 1 file in work: x.mp3');
  await expect(notice).toBeVisible();
  await app.waitForStatus('x.mp3', 'FAILED');
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(notice).toHaveCount(0);
  await expect(app.region('Review queue').getByRole('article')).toHaveCount(0);
  await app.addFiles([file]);
  await expect(app.region('Review queue').getByRole('article')).toHaveCount(1);
});

test('JOB-51 stored files whose rows the browser removed are taken in again', async ({ app, page, server }) => {
  const file = await nameless();
  const name = createHash('sha256').update(file.bytes).digest('hex').slice(0, 12);
  await app.addFiles([file]);
  await app.waitForStatus('x.mp3', 'AWAITING_REVIEW');
  await page.goto(`${server.origin}/v1/health`);
  await page.evaluate(
    () =>
      new Promise<void>((gone, failed) => {
        const request = indexedDB.deleteDatabase('accession');
        request.onsuccess = () => gone();
        request.onerror = () => failed(request.error);
      }),
  );
  await page.goto(server.origin);
  await expect(page.getByText('kept 1 stored file')).toBeVisible();
  await page.getByRole('button', { name: 'Take it in again' }).click();
  await expect(app.region('Active jobs')).toContainText(name);
  await expect(page.getByText('kept 1 stored file')).toHaveCount(0);
});

test('OPS-47 a file that is damaged on the server is refused with its name, and Settings names it', async ({
  app,
  api,
  page,
  server,
}) => {
  const [track] = PAPER_LANTERNS.tracks.filter(({ title }) => title === 'Manifest');
  if (!track) throw new Error('the album changed');
  await expect(app.region('Active jobs')).toBeVisible();
  await api.upload(await albumFiles({ ...PAPER_LANTERNS, tracks: [track] }, { format: 'mp3', tagged: true }));
  await expect.poll(() => api.available(PAPER_LANTERNS.id), { timeout: CONVERSION_MS }).toEqual([track.id]);
  const paths = await readdir(server.media, { recursive: true });
  const path = paths.find((name) => name.endsWith('Manifest.ogg'));
  if (path === undefined) throw new Error('nothing was published');
  const bytes = await readFile(join(server.media, path));
  await writeFile(join(server.media, path), bytes.fill(0, 100, 200));
  await expect(api.bytes(`/v1/catalog/tracks/${track.id}/audio`)).rejects.toThrow('500');
  await page.goto(`${server.origin}/settings`);
  await expect(page.getByText('1 file of the server is damaged')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'has other bytes than the catalog says' })).toContainText(
    'Manifest.ogg',
  );
});
