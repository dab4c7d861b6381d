import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { startModelServer, type ModelServerOptions } from '../fixtures/model-server.ts';
import type { Page } from '@playwright/test';
import { openPlace } from './support/places.ts';
import { dropFolder } from './support/real-folder.ts';
import { expect, test } from './support/test.ts';

const FILES = {
  'station/handbook.md':
    '# Handbook\n\n## Opening hours\n\nIn winter the station closes at 16:30. In summer it closes at 18:00.\n\n## Boats\n\nThe Tern carries four people.\n',
  'station/budget.txt': 'Budget 2031\n\nThe new winch costs 4,200 euros.\n',
};

const TIDES = makePdf([
  column(72, 700, ['Tides of the bay']),
  column(72, 700, ['The gauge of the eastern pier stood at 3.4 metres in March.']),
]);

async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'accession-ask-')), 'Station');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** What a button of the answer saves: name and content. */
async function saved(page: Page, button: string): Promise<[string, string]> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const download = await saving;
  return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')];
}

test('ASK-70, ASK-71, ASK-87, ASK-88, LIBRARY-111 without a network from the first visit on, a folder is read and a question is answered with a quote that opens at its span, what is missing is said, and both are kept over a reload', async ({
  page,
  server,
  context,
}) => {
  await page.goto(server.signInLink);
  await openPlace(page, 'Library');
  await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await context.setOffline(true);
  await dropFolder(page, await folderOf(FILES));
  await expect(page.getByText(/^2 files, \d+ chunks/)).toBeVisible();
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Question' })).toBeVisible();

  await page.getByRole('textbox', { name: 'Question' }).fill('When does the station close in winter?');
  await page.keyboard.press('Enter');
  const answer = page.getByRole('region', { name: 'When does the station close in winter?' });
  await expect(answer.getByText('Answered', { exact: false }).first()).toBeVisible();
  const label = answer.getByRole('button', { name: 'Source 1' }).first();
  await label.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(answer.getByRole('tooltip').first()).toContainText('In winter the station closes at 16:30.');
  await page.keyboard.press('Enter');
  const source = page.getByRole('region', { name: 'Source 1', exact: true });
  await expect(source.locator('mark')).toHaveText('In winter the station closes at 16:30.');
  await expect(source.getByRole('link', { name: 'Open the file' })).toHaveAttribute('href', /handbook\.md&line=5$/);
  await expect(source.getByRole('region', { name: /^Text of/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(source).toBeHidden();
  await expect(label).toBeFocused();

  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  await answer.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('The answer is copied with its sources.')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('[1] station/handbook.md:5 “In winter the station closes at 16:30.”');
  expect(await saved(page, 'Markdown')).toEqual(['When does the station close in winter_.md', copied]);
  const [name, json] = await saved(page, 'JSON');
  expect(name).toBe('When does the station close in winter_.json');
  expect(JSON.parse(json)).toMatchObject({
    ...{ question: 'When does the station close in winter?', status: 'answered' },
    citations: [{ label: '1', path: 'station/handbook.md', quote: 'In winter the station closes at 16:30.' }],
  });

  await page.getByRole('textbox', { name: 'Question' }).fill('Who is the mayor of Oslo?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByText('Not in the library', { exact: false }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();

  await context.setOffline(false);
  await page.reload();
  await page.getByRole('button', { name: /When does the station close/ }).click();
  await expect(page.getByRole('button', { name: 'Source 1' }).first()).toBeVisible();

  await openPlace(page, 'Library');
  await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
  await dropFolder(page, await folderOf({ 'tides.pdf': TIDES }));
  await expect(page.getByText(/^1 file, \d+ chunks/)).toBeVisible();
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  const pier = 'How high did the gauge of the eastern pier stand in March?';
  await page.getByRole('textbox', { name: 'Question' }).fill(pier);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: pier }).getByRole('button', { name: 'Source 1' }).first().click();
  await source.getByRole('button', { name: 'Open the PDF' }).click();
  const reader = page.getByRole('dialog', { name: 'Reader' });
  await expect(reader.getByRole('region', { name: 'Page 2 of 2' })).toBeVisible();
  await expect(reader.locator('.outline')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(source).toBeVisible();

  const tool = join(await mkdtemp(join(tmpdir(), 'accession-tool-')), 'costs.yaml');
  await writeFile(tool, COSTS.replace('version: 1', 'version: one'));
  await dropFolder(page, tool);
  await expect(page.getByText(/The tool in costs\.yaml: version: .* It was not added\./)).toBeVisible();
  await writeFile(tool, COSTS);
  await dropFolder(page, tool);
  await expect(page.getByText('Tools of your own (1)')).toBeVisible();
  await page.reload();
  await page.getByText('Where and how').click();
  await page.getByRole('checkbox', { name: 'costs_of' }).check();
  await page.getByText('Tools of your own (1)').click();
  await page.getByRole('button', { name: 'Remove costs_of' }).click();
  await expect(page.getByRole('checkbox', { name: 'costs_of' })).toBeHidden();
});

const COSTS = `
name: costs_of
version: 1
description: What a thing costs
input_schema: {type: object, properties: {thing: {type: string}}, required: [thing]}
run: {use: load_table, with: {path: costs.csv, where: [{column: thing, value: '{thing}'}]}}
`;

test('ASK-36, ASK-37, ASK-51, ASK-54, ASK-70 with a local model and no server: cancelled while it writes, taken up after a reload, it dies in mid-answer and the quotes stand; back again, its letters are the answer, which its transcript gives again without it', async ({
  page,
  server,
}) => {
  const replies: NonNullable<ModelServerOptions['reply']>[] = [
    () => ({ hang: 'before-headers' }),
    () => ({ content: '{"letters":["A"],"confidence":0.9,"why":"It says so."}', dieAt: 0.5 }),
  ];
  const chosen = { content: '{"letters":["A"],"confidence":0.9,"why":"It says so."}' };
  const options: ModelServerOptions = {
    cors: server.origin,
    models: ['qwen2.5:3b'],
    reply: (request) => replies.shift()?.(request) ?? chosen,
  };
  let model = await startModelServer(options);
  await page.goto(server.signInLink);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  const section = page.getByRole('region', { name: 'Model', exact: true });
  await section.getByRole('radio', { name: 'Ollama' }).check();
  await section.getByLabel('Address').fill(model.url);
  await section.getByLabel('Address').blur();
  await section.getByLabel('Model', { exact: true }).fill('qwen2.5:3b');
  await section.getByLabel('Model', { exact: true }).blur();
  await openPlace(page, 'Library');
  await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
  await dropFolder(page, await folderOf(FILES));
  await expect(page.getByText(/^2 files, \d+ chunks/)).toBeVisible();
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await server.kill();

  await page.getByRole('textbox', { name: 'Question' }).fill('How much does the new winch cost?');
  await page.keyboard.press('Enter');
  await expect.poll(() => model.requests.length).toBe(1);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByText('This question was not answered to the end.', { exact: false })).toBeVisible();

  await page.reload();
  await page.getByRole('button', { name: /How much does the new winch/ }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(() => model.requests.length).toBeGreaterThan(1);
  await model.close();
  const answer = page.getByRole('region', { name: 'How much does the new winch cost?' });
  await expect(answer.getByRole('paragraph').filter({ hasText: 'The new winch costs 4,200 euros.' })).toBeVisible();
  await expect(answer).toContainText('The model could not be asked for the answer');

  model = await startModelServer({ ...options, port: Number(new URL(model.url).port) });
  await page.getByRole('textbox', { name: 'Question' }).fill('How many people does the Tern carry?');
  await page.keyboard.press('Enter');
  const next = page.getByRole('region', { name: 'How many people does the Tern carry?' });
  await expect(next.getByRole('paragraph').filter({ hasText: 'The Tern carries four people.' })).toBeVisible();
  await expect(next).toContainText('qwen2.5:3b');
  await expect(next).not.toContainText('could not be asked');
  const asked = model.requests.length;
  await model.close();

  const transcript = join(await mkdtemp(join(tmpdir(), 'accession-run-')), 'run.jsonl');
  await writeFile(transcript, (await saved(page, 'Transcript'))[1]);
  await next.getByRole('button', { name: 'Forget' }).click();
  await expect(next).toBeHidden();
  await dropFolder(page, transcript);
  await expect(next).toContainText('played back from a transcript');
  await next.getByRole('button', { name: 'Source 1' }).first().click();
  await expect(page.getByRole('region', { name: 'Source 1', exact: true }).locator('mark')).toHaveText(
    'The Tern carries four people.',
  );
  await next.getByText('Everything that was found').click();
  await expect(next.getByRole('region', { name: 'Evidence' }).getByRole('link').first()).toContainText('handbook.md');
  expect(model.requests).toHaveLength(asked);
});
