/** Whether the page goes on while a large guide is read, and mended, in Chromium: its main thread's longest task. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogServer } from '../../tests/e2e/support/catalog-server.ts';
import { buildIfChanged } from '../lib/build.mjs';
import { openAppBrowser } from './media/disk-browser.ts';
import { forgetTasks, longestTask, watchTasks } from './media/main-thread.ts';

const PATIENCE_MS = 600_000;

/**
 * @param file the guide, of so many programmes
 * @returns main_thread_max_ms (50: nothing was longer), guide.tasks_over_50, guide.browser_read_s
 */
export async function benchReadingPage(file: string, programmes: number): Promise<Record<string, number>> {
  await buildIfChanged(process.execPath);
  const folder = await mkdtemp(join(tmpdir(), 'bench-guide-page-'));
  const server = await CatalogServer.start(join(folder, 'data'));
  const browser = await openAppBrowser(join(folder, 'profile'), watchTasks).catch(async (error: unknown) => {
    await server.kill();
    throw error;
  });
  try {
    const { page } = browser;
    await page.goto(server.signInLink);
    await page.goto(`${server.origin}/guide/health`);
    await page.getByText('Drop a guide here').waitFor();
    // The app is kept for a start without its server, and what begins with the page is over.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.waitForTimeout(10_000);
    await forgetTasks(page);
    const begun = performance.now();
    await browser.choose('input[accept^=".xml"]', [file]);
    await page.getByRole('heading', { name: `of ${programmes} programmes` }).waitFor({ timeout: PATIENCE_MS });
    const seconds = (performance.now() - begun) / 1000;
    const { ms, over } = await longestTask(page);
    return { main_thread_max_ms: ms, 'guide.tasks_over_50': over, 'guide.browser_read_s': seconds };
  } finally {
    await browser.close();
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}
