import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { STEP_TYPES, type ReasoningStep } from '#core/job/job.ts';
import { makeAudio } from '../fixtures/audio.ts';
import { makeTinyGguf, type TinyModel } from '../fixtures/tiny-gguf.ts';
import { AMBIGUOUS_SECONDS } from './catalog.ts';
import type { Api } from './support/api.ts';
import type { TestFile } from './support/app.ts';
import { openPlace } from './support/places.ts';
import { dropFolder } from './support/real-folder.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

/** Settings, Model, with the processor chosen; the list of models is there. */
async function openLocalModels(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('radio', { name: 'This browser, on the processor' }).check();
  await expect(page.getByRole('list', { name: 'Local models' })).toBeVisible();
}

async function addModel(page: Page, name: string, model: Partial<TinyModel> = {}): Promise<Locator> {
  const folder = await mkdtemp(join(tmpdir(), 'accession-gguf-'));
  const row = page.getByRole('list', { name: 'Local models' }).getByRole('listitem').filter({ hasText: name });
  try {
    const path = join(folder, `${name}.gguf`);
    await writeFile(path, makeTinyGguf(model));
    await page.getByLabel('From a file').setInputFiles(path);
    await expect(row).toHaveAttribute('data-state', 'ready');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return row;
}

/** Five files without names whose lengths fit two albums. */
function nameless(stem: string, seed: number): Promise<TestFile[]> {
  return Promise.all(
    AMBIGUOUS_SECONDS.slice(0, 5).map(async (seconds, at) => ({
      name: `${stem}0${at + 1}.mp3`,
      bytes: await makeAudio({ format: 'mp3-vbr', seconds, seed: seed + at }),
    })),
  );
}

/** The steps of every job whose file's name begins so, as the server has them from the mirror. */
async function stepsOf(api: Api, stem: string): Promise<ReasoningStep[]> {
  const { items } = await api.get<{ items: { id: string; original_filename: string }[] }>(
    '/v1/ingestion/jobs?limit=50',
  );
  const wanted = items.filter((job) => job.original_filename.startsWith(stem));
  const jobs = await Promise.all(
    wanted.map(({ id }) => api.get<{ reasoning_steps: ReasoningStep[] }>(`/v1/ingestion/jobs/${id}`)),
  );
  return jobs.flatMap((job) => job.reasoning_steps);
}

test('MODEL-1, MODEL-9, TRACE-17, ASK-54: a GGUF file of this device is taken in, keeps to a schema, is verified and deleted; MODEL-10, MODEL-11: a model in this browser is stopped in mid-answer, and answers the next doubt, and a question to the library, to its end', async ({
  app,
  api,
}) => {
  const { page } = app;
  await app.waitForReplica();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await openLocalModels(page);
  expect(asked.filter((url) => /wllama|web-llm/.test(url))).toEqual([]);
  const row = await addModel(page, 'tiny test model');
  await expect(row).toContainText('In use');

  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('The model can be used.')).toBeVisible();
  await expect(page.locator('[data-stage="schema"]')).toContainText(/"choice":"(A|B|none)"/);

  await row.getByRole('button', { name: 'Verify' }).click();
  await expect(row).toContainText('Every part is as it was downloaded.');
  await row.getByRole('button', { name: 'Delete...' }).click();
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(row).toHaveCount(0);

  await addModel(page, 'slow', { layers: 16 });
  const quick = await addModel(page, 'quick');
  await page.getByRole('link', { name: 'Ingest' }).first().click();

  await app.addFiles(await nameless('track', 60));
  await page.getByRole('button', { name: 'Answer it myself' }).first().click();
  for (const at of [1, 5]) await app.waitForStatus(`track0${at}.mp3`, 'AWAITING_REVIEW');

  await page.getByRole('link', { name: 'Settings' }).first().click();
  await quick.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(quick).toContainText('In use');
  await page.getByRole('link', { name: 'Ingest' }).first().click();
  await app.addFiles(await nameless('Track ', 80));
  for (const at of [1, 5]) await app.waitForStatus(`Track 0${at}.mp3`, 'AWAITING_REVIEW');
  const types = async (): Promise<string[]> => {
    const seen = new Set((await stepsOf(api, 'Track ')).map((step) => step.step_type));
    return STEP_TYPES.filter((type) => seen.has(type));
  };
  await expect.poll(types).toEqual(expect.arrayContaining(['Context', 'Thought', 'ReviewQuestion']));
  expect(await types()).not.toContain('Error');
  await expect(page.getByText('Your own model').first()).toBeVisible();

  // It says which quotes are the answer, in the form that it was asked for: code says them.
  await openPlace(page, 'Library');
  await expect(page.getByText('Drop a folder here, or open one')).toBeVisible();
  const folder = await mkdtemp(join(tmpdir(), 'accession-ask-'));
  await writeFile(join(folder, 'budget.txt'), 'Budget 2031\n\nThe new winch costs 4,200 euros.\n');
  await dropFolder(page, folder);
  await expect(page.getByText(/^1 file, \d+ chunks?/)).toBeVisible();
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  await page.getByRole('textbox', { name: 'Question' }).fill('How much does the new winch cost?');
  await page.keyboard.press('Enter');
  const answer = page.getByRole('region', { name: 'How much does the new winch cost?' });
  await expect(answer.getByRole('paragraph').filter({ hasText: 'The new winch costs 4,200 euros.' })).toBeVisible();
  await expect(answer).toContainText('wllama/');
  await expect(answer).not.toContainText('could not be asked');
});
