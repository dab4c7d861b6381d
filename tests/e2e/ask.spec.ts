import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dropFolder } from './support/real-folder.ts';
import { expect, test } from './support/test.ts';

const FILES = {
  'station/handbook.md':
    '# Handbook\n\n## Opening hours\n\nIn winter the station closes at 16:30. In summer it closes at 18:00.\n\n## Boats\n\nThe Tern carries four people.\n',
  'station/budget.txt': 'Budget 2031\n\nThe new winch costs 4,200 euros.\n',
};

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'accession-ask-')), 'Station');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

test('ASK-70, ASK-71 offline, a question is answered with a quote that opens at its span, what is missing is said, and both are kept over a reload', async ({
  page,
  server,
  context,
}) => {
  await page.goto(server.signInLink);
  await page.getByRole('link', { name: 'Library', exact: true }).click();
  await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
  await dropFolder(page, await folderOf(FILES));
  await expect(page.getByText(/^2 files, \d+ chunks/)).toBeVisible();
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Question' })).toBeVisible();
  await context.setOffline(true);

  await page.getByRole('textbox', { name: 'Question' }).fill('When does the station close in winter?');
  await page.keyboard.press('Enter');
  const answer = page.getByRole('region', { name: 'When does the station close in winter?' });
  await expect(answer.getByText('Answered', { exact: false }).first()).toBeVisible();
  const label = answer.getByRole('button', { name: 'Source 1' }).first();
  await label.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(answer.getByRole('tooltip').first()).toContainText('In winter the station closes at 16:30.');
  await page.keyboard.press('Enter');
  const source = page.getByRole('region', { name: 'Source 1', exact: true });
  await expect(source.locator('mark')).toHaveText('In winter the station closes at 16:30.');
  await expect(source.getByRole('link', { name: 'Open the file' })).toHaveAttribute('href', /handbook\.md&line=5$/);

  await page.getByRole('textbox', { name: 'Question' }).fill('Who is the mayor of Oslo?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByText('Not in the library', { exact: false }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();

  await context.setOffline(false);
  await page.reload();
  await page.getByRole('button', { name: /When does the station close/ }).click();
  await expect(page.getByRole('button', { name: 'Source 1' }).first()).toBeVisible();
});
