import type { Locator, Page } from '@playwright/test';
import { startModelServer, type Reply } from '../fixtures/model-server.ts';
import { runProgram } from '../fixtures/program.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axeFindings } from './support/axe.ts';
import { looksRight } from './support/looks.ts';
import { makePlaybook, useOllama } from './support/playbook-page.ts';
import { openPlace } from './support/places.ts';
import { dropFolder } from './support/real-folder.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const BIRDS = `playbook: 1
name: birds
steps:
  - name: tell
    model: small
    input: birds.json
    multiple_parts: true
    instruction_user_prompt: 'Tell of the {this}.'
    output: told.json
    output_format: { bird: '{this}', said: '{output}' }
`;

test('PLAYBOOK-63, PLAYBOOK-86, UI-245, UI-251 by the keyboard alone a playbook is written and mended, run, cancelled, resumed and paused, its records sorted, a unit and two runs looked at; answers and the time left are seen as they come; a step asks the library; on a low window the rail scrolls to the settings', async ({
  page,
  server,
}) => {
  const gates = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
  const replies: (Reply | Promise<Reply>)[] = [
    { content: 'An owl.' },
    { content: 'A wren is a very small bird', hang: 'mid-stream' },
    ...gates.map(({ promise }, at) => promise.then(() => ({ content: at === 0 ? 'A wren.' : 'A tern.' }))),
  ];
  const model = await startModelServer({
    ...{ cors: server.origin, models: ['m'] },
    reply: ({ messages }) => replies.shift() ?? { content: `So: ${messages.at(-1)?.content ?? ''}` },
  });
  const folder = await mkdtemp(join(tmpdir(), 'accession-steps-'));
  const book = `${BIRDS}  - name: look\n    tool: rag_retrieve\n    with: { query: winch, k: 1 }\n    output: found.json\n`;
  try {
    await writeFile(join(folder, 'budget.txt'), 'Budget 2031\n\nThe new winch costs 4,200 euros.\n');
    await page.setViewportSize({ width: 900, height: 420 });
    await page.goto(server.signInLink);
    await openPlace(page, 'Library');
    await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
    await dropFolder(page, folder);
    await expect(page.getByText(/^1 file, \d+ chunk/)).toBeVisible();
    await page.goto(`${server.origin}/playbooks`);
    await useOllama(page, model, 'm');
    await page.setViewportSize({ width: 1280, height: 900 });

    // From here on without a mouse.
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const text = page.getByRole('textbox', { name: 'Text' });
    await press(page, button('New playbook'));
    await reach(page, text);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(book.replace('multiple_parts', 'multiple_part'));
    await press(page, button('Line 7, column 5'));
    await expect(text).toBeFocused();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(book);
    const choosing = page.waitForEvent('filechooser');
    await press(page, button('Add files'));
    await (
      await choosing
    ).setFiles({ name: 'birds.json', mimeType: 'text/plain', buffer: Buffer.from('["owl","wren","tern"]') });
    await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
    await press(page, button('Check'));
    await press(page, button('Run'));
    const coming = page.getByRole('region', { name: 'Being answered' });
    await expect(coming).toContainText('tell, unit 2');
    await expect(coming).toContainText('A wren is');
    expect(await axeFindings(page)).toEqual([]);
    await press(page, button('Cancel'));
    const state = page.getByRole('status');
    await expect(state.getByText('cancelled', { exact: true })).toBeVisible();
    await expect(coming).toBeHidden();
    await press(page, button('Resume'));
    await expect.poll(() => model.requests.length).toBe(3);
    await press(page, button('Pause'));
    gates[0]?.resolve(null);
    await expect(state.getByText('paused', { exact: true })).toBeVisible();
    await expect(page.getByText('2 of 3 done')).toBeVisible();
    await expect(page.getByText('The run was paused.')).toBeVisible();
    await press(page, button('Resume'));
    await expect(page.getByText(/about [\d.:]+\s\w+ left of this step/)).toBeVisible();
    gates[1]?.resolve(null);
    await expect(state.getByText('done', { exact: true })).toBeVisible();
    expect(model.requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(
      ['owl', 'wren', 'wren', 'tern'].map((bird) => `Tell of the ${bird}.`),
    );

    const table = page.getByRole('table', { name: 'Records of told.json' });
    await expect(table.getByRole('row')).toHaveCount(4);
    await press(page, table.getByRole('button', { name: 'said' }));
    await expect(table.getByRole('row').nth(1)).toContainText('A tern.');
    await reach(page, page.getByRole('searchbox', { name: 'Filter the records' }));
    await page.keyboard.type('tern');
    await expect(page.getByText('1 of 3 records')).toBeVisible();
    await reach(page, page.getByRole('combobox', { name: 'File' }));
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('table', { name: 'Records of found.json' })).toContainText('4,200 euros');
    await reach(page, button('Unit 1: done').first());
    await page.keyboard.press('ArrowRight');
    await expect(button('Unit 2: done').first()).toBeFocused();
    await page.keyboard.press('Enter');
    const unit = page.getByRole('region', { name: 'Unit 2 of tell' });
    await press(page, unit.getByText('What was asked'));
    await expect(unit.getByText('Tell of the wren.', { exact: true })).toBeVisible();
    await looksRight(page, 'run');

    await press(page, page.getByRole('link', { name: 'Its playbook' }));
    await reach(page, text);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(book.replace('Tell of', 'Say of'));
    await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
    await looksRight(page, 'book');
    await press(page, button('Run'));
    await expect(state.getByText('done', { exact: true })).toBeVisible();
    await press(page, page.getByRole('link', { name: 'All playbooks' }));
    for (const box of [0, 1]) await press(page, page.getByRole('checkbox').nth(box), 'Space');
    await looksRight(page, 'list');
    await press(page, button('Compare two'));
    await expect(page.getByText('1 of 4 units are the same.')).toBeVisible();
    await press(page, button('Show unit 2 of tell'));
    await expect(page.getByRole('cell', { name: 'Asked in the first run Say of the wren.' })).toBeVisible();
    await looksRight(page, 'diff');
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Goes on with Tab until it has the focus. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeEnabled();
  for (let presses = 0; presses < 200; presses++) {
    if (await wanted.evaluate((element) => element.contains(document.activeElement))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not reach it.');
}
async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await reach(page, wanted);
  await page.keyboard.press(key);
}

test('UI-240, PLAYBOOK-85 a run is begun on the server, cancelled while it waits, resumed, done by a worker and shown with its records, what was asked, and as a ZIP', async ({
  page,
  server,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-shared-'));
  const model = await startModelServer({
    models: ['m'],
    reply: ({ messages }) => ({ content: `So: ${messages.at(-1)?.content ?? ''}` }),
  });
  try {
    await page.goto(server.signInLink);
    await openPlace(page, 'Playbooks');
    await makePlaybook(page, BIRDS, { 'birds.json': '["owl","wren"]' });
    await page.getByRole('button', { name: 'Run on the server' }).click();
    const state = page.getByRole('status');
    await expect(state.getByText('waits for a worker')).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(state.getByText('cancelled', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(state.getByText('waits for a worker')).toBeVisible();

    const toml = `[agent.llm]\nprovider = "ollama"\nbase_url = "${model.url}"\nmodel = "m"\n`;
    await writeFile(join(folder, 'accession.toml'), toml);
    const worker = await runProgram('cli/main.ts', ['work', '--server', server.origin, '--once'], {
      ...{ ACCESSION_TOKEN: server.token, ACCESSION_DATA: folder },
    });
    expect(await worker.exited, worker.stderr()).toBe(0);
    await expect(state.getByText('done', { exact: true })).toBeVisible();
    await expect(page.getByText('2 of 2 done')).toBeVisible();
    await expect(page.getByRole('cell', { name: 'So: Tell of the wren.' })).toBeVisible();
    await page.getByRole('button', { name: 'Unit 1: done' }).click();
    const unit = page.getByRole('region', { name: 'Unit 1 of tell' });
    await expect(unit).toContainText('So: Tell of the owl.');
    await unit.getByText('What was asked').click();
    await expect(unit.getByText('Tell of the owl.', { exact: true })).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const { default: JSZip } = await import('jszip');
    const zip = await JSZip.loadAsync(await readFile(await (await download).path()));
    expect(await zip.file('files/told.json')?.async('string')).toContain('So: Tell of the wren.');
    expect(Object.keys(zip.files)).toEqual(
      expect.arrayContaining(['playbook.yaml', 'config.json', 'journal.jsonl', 'metrics.json', 'numbers.jsonl']),
    );
    await page.getByRole('link', { name: 'All playbooks' }).click();
    const listed = page.getByRole('region', { name: 'Runs on the server' });
    await expect(listed.getByRole('link')).toContainText('done');
    await server.kill();
    await expect(listed.getByText('What is listed is what it said last.')).toBeVisible();
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('UI-241, UI-242 units by the thousand are drawn as far as they are in sight and walked by the arrows; their records are sorted, filtered and copied', async ({
  page,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const model = await startModelServer({
    ...{ cors: server.origin, models: ['m'] },
    reply: ({ messages }) => ({ content: String(1_000_000 - Number(/\d+/.exec(messages.at(-1)?.content ?? '')?.[0])) }),
  });
  const many = BIRDS.replace('    multiple_parts', '    parallel: 8\n    multiple_parts');
  const birds = JSON.stringify(Array.from({ length: 900 }, (_, n) => `bird ${n}`));
  try {
    await page.goto(server.signInLink);
    await openPlace(page, 'Playbooks');
    await makePlaybook(page, many, { 'birds.json': birds });
    await useOllama(page, model, 'm');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible({ timeout: 300_000 });
    await expect(page.getByText('900 of 900 done')).toBeVisible();
    const cells = page.getByRole('button', { name: /^Unit \d+: / });
    expect(await cells.count()).toBeLessThan(850);
    await page.getByRole('button', { name: 'Unit 1: done' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('button', { name: 'Unit 2: done' })).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('button', { name: 'Unit 900: done' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Unit 900 of tell' })).toContainText('999101');

    const table = page.getByRole('table', { name: 'Records of told.json' });
    await expect(table.getByRole('row')).toHaveCount(101);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(table.getByRole('row')).toHaveCount(201);
    const head = table.getByRole('button', { name: 'said' });
    await head.click();
    await expect(table.getByRole('row').nth(1)).toContainText('999101');
    await expect(table.getByRole('columnheader', { name: 'said' })).toHaveAttribute('aria-sort', 'ascending');
    await head.click();
    await expect(table.getByRole('row').nth(1)).toContainText('1000000');
    await page.getByRole('searchbox', { name: 'Filter the records' }).fill('bird 59');
    await expect(page.getByText('11 of 900 records')).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy', exact: true }).last().click();
    await expect(page.getByText('11 records were copied.')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\n').slice(0, 2)).toEqual(['bird\tsaid', 'bird 59\t999941']);
  } finally {
    await model.close();
  }
});
