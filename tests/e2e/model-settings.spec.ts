/** TRACE-11: the staged check of a model server, each failure in its own words. TRACE-3: a long trace stays quick. */
import type { Page } from '@playwright/test';
import { startModelServer } from '../fixtures/model-server.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const stage = (page: Page, name: string) => page.locator(`li[data-stage="${name}"]`);

test('TRACE-11 a model server is found, tested, and its death is said', async ({ app, server }) => {
  const { page } = app;
  const model = await startModelServer({ cors: server.origin, models: ['llama3.1:8b', 'qwen2.5:3b'] });
  await page.goto(`${server.origin}/settings#model`);
  const section = page.getByRole('region', { name: 'Model', exact: true });
  const press = (name: string) => section.getByRole('button', { name, exact: true }).click();
  await expect(section.getByText('Nothing is sent to any model.')).toBeVisible();
  await section.getByRole('radio', { name: 'Ollama' }).check();
  await section.getByLabel('Address').fill(model.url);
  await section.getByLabel('Address').blur();
  await expect(section.getByText(`go to ${model.url}, which is this computer`)).toBeVisible();

  await press('Test');
  await expect(stage(page, 'model')).toHaveAttribute('data-state', 'bad');
  await press('llama3.1:8b');
  await press('Test');
  await expect(stage(page, 'speed')).toHaveAttribute('data-state', 'good');
  await expect(stage(page, 'tools')).toHaveAttribute('data-state', 'good');
  await expect(section.getByText('The model can be used.')).toBeVisible();
  // UI-148: kept with the provider, also over a reload.
  const how = page.getByRole('list', { name: 'How the model is asked' });
  await expect(how).toContainText('no, tried on');
  await page.reload();
  await expect(how).toContainText('no, tried on');
  // UI-148: so is the way in which it is asked.
  const strategy = section.getByLabel('Strategy');
  await section.getByText('How it is asked, and limits').click();
  await strategy.selectOption('tools');
  // Said of what is kept: without its service worker a page that is left at once takes back what it had begun to write.
  await expect(how).toContainText('(set here)');
  await page.reload();
  await section.getByText('How it is asked, and limits').click();
  await expect(strategy).toHaveValue('tools');
  await strategy.selectOption('auto');
  await expect(how).not.toContainText('(set here)');

  await section.getByLabel('Key', { exact: true }).fill('sk-never-shown');
  await press('Keep key');
  await expect(section.getByLabel('Key', { exact: true })).toHaveValue('');
  await expect(section.getByRole('button', { name: 'Remove key' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Model: llama3\.1:8b/ })).toBeVisible();

  await model.close();
  await press('Test');
  await expect(stage(page, 'reachable')).toContainText('Nothing answers at');
  await expect(stage(page, 'reachable')).toContainText('Start the model server');
  await expect(stage(page, 'schema')).toContainText('Not tried');
});

test('TRACE-3 a trace of 5,000 steps draws some dozen rows, is searched, and shows hostile text as text', async ({
  app,
  server,
}) => {
  const { page } = app;
  await page.evaluate(async () => {
    const open = indexedDB.open('accession');
    await new Promise((done) => open.addEventListener('success', done));
    const tx = open.result.transaction(['jobs', 'steps'], 'readwrite');
    const hostile = `<img src=x onerror="document.title='owned'"> \u202egnp.exe Z${'\u0351'.repeat(99)} ${'la '.repeat(300_000)}`;
    const job = { id: 'long', batch_id: 'b', original_filename: 'long.flac', path: 'long.flac', status: 'FAILED' };
    const rest = { phase: 'cancelled', created_at: 1, completed_at: 2, file_size_bytes: 1, reasons: [], failure: null };
    const none = { workflow_state: null, matched_track_id: null, sha256: null, evidence: null, duration_ms: null };
    const more = {
      codec: null,
      output_size: null,
      output_file_path: null,
      duplicate_of: null,
      context_type: 'SPONTANEOUS',
    };
    tx.objectStore('jobs').put({ ...job, ...rest, ...none, ...more, temp_file_path: null, sync: null, updated_at: 2 });
    for (let n = 1; n <= 5000; n++) {
      const content = n === 4001 ? hostile : `step ${n}.`;
      const step = { step_number: n, timestamp: n, step_type: n % 50 ? 'Context' : 'Error', content, metadata: { n } };
      tx.objectStore('steps').put({ id: `long-${n}`, job_id: 'long', duration_ms: null, ...step });
    }
    await new Promise((done) => tx.addEventListener('complete', done));
    open.result.close();
  });
  await page.goto(`${server.origin}/jobs/long`);
  const trace = page.getByRole('region', { name: 'Trace' });
  const rows = trace.locator('li[data-step]');
  await expect(rows.first()).toHaveAttribute('aria-setsize', '5000');
  expect(await rows.count()).toBeLessThan(80);

  await rows.first().getByRole('button').focus();
  await page.keyboard.press('End');
  await expect(trace.locator('li[aria-posinset="5000"] > button')).toBeFocused();
  await expect(trace.locator('li[aria-posinset="5000"] > button')).toHaveAttribute('aria-expanded', 'true');
  expect(await rows.count()).toBeLessThan(80);

  await trace.getByRole('searchbox', { name: 'Search the trace' }).fill('onerror');
  await expect(rows).toHaveCount(1);
  await expect(rows.locator('.words')).toContainText('<img src=x onerror=');
  await expect(rows.locator('.words')).toContainText('\\u{202e}');
  await rows.getByRole('button').first().click();
  await expect(rows.getByText(/more characters/)).toBeVisible();
  await expect(rows.locator('img')).toHaveCount(0);
  expect(await page.title()).not.toContain('owned');
});
