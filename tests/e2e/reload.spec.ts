import { PAPER_LANTERNS } from './catalog.ts';
import { albumFiles } from './support/album-files.ts';
import { expect, test } from './support/test.ts';

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
