import { agentCatalog } from '../fixtures/agent-catalog.ts';
import { makeAudio } from '../fixtures/audio.ts';
import { choosing } from '../fixtures/model-brain.ts';
import { startModelServer, type ModelRequest, type Reply } from '../fixtures/model-server.ts';
import { STEP_TYPES, type ReasoningStep } from '#core/job/job.ts';
import { AMBIGUOUS_SECONDS, SIGNAL_FIRES } from './catalog.ts';
import { App } from './support/app.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const MODEL = 'tiny:latest';

test('AGENT-5, AGENT-42, TRACE-13: a local model server takes part from a real drop; its death in mid-stream sends the doubt to the person with the reason', async ({
  page,
  browser,
  api,
  server,
}) => {
  const { catalog, files, album_id } = agentCatalog();
  await api.importCatalog(catalog);
  let reply: (request: ModelRequest) => Reply = choosing('Marta Lindqvist Trio', 'Artist and title fit.');
  const model = await startModelServer({ models: [MODEL], fragmentSeed: 7, reply: (request) => reply(request) });
  const app = new App(page);
  try {
    await app.signIn(server.signInLink);
    await app.waitForReplica();
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('radio', { name: 'Ollama' }).check();
    await page.getByRole('textbox', { name: 'Address', exact: true }).fill(model.url);
    await page.getByRole('textbox', { name: 'Model', exact: true }).fill(MODEL);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(page.getByText('The model can be used.')).toBeVisible();
    await page.getByRole('link', { name: 'Ingest' }).first().click();

    // What only the agent's searches find: evidence decides, and every file is published.
    const asked = model.requests.length;
    const drop = await Promise.all(
      files.map(async ({ path, tags, duration_ms }, at) => ({
        name: path.split('/').at(-1) ?? path,
        bytes: await makeAudio({ format: 'flac', seconds: duration_ms / 1000, seed: at + 1, tags }),
      })),
    );
    await app.addFiles(drop);
    await app.waitForPublished(drop.map(({ name }) => name));
    expect((await api.available(album_id)).sort()).toEqual(files.map((file) => file.track_id).sort());
    expect(model.requests.length).toBeGreaterThan(asked);

    // The model's server dies in the middle of an answer.
    reply = () => ({ content: JSON.stringify({ why: 'It fits.', choice: 'A' }), dieAt: 0.5 });
    const nameless = await Promise.all(
      AMBIGUOUS_SECONDS.slice(0, 5).map(async (seconds, at) => ({
        name: `track0${at + 1}.mp3`,
        bytes: await makeAudio({ format: 'mp3-vbr', seconds, seed: at + 40 }),
      })),
    );
    await app.addFiles(nameless);
    for (const { name } of nameless) await app.waitForStatus(name, 'AWAITING_REVIEW');
    await expect(app.review('5 files')).toContainText(/broke off|cut|ended/i);
    await app.answer('5 files', SIGNAL_FIRES.title);

    // Elsewhere, through the mirror: all nine types of steps. Here: the trace, with who was asked.
    const logs = (): Promise<Map<string, ReasoningStep[]>> => logsOf(api);
    await expect
      .poll(async () => {
        const types = new Set([...(await logs()).values()].flat().map((step) => step.step_type));
        return STEP_TYPES.filter((type) => !types.has(type));
      })
      .toEqual([]);
    // The log of each file has what was asked; the first of them has the run.
    const isFirst = (steps: ReasoningStep[]): boolean =>
      steps.some((step) => step.step_type === 'Thought') && !steps.some((step) => 'lead_job_id' in step.metadata);
    const [lead] = [...(await logs())].find(([, steps]) => isFirst(steps)) ?? [];
    await page.goto(`${server.origin}/jobs/${lead ?? ''}`);
    await expect(page.getByRole('region', { name: 'Agent', exact: true })).toContainText(`ollama/${MODEL}`);
    await expect(page.locator('[data-step="Context"]').first()).toBeVisible();

    // TRACE-13: another browser of the same person, which has none of these files, follows them, too.
    const other = await browser.newContext();
    try {
      const there = await other.newPage();
      await new App(there).signIn(server.signInLink);
      await there.getByRole('link', { name: 'History' }).first().click();
      await expect(there.getByRole('region', { name: 'Elsewhere' })).toContainText('track01.mp3');
      await there.goto(`${server.origin}/jobs/${lead ?? ''}`);
      await expect(there.getByText('This file is on another workstation.')).toBeVisible();
      await expect(there.locator('[data-step="Context"]').first()).toBeVisible();
    } finally {
      await other.close();
    }
  } finally {
    await app.forgetFiles();
    await model.close();
  }
});

