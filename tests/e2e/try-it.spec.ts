import { SHORT_WAVES } from './catalog.ts';
import { CONVERSION_MS } from './support/app.ts';
import { expect, test } from './support/test.ts';

test('Try it takes a generated ZIP for a pending request through the whole path', async ({ app, api, page }) => {
  const request = await api.requestAlbum(SHORT_WAVES.id);
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect.poll(() => api.requestStatus(request), { timeout: CONVERSION_MS }).toBe('fulfilled');
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);
  await expect(app.region('History').locator('[data-sync="published"]')).toHaveCount(4);
});
