/** The download of an engine: its size, a pause, going on, a piece that is not what was built, its end. */
import { expect, test } from './support/test.ts';

const ENGINE = /toolbox-sql\..*\.bin$/;

test('TOOLBOX-85 a download pauses, goes on after another visit from the piece that it had, and is removed; what is not what was built is refused and fetched anew', async ({
  page,
  context,
  server,
}) => {
  const asked: string[] = [];
  let held = true;
  let broken = false;
  await context.route(ENGINE, async (route) => {
    const range = (await route.request().allHeaders())['range'] ?? 'all';
    asked.push(range);
    // The third piece does not come until the person has paused.
    if (held && range.startsWith('bytes=2097152-')) return;
    const response = await route.fetch();
    const body = await response.body();
    if (broken) body.fill(1, 0, 16);
    await route.fulfill({ response, body });
  });
  await page.goto(`${server.origin}/tools/frame_query`);
  await page.getByRole('button', { name: 'Fill in the example' }).click();
  await page.getByRole('button', { name: /^Fetch 4\.\d\sMB and run$/ }).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect.poll(() => asked.some((range) => range.startsWith('bytes=2097152-'))).toBe(true);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/^2\.\d\sMB of 4\.\d\sMB are on this device/)).toBeVisible();

  await page.goto(`${server.origin}/tools`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Steps on a table' })).toContainText('Fetched in part');
  held = false;
  asked.length = 0;
  await page.goto(`${server.origin}/tools/frame_query`);
  await page.getByRole('button', { name: 'Fill in the example' }).click();
  await page.getByRole('button', { name: /^Fetch the other 2\.\d\sMB and run$/ }).click();
  await expect(page.getByRole('heading', { name: 'Result' })).toBeFocused({ timeout: 300_000 });
  expect(asked[0]).toMatch(/^bytes=2097152-/);
  expect(asked).not.toContain('all');

  await page.goto(`${server.origin}/tools`);
  await page.getByRole('button', { name: 'Remove DuckDB' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Steps on a table' })).toContainText('once');
  broken = true;
  await page.goto(`${server.origin}/tools/frame_query`);
  await page.getByRole('button', { name: 'Fill in the example' }).click();
  await page.getByRole('button', { name: /^Fetch .* and run$/ }).click();
  await expect(page.getByRole('alert')).toContainText('not what was built');
  broken = false;
  await page.getByRole('button', { name: /^Fetch 4\.\d\sMB and run$/ }).click();
  await expect(page.getByRole('heading', { name: 'Result' })).toBeFocused({ timeout: 300_000 });
});