test('LLM-98, LLM-100, UI-145, UI-147: a server that lends a model is asked for nothing before a yes; who may not publish sees it before a drop', async ({
  page,
  browser,
  api,
  server,
}) => {
  const model = await startModelServer({ models: [MODEL], reply: choosing(SIGNAL_FIRES.title, 'The lengths fit.') });
  const asked = (): ModelRequest[] => model.requests.filter(({ messages }) => messages.length > 0);
  const nameless = (folder: string, seed: number) =>
    Promise.all(
      AMBIGUOUS_SECONDS.slice(0, 5).map(async (seconds, at) => ({
        name: `${folder}${at + 1}.mp3`,
        bytes: await makeAudio({ format: 'mp3-vbr', seconds, seed: at + seed }),
      })),
    );
  const app = new App(page);
  /** In the light and wide as in the dark and narrow nothing is wider than the window. */
  const look = async (of = page) => {
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await of.emulateMedia({ colorScheme: scheme });
      await of.setViewportSize({ width, height: 900 });
      expect(await of.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await of.setViewportSize({ width: 1280, height: 900 });
  };
  try {
    await server.configure(`[agent.llm]\nbase_url = "${model.url}"\nmodel = "${MODEL}"\n`);
    await app.signIn(server.signInLink);
    await app.waitForReplica();
    const offer = page.getByRole('region', { name: "The server's model" });
    await expect(offer).toBeHidden();

    // Ignored: the drop goes on at once, to the person's questions, and nothing is sent.
    const first = await nameless('a', 40);
    await app.addFiles(first);
    await expect(offer).toContainText(`ollama/${MODEL}`);
    for (const { name } of first) await app.waitForStatus(name, 'AWAITING_REVIEW');
    expect(asked()).toEqual([]);
    await look();

    // By the keyboard alone; over a reload it is still the same question.
    await page.reload();
    await offer.getByRole('button', { name: 'Use it', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(offer).toBeHidden();
    const second = await nameless('b', 80);
    await app.addFiles(second);
    for (const { name } of second) await app.waitForStatus(name, 'AWAITING_REVIEW');
    expect(asked().length).toBeGreaterThan(0);
    await expect(offer).toBeHidden();
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await expect(page.getByRole('radio', { name: 'The catalog server' })).toBeChecked();
    for (const name of ['Model', 'People']) await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
    await look();
    await page.getByRole('checkbox', { name: /^Use the server's model/ }).check();
    await expect.poll(async () => (await api.get<{ lend: string }>('/v1/config')).lend).toBe('all');

    // A reader: what is missing, who gives it and what works all the same, before anything is dropped.
    const { token } = await api.post<{ token: string }>('/v1/tokens', { label: 'reader', scope: 'ReadCatalog' });
    const other = await browser.newContext();
    try {
      const there = await other.newPage();
      const reader = new App(there);
      await reader.signIn(server.linkOf(token));
      const missing = there.getByRole('region', { name: 'What you may do here' });
      await expect(missing).toContainText('EditCatalog');
      await reader.waitForReplica();
      await look(there);
      await there.getByRole('button', { name: 'Try it' }).waitFor({ state: 'detached' });
      const ready = { title: 'Slack Water', artist: 'The Harbour Clerks', album: 'Paper Lanterns', track: 1 };
      await reader.addFiles([
        { name: 'slack.flac', bytes: await makeAudio({ format: 'flac', seconds: 29.5, seed: 3, tags: ready }) },
      ]);
      await reader.waitForOutbox(['slack.flac']);
      await expect(reader.syncStatus).toContainText('You may not publish here: 1 result waits');
      await reader.forgetFiles();
    } finally {
      await other.close();
    }
  } finally {
    await app.forgetFiles();
    await model.close();
  }
});

async function logsOf(api: { get<T>(path: string): Promise<T> }): Promise<Map<string, ReasoningStep[]>> {
  const { items } = await api.get<{ items: { id: string }[] }>('/v1/ingestion/jobs?limit=50');
  const jobs = await Promise.all(
    items.map(({ id }) => api.get<{ reasoning_steps: ReasoningStep[] }>(`/v1/ingestion/jobs/${id}`)),
  );
  return new Map(jobs.map((job, at) => [items[at]?.id ?? '', job.reasoning_steps]));
}
