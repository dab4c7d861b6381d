/** The Playbooks page as tests use it. */
import { expect, type Page } from '@playwright/test';
import type { ModelServer } from '../../fixtures/model-server.ts';

/** Has this model answer, and comes back to the page that was shown. */
export async function useOllama(page: Page, model: Pick<ModelServer, 'url'>, name: string): Promise<void> {
  const address = page.url();
  await page.getByRole('link', { name: 'Settings' }).first().click();
  const section = page.getByRole('region', { name: 'Model', exact: true });
  await section.getByRole('radio', { name: 'Ollama' }).check();
  for (const [label, value] of [
    ['Address', model.url],
    ['Model', name],
  ] as const) {
    const field = section.getByLabel(label, { exact: true });
    await field.fill(value);
    await field.blur();
  }
  await page.goto(address);
}

/** A playbook of this text with its files, on its page, with nothing wrong with it. */
export async function makePlaybook(page: Page, text: string, files: Readonly<Record<string, string>>): Promise<void> {
  await page.getByRole('button', { name: 'New playbook' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill(text);
  await page.getByLabel('Add files').setInputFiles(
    Object.entries(files).map(([name, content]) => ({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(content) },
    })),
  );
  for (const name of Object.keys(files))
    await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
}

/** A run's lines of its journal and its files, as the app's database has them. */
export function storedRun(page: Page, run: string): Promise<{ lines: string; files: Record<string, string> }> {
  return page.evaluate(async (id) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('accession');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error('the database cannot be opened'));
    });
    const all = <Row>(table: string): Promise<Row[]> =>
      new Promise((resolve, reject) => {
        const asking = database.transaction(table).objectStore(table).getAll();
        asking.onsuccess = () => resolve(asking.result as Row[]);
        asking.onerror = () => reject(new Error('it cannot be read'));
      });
    try {
      const lines = await all<{ run: string; n: number; text: string }>('playbook_lines');
      const parts = await all<{ root: string; path: string; part: number; text: string }>('playbook_files');
      const files: Record<string, string> = {};
      // Rows come in the order of their keys: parts of a file in theirs.
      for (const { root, path, text } of parts) if (root === `run:${id}`) files[path] = (files[path] ?? '') + text;
      return {
        lines: lines
          .filter(({ run: of }) => of === id)
          .map(({ text }) => text)
          .join(''),
        files,
      };
    } finally {
      database.close();
    }
  }, run);
}

/** The id of the run whose page is shown. */
export async function shownRun(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/playbooks\/runs\/[^/]+$/);
  return page.url().split('/').at(-1) ?? '';
}
