import type { Locator } from '@playwright/test';
import { startModelServer } from '../fixtures/model-server.ts';
import { axeFindings } from './support/axe.ts';
import { openPlace } from './support/places.ts';
import { makePlaybook, useOllama } from './support/playbook-page.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

/** Its model calls a tool, and writes a number of the call, one of the input and one of nowhere. */
const BOOK = `playbook: 1
steps:
  - name: tell
    model: small
    input: shops.json
    multiple_parts: true
    agent: { enabled: true, tools: [mine_rules] }
    max_requery_iterations: 1
    instruction_user_prompt: 'What is bought together in {this::shop}?'
    output: told.json
    output_format: { shop: '{this::shop}', said: '{output}' }
  - name: sum
    model: small
    input: told.json
    instruction_user_prompt: 'In one sentence: {this[0]::said}'
    output: sum.md
`;
const SHOPS = JSON.stringify([{ shop: 'the mill', opened: 1874 }]);
const CALL = {
  call: 'mine_rules',
  input: { baskets: [['bread', 'milk'], ['bread', 'milk'], ['tea']], min_support: 0.5, min_confidence: 0.6 },
};

test('PLAYBOOK-90, PLAYBOOK-92 a person opens a number of a record to its call with input and version, another to the input that it is from; one of nowhere has the word in records, text, trace and beside another run', async ({
  page,
  server,
}) => {
  let times = 41;
  const model = await startModelServer({
    ...{ cors: server.origin, models: ['m'] },
    reply({ messages }) {
      const said = messages.map(({ content }) => content).join('\n');
      if (said.includes('In one sentence')) return { content: `Milk, ${times + 1} times.` };
      if (!said.includes('What your calls found')) return { content: JSON.stringify(CALL) };
      return { content: `Milk, in [[r1.baskets]] baskets since 1874, and ${times} times elsewhere.` };
    },
  });
  try {
    await page.goto(server.signInLink);
    await openPlace(page, 'Playbooks');
    await makePlaybook(page, BOOK, { 'shops.json': SHOPS });
    const book = page.url();
    await useOllama(page, model, 'm');
    const run = async (): Promise<void> => {
      await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible({ timeout: 180_000 });
    };
    await run();

    const records = page.getByRole('table', { name: 'Records of told.json' });
    await expect(records).toContainText('Milk, in 3 baskets since 1874, and 41 untraced times elsewhere.');
    const toCall = records.getByRole('link', { name: '3', exact: true });
    await expect(toCall).toHaveAttribute('title', /^r1\.baskets of mine_rules, version \S+$/);
    await toCall.focus();
    await page.keyboard.press('Enter');
    const unit = page.getByRole('region', { name: 'Unit 1 of tell' });
    const call: Locator = unit.locator(':focus');
    await expect(call).toContainText('tool called');
    await expect(call).toContainText('mine_rules {"baskets":[["bread","milk"]');
    await expect(unit.getByText(/of mine_rules, version \S/)).toBeVisible();
    await expect(unit).toContainText('and 41 untraced times elsewhere.');
    expect(await axeFindings(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath('call.png'), fullPage: true });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate(() => void (document.documentElement.dir = 'rtl'));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: test.info().outputPath('call-390-dark-rtl.png'), fullPage: true });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.evaluate(() => void (document.documentElement.dir = 'ltr'));
    await page.setViewportSize({ width: 1280, height: 900 });
    await records.getByRole('link', { name: '1874', exact: true }).click();
    await expect(unit.locator(':focus')).toContainText('1874 from the input shops.json.opened');

    await page.getByRole('combobox', { name: 'File' }).selectOption('sum.md');
    await expect(page.getByRole('region', { name: 'sum.md' })).toContainText('Milk, 42 untraced times.');

    const first = page.url();
    await page.goto(book);
    times = 51;
    await run();
    const second = page.url().split('/').at(-1) ?? '';
    await page.goto(`${first}/beside/${second}`);
    await page.getByRole('button', { name: 'Show unit 1 of tell' }).click();
    for (const said of [41, 51]) await expect(page.getByText(`${said} untraced times elsewhere.`)).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath('beside.png'), fullPage: true });
  } finally {
    await model.close();
  }
});
