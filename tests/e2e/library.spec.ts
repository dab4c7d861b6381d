import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dropFolder } from './support/real-folder.ts';
import { expect, test } from './support/test.ts';
import { column, makePdf } from '../unit/library/make-pdf.ts';

const HARBOUR = 'The harbour of Brill was dug in 1871 by Ada Quist, who had drained the marsh before.';
const FILES = {
  'notes/harbour.md': `# Harbour\n\nBoats come and go.\n\n## History\n\n${HARBOUR}\n`,
  'src/read_body.py':
    'class Reader:\n    def read_http_body(self, socket):\n        """Drains the socket."""\n        return drain(socket)\n',
  'src/Gate.ts': 'export function openHarbourGate(level: number): boolean {\n  return level > 3;\n}\n',
  'page.html': '<p>A saved page about nets.</p>',
  'paper.pdf': makePdf([column(60, 700, ['A paper about the weir of Brill.'])]),
  '.gitignore': '*.log\n',
  'debug.log': 'ignored',
  'node_modules/p/index.js': 'ignored()',
  'photo.png': Uint8Array.of(0x89, 0x50, 0, 0, 1, 2),
};

async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'accession-library-')), 'Brill');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

test('LIBRARY-60, LIBRARY-61, LIBRARY-62 a dropped folder is read, found by question and by symbol, opened at its line, kept over a reload, and taken out again', async ({
  page,
  server,
}) => {
  await page.goto(server.signInLink);
  await page.getByRole('link', { name: 'Library', exact: true }).click();
  await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
  await dropFolder(page, await folderOf(FILES));
  await expect(page.getByText(/^6 files, \d+ chunks/)).toBeVisible();

  const search = page.getByRole('searchbox', { name: 'Search the library' });
  await search.fill('who dug the harbour?');
  await expect(page.getByRole('link', { name: /harbour\.md/ }).first()).toContainText('Ada Quist');
  await search.fill('weir of Brill');
  await expect(page.getByRole('link', { name: /paper\.pdf/ }).first()).toContainText('A paper about the weir');
  await search.fill('zeppelin');
  await expect(page.getByText('Nothing in the library has these words.')).toBeVisible();

  await search.fill('');
  await page.getByRole('link', { name: 'Brill' }).click();
  await expect(page.getByText('Left out: 1 .gitignore, 1 binary, 1 node_modules.')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'read_body.py' })).toContainText('python-ingester');

  await page.reload();
  // Keys are heard as soon as the page has something to show.
  await expect(page.getByRole('row').filter({ hasText: 'read_body.py' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find' }).fill('openharbourgate');
  await page.getByRole('option', { name: /openHarbourGate/ }).click();
  await expect(page.getByRole('heading', { name: 'Gate.ts' })).toBeVisible();
  await expect(page.locator('.wanted')).toContainText('openHarbourGate');
  await expect(page.getByRole('navigation', { name: 'Outline' })).toContainText('function');

  await page.getByRole('link', { name: 'Library', exact: true }).click();
  await page.getByText('Who reads what').click();
  await expect(page.getByRole('row').filter({ hasText: 'Markdown' })).toContainText('md');
  await page.getByRole('button', { name: 'Remove Brill' }).click();
  await expect(page.getByRole('heading', { name: 'Folders' })).toBeHidden();
});
