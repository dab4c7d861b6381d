import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SharedRun } from '#lanes/playbooks/core/shared/run-protocol.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { BOOK, MADE, OUTLINE, SCORES } from '../fixtures/playbook-places.ts';
import { runProgram } from '../fixtures/program.ts';
import { expect, test } from './support/test.ts';

test('PLAYBOOK-52, PLAYBOOK-50, PLAYBOOK-51 one playbook with statistics gives the same bytes at the terminal, over the server and in a tab whose network is cut', async ({
  page,
  server,
  context,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-places-'));
  const model = await startModelServer({
    models: ['m'],
    reply({ messages }) {
      const said = messages.at(-1)?.content ?? '';
      return { content: said.startsWith('Outline') ? OUTLINE : `Said of: ${said}` };
    },
  });
  try {
    const root = join(folder, 'root');
    const recording = join(folder, 'recording.json');
    await mkdir(root);
    await writeFile(join(root, 'scores.json'), SCORES);
    await writeFile(join(folder, 'book.yaml'), BOOK);
    const flags = ['--set', 'title=Bees', '--root', root, '--data', folder, '--base-url', model.url];
    const terminal = await runProgram(
      'cli/main.ts',
      ['playbook', 'run', join(folder, 'book.yaml'), ...flags, '--model-map', '*=ollama/m', '--record', recording],
      {},
    );
    expect(await terminal.exited, terminal.stderr()).toBe(0);
    const want = Object.fromEntries(
      await Promise.all(MADE.map(async (path) => [path, await readFile(join(root, path), 'utf8')])),
    ) as Record<string, string>;
    expect(want['stage/compared.json']).toContain('p_value');

    const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
      const headers = { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      return (await (await fetch(`${server.origin}${path}`, init)).json()) as T;
    };
    const files = [{ path: 'scores.json', text: SCORES }];
    const { id } = await ask<SharedRun>('POST', '/v1/playbooks/runs', {
      ...{ playbook: BOOK, config: { title: 'Bees' }, files },
    });
    await writeFile(join(folder, 'accession.toml'), `[playbooks.models]\n"*" = "recorded/${recording}"\n`);
    const worker = await runProgram('cli/main.ts', ['work', '--server', server.origin, '--once'], {
      ...{ ACCESSION_TOKEN: server.token, ACCESSION_DATA: folder },
    });
    expect(await worker.exited, worker.stderr()).toBe(0);
    expect(await ask('GET', `/v1/playbooks/runs/${id}`)).toMatchObject({ state: 'completed' });
    for (const path of MADE) {
      const headers = { Authorization: `Bearer ${server.token}` };
      const made = await fetch(`${server.origin}/v1/playbooks/runs/${id}/file?path=${path}`, { headers });
      expect(await made.text(), path).toBe(want[path]);
    }

    await page.goto(server.signInLink);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.goto(`${server.origin}/playbooks`);
    await page.getByRole('button', { name: 'New playbook' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill(BOOK);
    const buffer = await readFile(recording);
    await page.getByLabel('Add files').setInputFiles([
      { name: 'scores.json', mimeType: 'application/json', buffer: Buffer.from(SCORES) },
      { name: 'recording.json', mimeType: 'application/json', buffer },
    ]);
    await page.getByLabel('title').fill('Bees');
    const recorded = page.getByLabel('With the answers of recording.json: no model is asked');
    await recorded.check();
    const book = page.url();
    const run = async (): Promise<void> => {
      await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(page.getByRole('status').getByText('done', { exact: true })).toBeVisible({ timeout: 300_000 });
    };
    // The engine is fetched at its first use; from then on nothing is.
    await run();
    await context.setOffline(true);
    await page.goto(book);
    await recorded.check();
    await run();
    const zip = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const { default: JSZip } = await import('jszip');
    const saved = await JSZip.loadAsync(await readFile(await (await zip).path()));
    for (const path of MADE) expect(await saved.file(`files/${path}`)?.async('string'), path).toBe(want[path]);
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
});
