import { axeFindings } from './support/axe.ts';
import { startModelServer, type Reply } from '../fixtures/model-server.ts';
import { inPalette, openPlace } from './support/places.ts';
import { useOllama } from './support/playbook-page.ts';
import { expect, test } from './support/test.ts';

const BIRDS = `playbook: 1
name: birds
steps:
  - name: tell
    model: small
    input: birds.json
    multiple_parts: true
    instruction_user_prompt: 'Tell of the {this} for {config:whom|us}.'
    output: told.json
`;

test('UI-200, UI-201, UI-202, PLAYBOOK-37, PLAYBOOK-38 offline the shipped playbook is tried, a fault is shown at its line and mended; a tab is closed in the middle of a run of one of the own, which then ends with nothing asked twice', async ({
  page,
  server,
  context,
}) => {
  await page.goto(server.signInLink);
  await openPlace(page, 'Playbooks');
  await expect(page.getByText('There is no playbook yet.', { exact: false })).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await context.setOffline(true);
  await page.getByRole('button', { name: /^Try it/ }).click();
  const text = page.getByRole('textbox', { name: 'Text' });
  await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible();
  await expect(page.getByText('These answers were recorded: no model was asked.')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Mend the heater of the radio room.' })).toBeVisible();
  await page.getByRole('button', { name: 'Unit 2: done' }).click();
  await expect(page.getByRole('region', { name: 'Unit 2 of sort' })).toContainText('errand');
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'File' }).selectOption('letter.md');
  await expect(page.getByRole('region', { name: 'letter.md' })).toContainText('The keeper');

  await page.getByRole('link', { name: 'All playbooks' }).click();
  await page.getByRole('button', { name: 'New playbook' }).click();
  await expect(page.getByText('No model is set up, so nothing can be asked.')).toBeVisible();
  await text.fill(BIRDS.replace('multiple_parts', 'multiple_part'));
  await page.getByRole('button', { name: 'Line 7, column 5' }).click();
  await expect(text).toBeFocused();
  await expect(page.getByText('multiple_parts', { exact: false }).last()).toBeVisible();
  await text.fill(BIRDS);
  await page
    .getByLabel('Add files')
    .setInputFiles({ name: 'birds.json', mimeType: 'application/json', buffer: Buffer.from('["owl","wren","tern"]') });
  await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
  await page.getByLabel('whom').fill('children');
  await context.setOffline(false);

  const replies: Reply[] = [{ content: 'An owl.' }, { hang: 'before-headers' }];
  const model = await startModelServer({
    ...{ cors: server.origin, models: ['qwen2.5:3b'] },
    reply: ({ messages }) => replies.shift() ?? { content: `So: ${messages.at(-1)?.content ?? ''}` },
  });
  await useOllama(page, model, 'qwen2.5:3b');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => model.requests.length).toBe(2);
  await expect(page.getByText('1 of 3 done')).toBeVisible();

  await page.reload();
  await expect(page.getByText('It was cut off', { exact: false })).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('3 of 3 done')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'An owl.' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'So: Tell of the tern for children.' })).toBeVisible();
  expect(model.requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(
    ['owl', 'wren', 'wren', 'tern'].map((bird) => `Tell of the ${bird} for children.`),
  );
  await model.close();

  // UI-293: the palette finds runs, and playbooks by their names.
  const run = page.url();
  await page.getByRole('link', { name: 'All playbooks' }).click();
  const runs = await inPalette(page, 'qwen2.5', /qwen|done/);
  await runs.first().click();
  await expect(page).toHaveURL(run);
  await page.getByRole('link', { name: 'All playbooks' }).click();
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Compare two' }).click();
  await expect(page.getByText('0 of 8 units are the same.')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
});
