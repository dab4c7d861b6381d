import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../fixtures/model-server.ts';
import { runProgram } from '../fixtures/program.ts';
import { ANOVA_BOOK, PLOTS } from '../fixtures/toolbox/anova-book.ts';
import { axeFindings } from './support/axe.ts';
import { expect, test } from './support/test.ts';

/** Its paragraph by a model that calls R itself. */
const BOOK = ANOVA_BOOK.replace(
  / {2}- name: tell[^]*/,
  `  - name: tell
    model: small
    input: table.json
    agent: { enabled: true, tools: [stat_anova] }
    numbers: traced
    max_requery_iterations: 3
    instruction_user_prompt: 'Test the yields by treatment and say what came out: {this[0]::data}'
    output: report.md
  - name: guess
    model: small
    instruction_user_prompt: 'Guess how much more the second gave.'
    output: guess.json
  - name: where
    tool: map
    with: { layers: [{ points: [{ lat: 52.5, lon: 13.4, label: Berlin }] }], title: Where it grew }
    output: map.json
  - name: formula
    tool: tex
    with: { tex: 'F = \\frac{a}{b}' }
    output: formula.json
`,
);
const [, ...LINES] = PLOTS.trim().split('\n');
const CELLS = LINES.map((line) => line.split(','));
const CALL = {
  call: 'stat_anova',
  input: {
    data: { treatment: CELLS.map(([name]) => name), yield: CELLS.map(([, value]) => Number(value)) },
    ...{ response: 'yield', factors: ['treatment'] },
  },
};
const MADE = 'The yields differ, and trt2 gave 27 percent more.';
const WRITTEN = 'The yields differ, F(2, 9) = [[r1.statistic]], p = [[r1.p_value]].';
const TOLD = 'The yields differ, F(2, 9) = 5.14, p = 0.0324.';

test('TOOLBOX-65, TOOLBOX-70, UI-243, PLAYBOOK-83 with the network cut a playbook reads a table, asks R for an analysis of variance and draws it, a model that was recorded tells of it in traced numbers, and a person opens one to its call; a number of nowhere is marked with the word, a map and a formula are drawn', async ({
  page,
  server,
  context,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-figures-'));
  // It calls R first; its first paragraph has a number of its own making: it is asked again.
  const model = await startModelServer({
    models: ['m'],
    reply({ messages }) {
      const said = messages.map(({ content }) => content).join('\n');
      if (said.includes('Guess how much')) return { content: 'Some 31 percent, I guess.' };
      if (!said.includes('What your calls found')) return { content: JSON.stringify(CALL) };
      return { content: said.includes('27') ? WRITTEN : MADE };
    },
  });
  try {
    const root = join(folder, 'root');
    const recording = join(folder, 'recording.json');
    await mkdir(root);
    await writeFile(join(root, 'plots.csv'), PLOTS);
    await writeFile(join(folder, 'book.yaml'), BOOK);
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
      await expect(page.getByRole('heading', { name: 'Result' })).toBeFocused({ timeout: 300_000 });
    }
    await context.setOffline(true);
    await page.goto(`${server.origin}/playbooks`);
    await page.getByRole('button', { name: 'New playbook' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill(BOOK);
    await page.getByLabel('Add files').setInputFiles([
      { name: 'plots.csv', mimeType: 'text/csv', buffer: Buffer.from(PLOTS) },
      { name: 'recording.json', mimeType: 'application/json', buffer: await readFile(recording) },
    ]);
    await page.getByLabel('With the answers of recording.json: no model is asked').check();
    await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible({ timeout: 300_000 });

    const file = page.getByRole('combobox', { name: 'File' });
    await file.selectOption('report.md');
    await expect(page.getByRole('region', { name: 'report.md' })).toContainText(TOLD);
    await file.selectOption('figure.json');
    const figure = page.getByRole('region', { name: 'Figure of record 1' });
    await expect(figure.getByRole('img')).toBeVisible();
    await file.selectOption('guess.json');
    const guessed = page.getByRole('table', { name: 'Records of guess.json' });
    await expect(guessed).toContainText('Some 31 untraced percent, I guess.');
    await file.selectOption('map.json');
    await expect(figure.getByRole('img', { name: /Where it grew/ })).toBeVisible();
    await file.selectOption('formula.json');
    await expect(figure.locator('math mfrac')).toBeVisible();
    await expect(page.getByText(/numbers? of which 1 untraced/)).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    const tell = page.getByRole('listitem').filter({ hasText: 'tell' });
    await tell.getByRole('button', { name: 'Unit 1: done' }).click();
    const unit = page.getByRole('region', { name: 'Unit 1 of tell' });
    await expect(unit).toContainText('27');
    await expect(unit.getByRole('listitem').filter({ hasText: 'untraced' })).toHaveCount(0);
    await expect(unit.getByText(/of stat_anova, version \d/).first()).toBeVisible();
    await unit.getByRole('link', { name: 'r1.statistic' }).click();
    const call = page.locator(':target');
    await expect(call).toContainText('stat_anova');
    await expect(call).toContainText('4.17');
    expect(await axeFindings(page)).toEqual([]);

    const zip = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const { default: JSZip } = await import('jszip');
    const saved = await JSZip.loadAsync(await readFile(await (await zip).path()));
    for (const path of [
      'table.json',
      'anova.json',
      'figure.json',
      'report.md',
      'guess.json',
      'map.json',
      'formula.json',
    ])
      expect(await saved.file(`files/${path}`)?.async('string'), path).toBe(await readFile(join(root, path), 'utf8'));
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
});
