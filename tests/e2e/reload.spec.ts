import { PAPER_LANTERNS } from './catalog.ts';
import { albumFiles, namesOf, zipOf } from './support/album-files.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, test } from './support/test.ts';

test('a reload in the middle of conversion loses nothing and publishes every track once', async ({
  app,
  api,
  page,
}) => {
  const files = await albumFiles(PAPER_LANTERNS, { format: 'flac', tagged: true });
  await app.addFiles([await zipOf('paper_lanterns.zip', files)]);
  await expect(page.locator('[data-status="CONVERTING"]').first()).toBeAttached({ timeout: 60_000 });
  await page.reload();

  await app.waitForPublished(namesOf(files));
  await expect(page.locator('[data-status="FAILED"]')).toHaveCount(0);
  expect(await api.available(PAPER_LANTERNS.id)).toHaveLength(12);
  const { items } = await api.get<{ items: { status: string; original_filename: string }[] }>(
    '/v1/ingestion/jobs?limit=100',
  );
  expect(items.map((job) => job.original_filename).sort()).toEqual(namesOf(files).sort());
  for (const track of PAPER_LANTERNS.tracks) await expectServed(api, PAPER_LANTERNS, track, track.duration_ms ?? 0);
});

test('a question survives closing the tab', async ({ app, api, page, server }) => {
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
});
