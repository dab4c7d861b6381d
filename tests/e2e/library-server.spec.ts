import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from './support/api.ts';
import { inPalette, openPlace } from './support/places.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('LIBRARY-79, LIBRARY-102, LIBRARY-103, LIBRARY-104 a folder of the server is searched and opened, Ctrl-K finds its symbols, and who may only read is not offered to look again', async ({
  page,
  server,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-handbook-'));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'tides.md'), '# Tides\n\nHigh water at Brill comes at noon after the new moon.\n');
  await writeFile(
    join(folder, 'src/gate.ts'),
    'export function openHarbourGate(level: number) {\n  return level;\n}\n',
  );
  await server.configure(`[[library.folders]]\nname = "Handbook"\npath = "${folder}"\nreaders = ["ReadCatalog"]\n`);
  const api = new Api(server.origin, server.token);
  const { secret } = await api.post<{ secret: string }>('/v1/invites', { name: 'Vera', role: 'reader' });
  const { token } = await api.post<{ token: string }>('/v1/invites/accept', { secret });

  await page.goto(server.linkOf(token));
  await page.getByRole('button', { name: 'Sign in as Vera' }).click();
  await expect(page.getByRole('link', { name: 'Signed in as Vera' })).toBeVisible();
  await openPlace(page, 'Library');
  await expect(page.getByText('2 files, ')).toBeVisible();
  const again = page.getByRole('button', { name: /Look again/ });
  await expect(again).toBeHidden();

  await page.getByRole('searchbox', { name: 'Search the library' }).fill('high water after the new moon');
  await page
    .getByRole('link', { name: /tides\.md/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'tides.md' })).toBeVisible();
  await expect(page.locator('.wanted')).toContainText('High water');

  await (await inPalette(page, 'openharbour', /openHarbourGate/)).click();
  await expect(page.getByRole('heading', { name: 'gate.ts' })).toBeVisible();

  await page.goto(`${server.origin}/ask`);
  const rail = page.getByRole('navigation', { name: 'Places' });
  await expect(rail.getByRole('link', { name: 'Library' })).toHaveAttribute('aria-current', 'page');

  await page.goto(server.signInLink);
  await page.getByRole('button', { name: 'Sign in as Admin' }).click();
  await openPlace(page, 'Library');
  await again.click();
  await expect(page.getByText('The server looks through the folder.')).toBeVisible();
});
