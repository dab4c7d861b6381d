import { axeFindings } from './support/axe.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { shownRun, storedRun } from './support/playbook-page.ts';
import { expect, test } from './support/test.ts';

const BOOK = `playbook: 1
steps:
  - name: tell
    model: gpt-5-mini
    input: in/birds.json
    multiple_parts: true
    instruction_user_prompt: 'Tell of the {this}.'
    output: out/told.jsonl
`;

test('PLAYBOOK-76, PLAYBOOK-84, PLAYBOOK-70, UI-250 a folder of the disk is the root of a run, and a name of a model is mapped in the settings: records lie in the folder, what is there is not overwritten unasked, and after a reload the run goes on there', async ({
  page,
  server,
}) => {
  // The picker is the system's own window; the folder is a real one, that the browser keeps for the page.
  await page.addInitScript(() => {
    Object.assign(window, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('birds', { create: true }),
    });
  });
  await page.goto(server.signInLink);
  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('birds', { create: true });
    const inside = await folder.getDirectoryHandle('in', { create: true });
    const stream = await (await inside.getFileHandle('birds.json', { create: true })).createWritable();
    await stream.write('["owl","wren","tern"]');
    await stream.close();
  });
  const told = (): Promise<string> =>
    page.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('birds');
      const file = await (await folder.getDirectoryHandle('out')).getFileHandle('told.jsonl');
      return (await file.getFile()).text();
    });
  const model = await startModelServer({
    ...{ cors: server.origin, models: ['qwen2.5:3b', 'qwen3:8b'] },
    reply: ({ messages }) =>
      model.requests.length === 2 ? { hang: 'before-headers' } : { content: `So: ${messages.at(-1)?.content ?? ''}` },
  });

  await page.getByRole('link', { name: 'Settings' }).first().click();
  const section = page.getByRole('region', { name: 'Model', exact: true });
  await section.getByRole('radio', { name: 'Ollama' }).check();
  await section.getByLabel('Address').fill(model.url);
  await section.getByLabel('Address').blur();
  await section.getByLabel('Model', { exact: true }).fill('qwen2.5:3b');
  await section.getByLabel('Model', { exact: true }).blur();
  const names = page.getByRole('region', { name: 'Playbooks', exact: true });
  await names.getByLabel('Name in playbooks').fill('gpt-5-mini');
  await names.getByLabel('Your model', { exact: true }).fill('qwen3:8b');
  await names.getByRole('button', { name: 'Add' }).click();
  await expect(names.getByText('This is no PROVIDER/MODEL.', { exact: false })).toBeVisible();
  await names.getByLabel('Your model', { exact: true }).fill('ollama/qwen3:8b');
  await names.getByRole('button', { name: 'Add' }).click();
  await expect(names.getByLabel('gpt-5-mini', { exact: true })).toHaveValue('ollama/qwen3:8b');
  expect(await axeFindings(page)).toEqual([]);
  await names.scrollIntoViewIfNeeded();
  await page.screenshot({ path: test.info().outputPath('settings.png') });

  await page.goto(`${server.origin}/playbooks`);
  await page.getByRole('button', { name: 'New playbook' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill(BOOK);
  await page.getByRole('button', { name: 'Use a folder' }).click();
  await expect(page.getByText('of this computer, and nowhere else', { exact: false })).toBeVisible();
  await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
  await expect(page.getByText('ollama/qwen3:8b', { exact: false })).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('book.png'), fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: test.info().outputPath('book-390.png'), fullPage: true });
  await page.setViewportSize({ width: 1280, height: 720 });
  const address = page.url();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => model.requests.length).toBe(2);
  await expect.poll(told).toBe('"So: Tell of the owl."\n');
  // The journal is beside them, and not in the browser.
  const run = await shownRun(page);
  const journal = (): Promise<string[]> =>
    page.evaluate(async (id) => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('birds');
      const ours = await (await folder.getDirectoryHandle('.accession')).getDirectoryHandle('playbooks');
      const parts = await ours.getDirectoryHandle(id);
      const texts: string[] = [];
      for await (const name of (parts as unknown as { keys(): AsyncIterable<string> }).keys())
        texts.push(await (await (await parts.getFileHandle(name)).getFile()).text());
      return texts.join('').split('\n');
    }, run);
  await expect.poll(async () => (await journal()).filter((line) => line.includes('"model_started"')).length).toBe(2);
  expect((await storedRun(page, run)).lines).toBe('');
  await expect(page.getByText('1 of 3 done')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('3 of 3 done')).toBeVisible();
  expect(await told()).toBe(['owl', 'wren', 'tern'].map((bird) => `"So: Tell of the ${bird}."\n`).join(''));
  expect(model.requests.map((request) => request.model)).toEqual(Array.from({ length: 4 }, () => 'qwen3:8b'));
  await expect(page.getByRole('cell', { name: 'So: Tell of the tern.' })).toBeVisible();

  await page.goto(address);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('"out/told.jsonl" is there already.', { exact: false })).toBeVisible();
  await page.getByRole('checkbox', { name: /may be overwritten/ }).check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('3 of 3 done')).toBeVisible();
  expect(model.requests.length).toBe(7);
  const second = await shownRun(page);
  await page.goto(`${server.origin}/playbooks`);
  const runs = page.getByRole('checkbox');
  await expect(runs).toHaveCount(2);
  for (const box of await runs.all()) await box.check();
  await page.getByRole('button', { name: 'Compare two' }).click();
  await expect(page.getByText('3 of 3 units are the same.')).toBeVisible();
  await page.goto(`${server.origin}/playbooks/runs/${second}`);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'Playbooks', level: 1 })).toBeVisible();
  const left = page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('birds');
    const ours = await (await folder.getDirectoryHandle('.accession')).getDirectoryHandle('playbooks');
    return Array.fromAsync((ours as unknown as { keys(): AsyncIterable<string> }).keys());
  });
  expect(await left).toEqual([run]);
  await model.close();
});
