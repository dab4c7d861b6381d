/** Whether the page of a run goes on while 10,000 units are asked, and while they and their records are scrolled, in Chromium. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogServer } from '../../tests/e2e/support/catalog-server.ts';
import { openPlace } from '../../tests/e2e/support/places.ts';
import { useOllama } from '../../tests/e2e/support/playbook-page.ts';
import { startModelServer } from '../../tests/fixtures/model-server.ts';
import { buildIfChanged } from '../lib/build.mjs';
import { openAppBrowser } from './media/disk-browser.ts';
import { forgetTasks, longestTask, watchTasks } from './media/main-thread.ts';
import { partsOfTasks, TRACED } from './media/task-parts.ts';

const UNITS = 10_000;
const PATIENCE_MS = 900_000;
/** Turns of the wheel, and milliseconds between them. */
const [TURNS, REST_MS] = [60, 50];
const BOOK = `playbook: 1
steps:
  - name: tell
    model: small
    input: in.jsonl
    multiple_parts: true
    parallel: 8
    instruction_user_prompt: 'Tell of {this::name}.'
    output: told.jsonl
    output_format: { name: '{this::name}', said: '{output}' }
`;

/**
 * @param size share of the units
 * @param trace where Chromium's trace is kept, of which the parts of long tasks are printed; null: it is not traced, which
 *   costs less
 * @returns playbook_page.longest_task_ms while it runs and playbook_page.scroll_task_ms while it is scrolled (50: nothing
 *   was longer), how many were over, playbook_page.run_s
 */
export async function benchPlaybookPage({
  size,
  trace,
}: {
  size: number;
  trace: string | null;
}): Promise<Record<string, number>> {
  await buildIfChanged(process.execPath);
  const units = Math.round(UNITS * size);
  const folder = await mkdtemp(join(tmpdir(), 'bench-playbook-page-'));
  const input = join(folder, 'in.jsonl');
  await writeFile(input, Array.from({ length: units }, (_, n) => `{"name":"bird ${n}"}\n`).join(''));
  const server = await CatalogServer.start(join(folder, 'data'));
  const model = await startModelServer({ models: ['m'], cors: server.origin, reply: () => ({ content: 'It sings.' }) });
  const browser = await openAppBrowser(join(folder, 'profile'), watchTasks).catch(async (error: unknown) => {
    await server.kill();
    await model.close();
    throw error;
  });
  try {
    const { page } = browser;
    await page.goto(server.signInLink);
    await openPlace(page, 'Playbooks');
    await page.getByRole('button', { name: 'New playbook' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill(BOOK);
    await browser.choose('input[accept^=".json"]', [input]);
    await page.getByText('Nothing is wrong with it.').waitFor();
    await useOllama(page, model, 'm');
    // The app is kept for a start without its server, and what begins with the page is over.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.waitForTimeout(10_000);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Unit 1:' }).waitFor();
    await forgetTasks(page);
    const traced = page.context().browser();
    if (trace !== null) await traced?.startTracing(page, { path: trace, categories: TRACED });
    const begun = performance.now();
    // Not by its role: what Playwright looks for in the page would be the longest task of all.
    await page.waitForFunction(() => document.querySelector('[role=status] .strong')?.textContent === 'done', null, {
      polling: 1000,
      timeout: PATIENCE_MS,
    });
    const seconds = (performance.now() - begun) / 1000;
    const running = await longestTask(page);
    await page.getByRole('cell', { name: 'bird 0', exact: true }).waitFor();
    await page.waitForTimeout(3000);
    await forgetTasks(page);
    for (const what of ['[role=region][aria-label^="Units of"]', '.table-box']) {
      await page.locator(what).first().hover();
      for (let turn = 0; turn < TURNS; turn++) {
        await page.mouse.wheel(0, 300);
        await page.waitForTimeout(REST_MS);
      }
    }
    const scrolled = await longestTask(page);
    const parts = trace === null || traced === null ? null : partsOfTasks(await traced.stopTracing());
    if (parts !== null) console.log(parts.told);
    return {
      'playbook_page.units': units,
      'playbook_page.run_s': seconds,
      'playbook_page.longest_task_ms': running.ms,
      'playbook_page.tasks_over_50': running.over,
      'playbook_page.scroll_task_ms': scrolled.ms,
      'playbook_page.scroll_over_50': scrolled.over,
      ...(parts === null
        ? {}
        : { 'playbook_page.task_cpu_ms': parts.ms, 'playbook_page.tasks_over_50_cpu': parts.over }),
    };
  } finally {
    await browser.close();
    await model.close();
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}
