/** How a page looks on narrow screens, in the dark and from right to left: what can be measured, and pictures to look at. */
import { expect, test, type Page } from '@playwright/test';
import { axeFindings } from './axe.ts';

/**
 * From right to left and on a narrow screen nothing is wider than the page, and axe finds nothing: in the dark, or
 * `everywhere` (1280 and 390 px, light and dark). Ends at 1280 px, light, from left to right.
 */
export async function looksRight(page: Page, name: string, everywhere = false): Promise<void> {
  const turn = (dir: string): Promise<string> => page.evaluate((to) => (document.documentElement.dir = to), dir);
  const picture = (of: string) =>
    page.screenshot({ path: test.info().outputPath(`${name}-${of}.png`), fullPage: true });
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const isClean = async (always: boolean): Promise<void> => {
    if (always || everywhere) expect(await axeFindings(page)).toEqual([]);
  };
  await isClean(false);
  await picture('light');
  await turn('rtl');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture('dark-rtl');
  await isClean(true);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await wider()).toBeLessThanOrEqual(0);
  await picture('390-dark-rtl');
  await isClean(false);
  await turn('ltr');
  expect(await wider()).toBeLessThanOrEqual(0);
  await page.emulateMedia({ colorScheme: 'light' });
  await picture('390');
  await isClean(false);
  await page.setViewportSize({ width: 1280, height: 900 });
}
