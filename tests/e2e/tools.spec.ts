import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { toolNamed } from '#core/toolbox/tools.ts';
import { axeFindings } from './support/axe.ts';
import { expect, test } from './support/test.ts';

/** A tool of each engine; R starts once, in the browser. */
const SAMPLE = ['mine_classify', 'frame_query', 'cas', 'spice', 'plot', 'map', 'graph', 'tex'];

const runButton = (page: Page) => page.getByRole('button', { name: /^(Run|Fetch .* and run)$/ });

async function runExample(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Fill in the example' }).click();
  await runButton(page).click();
  await expect(page.getByRole('heading', { name: 'Result' })).toBeFocused({ timeout: 300_000 });
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save JSON' }).click();
  return readFile(await (await saved).path(), 'utf8');
}

test('UI-210, UI-212, TOOLBOX-29, TOOLBOX-30 a tool of each engine answers in the browser what it answers in Node, then without a network', async ({
  page,
  context,
  server,
}) => {
  await page.goto(server.signInLink);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await page.goto(`${server.origin}/tools`);
  await expect(page.getByRole('listitem').filter({ hasText: 't-test' })).toContainText(/Fetches 1\d\.\d\sMB once/);
  expect(await axeFindings(page)).toEqual([]);

  const cage = openNodeCage();
  const run = new ToolboxRun({ cage });
  try {
    for (const name of SAMPLE) {
      const tool = toolNamed(name);
      await page.goto(`${server.origin}/tools/${name}`);
      const here = await runExample(page);
      const theme = ['plot', 'map', 'graph'].includes(name) ? { theme: 'light' } : {};
      const there = await run.call(tool, { ...(tool.example as object), ...theme });
      expect(here).toBe(there.ok ? JSON.stringify(there.answer.whole, null, 2) : there.failure);
      if (['plot', 'frame_query', 'tex'].includes(name)) expect(await axeFindings(page)).toEqual([]);
    }
  } finally {
    cage.close();
  }

  await page.goto(`${server.origin}/tools/stat_anova`);
  await runExample(page);
  await context.setOffline(true);
  await page.reload();
  await runExample(page);
  await expect(page.getByText('F(2, 9) = 5.14, p = .032').first()).toBeVisible();
  await page.goto(`${server.origin}/tools/python_run`);
  await page.getByRole('textbox', { name: 'Code' }).fill('1 + 1');
  await page.getByLabel('I have read this code').check();
  await runButton(page).click();
  await expect(page.getByRole('alert')).toContainText('not on this device yet');

  await page.goto(`${server.origin}/tools`);
  await page.getByRole('button', { name: 'Remove R' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 't-test' })).toContainText('once');
});

test('UI-211, UI-213, TOOLBOX-28 a run is cancelled and ends at its bound, the next one works; what is wrong stands at its field; by keyboard, at 390 px, dark', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.origin}/tools/frame_query`);
  const sql = page.getByRole('textbox', { name: 'SQL' });
  await page.getByLabel('Rows of table 1').fill('k,v\na,1\n');
  await sql.fill('select count(*) from range(100000000) a, range(1000000) b where a.range % 7 = b.range % 11');
  await runButton(page).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden();

  await sql.fill('select nope from t');
  await runButton(page).click();
  await expect(sql).toBeFocused();
  await expect(sql).toHaveAttribute('aria-invalid', 'true');
  await sql.fill('select k, v + 1 as w from t');
  await runButton(page).click();
  await expect(page.getByRole('cell', { name: '2', exact: true })).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('UI-355, TOOLBOX-90 what a tool may take is raised in Settings: a query that wants more memory than it has is answered then', async ({
  page,
  server,
}) => {
  await page.goto(`${server.origin}/tools/frame_query`);
  // 300 MB, and its text twice while it grows.
  const wide = "select length(string_agg(repeat('x', 1000000), '')) as n from range(300)";
  const sql = page.getByRole('textbox', { name: 'SQL' });
  await page.getByLabel('Rows of table 1').fill('k\n1\n');
  await sql.fill(wide);
  await runButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'memory' })).toBeVisible({ timeout: 300_000 });
  await page.getByRole('link', { name: 'Settings, Tools' }).click();
  await expect(page).toHaveURL(/\/settings#tools$/);
  const memory = page.getByRole('textbox', { name: 'Memory (MB)' });
  await expect(memory).toHaveValue('512');
  await memory.fill('100');
  await expect(page.getByText('From 512 to 4,096.')).toBeVisible();
  await memory.fill('3000');
  await memory.blur();
  await expect(page.getByRole('region', { name: 'Tools' }).getByText('Saved')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.reload();
  await expect(memory).toHaveValue('3000');
  await page.goto(`${server.origin}/tools/frame_query`);
  await page.getByLabel('Rows of table 1').fill('k\n1\n');
  await sql.fill(wide);
  await runButton(page).click();
  await expect(page.getByRole('cell', { name: '300000000', exact: true })).toBeVisible({ timeout: 300_000 });
});

test('TOOLBOX-49 Wikipedia is asked by the page, a register by the server; without a network what was answered is there, with its day', async ({
  page,
  context,
  server,
}) => {
  const answer = {
    query: {
      pages: [
        {
          ...{ pageid: 1, title: 'Analysis of variance', extract: 'A collection of statistical models.' },
          ...{ fullurl: 'https://en.wikipedia.org/wiki/Analysis_of_variance' },
          revisions: [{ revid: 77, timestamp: '2026-10-01T08:00:00Z' }],
        },
      ],
    },
  };
  const asked: string[] = [];
  await context.route('https://en.wikipedia.org/**', (route) => {
    asked.push(route.request().headers()['authorization'] ?? '');
    return route.fulfill({ json: answer, headers: { 'Access-Control-Allow-Origin': '*' } });
  });
  await page.goto(server.signInLink);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await page.goto(`${server.origin}/tools`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Wikipedia' })).toContainText('Asks wikipedia.org');
  await page.goto(`${server.origin}/tools/wikipedia`);
  await page.getByRole('button', { name: 'Fill in the example' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('A collection of statistical models.').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Sources' })).toContainText('CC BY-SA 4.0');
  expect(asked).toEqual(['']);
  expect(await axeFindings(page)).toEqual([]);

  await context.unroute('https://en.wikipedia.org/**');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(/This is what it answered on|this is what it answered on/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Title' }).fill('Something else');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('en.wikipedia.org gave no answer');
  await context.setOffline(false);

  // No test has a network: the server says that the register is not there.
  const relayed = page.waitForResponse((response) => response.url().endsWith('/v1/connectors/osint'));
  await page.goto(`${server.origin}/tools/osint`);
  await page.getByRole('button', { name: 'Fill in the example' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('example.invalid');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  expect(await (await relayed).json()).toMatchObject({ outcome: 'failed' });
  await expect(page.getByRole('alert')).toContainText('osint:');
});
