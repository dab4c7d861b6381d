import { createHash } from 'node:crypto';
import { PAPER_LANTERNS } from './catalog.ts';
import { trackFile } from './support/album-files.ts';
import { expect, test } from './support/test.ts';

test('JOB-50 stored files that the browser removed are named, and dropped again they are worked on; JOB-51 stored files whose rows it removed are taken in again', async ({
  app,
  page,
  server,
}) => {
  const [track] = PAPER_LANTERNS.tracks;
  if (!track) throw new Error('the album changed');
  // Without a name it becomes a question.
  const file = await trackFile(PAPER_LANTERNS, track, { format: 'mp3', name: () => 'x' });
  const questions = app.region('Review queue').getByRole('article');
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
  await expect(questions).toHaveCount(0);
  await app.addFiles([file]);
  await expect(questions).toHaveCount(1);

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
  const name = createHash('sha256').update(file.bytes).digest('hex').slice(0, 12);
  await expect(app.region('Active jobs')).toContainText(name);
  await expect(page.getByText('kept 1 stored file')).toHaveCount(0);
});
