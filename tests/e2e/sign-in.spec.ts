import type { Page } from '@playwright/test';
import type { Api } from './support/api.ts';
import { expect, test } from './support/test.ts';

/** Lets a person in; answers the token of their browser. */
async function invited(api: Api, name: string): Promise<string> {
  const { secret } = await api.post<{ secret: string }>('/v1/invites', { name, role: 'editor' });
  return (await api.post<{ token: string }>('/v1/invites/accept', { secret })).token;
}

const who = (page: Page, name: string) => page.getByRole('link', { name: `Signed in as ${name}` });

test('UI-153 AUTH-39 a link takes nobody’s sign-in without being asked, and the page says who it is', async ({
  app,
  api,
  page,
  server,
  browser,
}) => {
  const token = await invited(api, 'Vera');
  const open = (value: string) => page.goto(`${server.origin}/#token=${value}`);
  await expect(who(page, 'Admin')).toBeVisible();

  await open('garbage-that-somebody-made-up');
  await expect(page.getByText('The server does not know the token of this sign-in link.')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();

  await open(token);
  await expect(page.getByText('You are signed in as Admin. A link that was opened signs you in as Vera')).toBeVisible();
  expect(page.url()).toBe(`${server.origin}/`);
  await page.getByRole('button', { name: 'Stay Admin' }).click();
  await page.reload();
  await expect(who(page, 'Admin')).toBeVisible();

  await server.stop();
  await open(token);
  await expect(page.getByText('This sign-in link was not used yet')).toBeVisible();
  await server.start();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Sign in as Vera' }).click();
  await expect(who(page, 'Vera')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(who(page, 'Vera')).toBeInViewport();
  // The server's own link, which it printed at this start, is exchanged for a token that does not end with it.
  const printed =
    server.log
      .trim()
      .split('\n')
      .findLast((line) => line.includes('/#token=')) ?? '';
  expect(printed).not.toContain(server.token);
  await page.goto(printed);
  await page.getByRole('button', { name: 'Sign in as Admin' }).click();
  await expect(who(page, 'Admin')).toBeVisible();
  await expect(app.syncStatus).toBeVisible();

  const fresh = await browser.newContext();
  const other = await fresh.newPage();
  await other.goto(`${server.origin}/#token=${token}`);
  await expect(other.getByText('A link that was opened signs this browser in as Vera')).toBeVisible();
  await expect(who(other, 'Vera')).toHaveCount(0);
  await other.getByRole('button', { name: 'No', exact: true }).click();
  await other.goto(printed);
  await expect(who(other, 'Admin')).toBeVisible();
  await fresh.close();
});
