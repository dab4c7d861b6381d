import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../fixtures/model-server.ts';
import { runProgram } from '../fixtures/program.ts';
import { ANOVA_BOOK, PLOTS, SAID } from '../fixtures/toolbox/anova-book.ts';
import { axeFindings } from './support/axe.ts';
import { expect, test } from './support/test.ts';

test('TOOLBOX-65, TOOLBOX-70 with the network cut a playbook reads a table, asks R for an analysis of variance and draws it, a model that was recorded tells of it in traced numbers, and a person opens one to its call', async ({
  page,
  server,
  context,
}) => {
  test.setTimeout(300_000);
  const folder = await mkdtemp(join(tmpdir(), 'accession-figures-'));
  // The first paragraph has a number of its own making: it is asked again.
  const made = 'The yields differ, and trt2 gave 27 percent more.';
  const model = await startModelServer({
    models: ['m'],
    reply: ({ messages }) => ({ content: messages.some(({ content }) => content.includes('27')) ? SAID : made }),
  });
  try {
    const root = join(folder, 'root');
    const recording = join(folder, 'recording.json');
    await mkdir(root);
    await writeFile(join(root, 'plots.csv'), PLOTS);
    await writeFile(join(folder, 'book.yaml'), ANOVA_BOOK);
    const flags = ['--root', root, '--data', folder, '--base-url', model.url, '--record', recording];
    const terminal = await runProgram(
      'cli/main.ts',
      ['playbook', 'run', join(folder, 'book.yaml'), ...flags, '--model-map', '*=ollama/m'],
      {},
    );
    expect(await terminal.exited, terminal.stderr()).toBe(0);

    await page.goto(server.signInLink);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    // Engines are fetched once, each at its first use; from then on nothing is.
    for (const tool of ['frame_query', 'stat_anova', 'plot']) {
      await page.goto(`${server.origin}/tools/${tool}`);
      await page.getByRole('button', { name: 'Fill in the example' }).click();
      await page.getByRole('button', { name: /^(Run|Fetch .* and run)$/ }).click();
      await expect(page.getByRole('heading', { name: 'Result' })).toBeFocused({ timeout: 120_000 });
    }
    await context.setOffline(true);
    await page.goto(`${server.origin}/playbooks`);
    await page.getByRole('button', { name: 'New playbook' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill(ANOVA_BOOK);
    await page.getByLabel('Add files').setInputFiles([
      { name: 'plots.csv', mimeType: 'text/csv', buffer: Buffer.from(PLOTS) },
      { name: 'recording.json', mimeType: 'application/json', buffer: await readFile(recording) },
    ]);
    await page.getByLabel('With the answers of recording.json: no model is asked').check();
    await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible({ timeout: 120_000 });

    const file = page.getByRole('combobox', { name: 'File' });
    await file.selectOption('report.md');
    await expect(page.getByRole('region', { name: 'report.md' })).toContainText(SAID);
    const tell = page.getByRole('listitem').filter({ hasText: 'tell' });
    await tell.getByRole('button', { name: 'Unit 1: done' }).click();
    await expect(page.getByRole('region', { name: 'Unit 1 of tell' })).toContainText('27');
    await page.getByRole('listitem').filter({ hasText: 'test' }).getByRole('button', { name: 'Unit 1: done' }).click();
    const call = page.getByRole('region', { name: 'Unit 1 of test' });
    await expect(call).toContainText('stat_anova');
    await expect(call).toContainText('"statistic":5.14');
    expect(await axeFindings(page)).toEqual([]);

    const zip = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const { default: JSZip } = await import('jszip');
    const saved = await JSZip.loadAsync(await readFile(await (await zip).path()));
    for (const path of ['table.json', 'anova.json', 'figure.json', 'report.md'])
      expect(await saved.file(`files/${path}`)?.async('string'), path).toBe(await readFile(join(root, path), 'utf8'));
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
});
