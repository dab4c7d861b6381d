import type { Page } from '@playwright/test';

/** Goes to a place as a person does: by the rail, through *More* where the lane was not used before. */
export async function openPlace(page: Page, name: string): Promise<void> {
  const rail = page.getByRole('navigation', { name: 'Places' });
  await rail.getByRole('link', { name: 'Settings' }).waitFor();
  const place = rail.getByRole('link', { name, exact: true });
  if (!(await place.isVisible())) await rail.getByRole('button', { name: 'More' }).click();
  await place.click();
}
