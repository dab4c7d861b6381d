/** What axe (https://github.com/dequelabs/axe-core) finds wrong with a page as it is shown now. */
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Each finding with where it is; none where the page is clean. `only`: of these rules alone. */
export async function axeFindings(page: Page, only?: readonly string[]): Promise<string[]> {
  // Run by the debugger: the page's own rules let no foreign script in.
  await page.evaluate(await readFile(FILE, 'utf8'));
  const { violations } = await page.evaluate(
    (rules) => (globalThis as unknown as { axe: typeof axe }).axe.run(document, rules ? { runOnly: [...rules] } : {}),
    only,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
