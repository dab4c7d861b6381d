import type { Locator, Page } from '@playwright/test';
import { openPlace } from './support/places.ts';
import { expect, test } from './support/test.ts';

/** Pixels of it that lie under what is said. */
async function covered(page: Page, one: Locator): Promise<number> {
  const [over, under] = await Promise.all([page.locator('.toasts').boundingBox(), one.boundingBox()]);
  if (over === null || under === null) throw new Error('One of the two is not shown.');
  const across = Math.min(over.x + over.width, under.x + under.width) - Math.max(over.x, under.x);
  return across <= 0
    ? 0
    : Math.max(0, Math.min(over.y + over.height, under.y + under.height) - Math.max(over.y, under.y));
}

for (const width of [390, 1280])
  test(`UI-311 at ${width} pixels what is said covers neither the end of a page nor what has the focus`, async ({
    server,
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(server.signInLink);
    await openPlace(page, 'Settings');
    const fields = page.locator('main :is(button, input, select, a[href]):visible');
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
    const said = page.locator('.toasts .toast:visible');

    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight }));
    await page.keyboard.press('p');
    await expect(said).toHaveText(/Work is paused/);
    expect(await covered(page, fields.last())).toBe(0);
    await said.getByRole('button', { name: 'Close' }).click();
    await expect(said).toHaveCount(0);

    // In the middle, with the focus on what stands where it will be said.
    const button = page.locator('main button:visible').nth(3);
    await button.focus();
    await button.evaluate((one) => {
      const { bottom } = one.getBoundingClientRect();
      window.scrollBy({ top: bottom - window.innerHeight + 80 });
    });
    const before = await button.boundingBox();
    await page.keyboard.press('p');
    await expect(said).toHaveText(/Work goes on/);
    await expect.poll(() => covered(page, button)).toBe(0);
    expect((await button.boundingBox())?.y).toBeLessThanOrEqual(before?.y ?? 0);
    await page.screenshot({ path: test.info().outputPath(`said-${width}.png`) });

    // Another one: on a narrow screen it alone is shown.
    await page.keyboard.press('p');
    await expect(said).toHaveCount(width < 720 ? 1 : 2);
    await expect(said.last()).toHaveText(/Work is paused/);
  });
