import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { startModelServer } from '../fixtures/model-server.ts';
import { inPalette, openPlace } from './support/places.ts';
import { dropFolder } from './support/real-folder.ts';
import { expect, ONLINE, test } from './support/test.ts';
import { column, makePdf } from '../fixtures/make-pdf.ts';

test.use(ONLINE);

const HARBOUR = 'The harbour of Brill was dug in 1871 by Ada Quist, who had drained the marsh before.';
const FILES = {
  'notes/harbour.md': `# Harbour\n\nBoats come and go.\n\n## History\n\n${HARBOUR}\n`,
  'src/read_body.py':
    'class Reader:\n    def read_http_body(self, socket):\n        """Drains the socket."""\n        return drain(socket)\n',
  'src/Gate.ts': 'export function openHarbourGate(level: number): boolean {\n  return level > 3;\n}\n',
  'a page that was saved under a name longer than a telephone is wide.html': '<p>A saved page about nets.</p>',
  'paper.pdf': makePdf([column(60, 700, ['Nets and boats.']), column(60, 700, ['A paper about the weir of Brill.'])], {
    info: { Title: 'Weirs of the coast', Author: 'Ada Quist' },
  }),
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

test('LIBRARY-60, LIBRARY-61, LIBRARY-62, LIBRARY-133, UI-170, UI-292 a dropped folder is read, found by question, by author and by symbol, opened at its line, kept over a reload, and taken out again', async ({
  page,
  server,
}) => {
  await page.goto(server.signInLink);
  const inRail = page.getByRole('navigation', { name: 'Places' }).getByRole('link');
  const USED = ['Ingest', 'Review', 'History', 'Catalog', 'Settings'];
  await expect(inRail).toHaveText(USED);
  await openPlace(page, 'Library');
  await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
  await expect(inRail).toHaveText(USED.toSpliced(4, 0, 'Library'));
  await dropFolder(page, await folderOf(FILES));
  await expect(page.getByText(/^6 files, \d+ chunks/)).toBeVisible();

  const search = page.getByRole('searchbox', { name: 'Search the library' });
  await search.fill('who dug the harbour?');
  await expect(page.getByRole('link', { name: /harbour\.md/ }).first()).toContainText('Ada Quist');
  await search.fill('weir of Brill');
  await expect(page.getByRole('link', { name: /paper\.pdf/ }).first()).toContainText('A paper about the weir');
  await search.fill('weir author:quist');
  await expect(page.getByRole('link', { name: /Weirs of the coast/ })).toContainText('page 2');
  await page.getByRole('link', { name: /Weirs of the coast/ }).click();
  const reader = page.getByRole('dialog', { name: 'Reader' });
  await expect(reader.getByRole('region', { name: 'Page 2 of 2' })).toBeVisible();
  await expect(reader.locator('.outline')).toHaveCount(1);
  await reader.getByRole('button', { name: 'Close the reader' }).click();
  await expect(page.getByRole('button', { name: 'Open the PDF' })).toBeVisible();
  await page.goBack();
  await search.fill('zeppelin');
  await expect(page.getByText('Nothing in the library has these words.')).toBeVisible();

  await search.fill('');
  await page.getByRole('link', { name: 'Brill' }).click();
  await expect(page.getByText('Left out: 1 .gitignore, 1 binary, 1 node_modules.')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'read_body.py' })).toContainText('python-ingester');
  await page.setViewportSize({ width: 390, height: 844 });
  const ending = await page.getByText('e is wide.html', { exact: true }).boundingBox();
  expect((ending?.x ?? 390) + (ending?.width ?? 0)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.reload();
  // Keys are heard as soon as the page has something to show.
  await expect(page.getByRole('row').filter({ hasText: 'read_body.py' })).toBeVisible();
  await expect(inRail).toHaveText(USED.toSpliced(4, 0, 'Library'));
  await (await inPalette(page, 'openharbourgate', /openHarbourGate/)).click();
  await expect(page.getByRole('heading', { name: 'Gate.ts' })).toBeVisible();
  await expect(page.locator('.wanted')).toContainText('openHarbourGate');
  await expect(page.getByRole('navigation', { name: 'Outline' })).toContainText('function');

  await openPlace(page, 'Library');
  await page.getByText('Who reads what').click();
  await expect(page.getByRole('row').filter({ hasText: 'Markdown' })).toContainText('md');
  await page.getByRole('button', { name: 'Remove Brill' }).click();
  await expect(page.getByRole('heading', { name: 'Folders' })).toBeHidden();
});

const AGENT = `---
agentId: lisp-ingester
name: LISP Ingester
capabilities:
  - ingest:lisp
priority: 80
provider: ollama
model: tiny
---

## System Prompt

You are a LISP code analyzer.
`;
const LISP_FILES = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [`src/f${n}.lisp`, `(defun harbour-${n} () ${n})\n`]),
);

test('LIBRARY-92, LIBRARY-93 an agent dropped onto the page asks the model of the settings, reads its files again, stays over a reload, is refused with its line where it is no good, and goes', async ({
  page,
  server,
}) => {
  const reply = '[{"text":"(defun","chunkType":"defun","symbolName":"defun"}]';
  const model = await startModelServer({ models: ['tiny'], cors: '*', reply: () => ({ content: reply }) });
  const agent = join(await mkdtemp(join(tmpdir(), 'accession-agent-')), 'lisp.md');
  const readBy = (name: string) => page.getByRole('cell', { name, exact: true });
  try {
    await page.goto(server.signInLink);
    await openPlace(page, 'Library');
    await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
    await dropFolder(page, await folderOf(LISP_FILES));
    await expect(page.getByText(/^40 files, \d+ chunks/)).toBeVisible();

    await writeFile(agent, AGENT.replace('ingest:lisp', 'lisp'));
    await dropFolder(page, agent);
    await expect(page.getByText('lisp.md, line 5: "lisp" is no capability')).toBeVisible();
    await writeFile(agent, AGENT);
    await dropFolder(page, agent);
    const row = page.getByRole('row').filter({ hasText: 'LISP Ingester' });
    await expect(row).toContainText('Not now: no model is set up');

    await setModel(page, model.url);
    await expect(row).toContainText('Ready: asks ollama/tiny');
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(page.getByText(/^40 files, \d+ chunks/)).toBeVisible();
    await page.getByRole('link', { name: 'Brill' }).click();
    await expect(readBy('lisp-ingester')).toHaveCount(40);

    await page.getByRole('link', { name: 'All folders' }).click();
    // A reload before the way there is over would come back to the folder.
    await expect(page.getByText('Who reads what')).toBeVisible();
    await page.reload();
    await page.getByText('Who reads what').click();
    await row.getByRole('button', { name: 'Remove LISP Ingester' }).click();
    await expect(row).toBeHidden();
  } finally {
    await model.close();
  }
});

/** As a person does it, and back to the library without a full load. */
async function setModel(page: Page, address: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('radio', { name: 'Ollama' }).check();
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(address);
  const name = page.getByRole('textbox', { name: 'Model', exact: true });
  await name.fill('tiny');
  await name.blur();
  await openPlace(page, 'Library');
}
