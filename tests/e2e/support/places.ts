import type { Locator, Page } from '@playwright/test';

/** Goes to a place as a person does: by the rail, through *More* where the lane was not used before. */
export async function openPlace(page: Page, name: string): Promise<void> {
  const rail = page.getByRole('navigation', { name: 'Places' });
  await rail.getByRole('link', { name: 'Settings' }).waitFor();
  const place = rail.getByRole('link', { name, exact: true });
  if (!(await place.isVisible())) await rail.getByRole('button', { name: 'More' }).click();
  await place.click();
}

/** Types into the palette; answers what it finds by that name. */
export async function inPalette(page: Page, words: string, name: string | RegExp): Promise<Locator> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find' }).fill(words);
  return page.getByRole('dialog', { name: 'Find' }).getByRole('option', { name });
}
