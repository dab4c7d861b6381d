import { startModelServer } from '../fixtures/model-server.ts';
import { axeFindings } from './support/axe.ts';
import { openPlace } from './support/places.ts';
import { makePlaybook, useOllama } from './support/playbook-page.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

const BIRDS = `playbook: 1
name: birds
steps:
  - name: tell
    model: small
    input: birds.json
    multiple_parts: true
    instruction_user_prompt: 'Tell of the {this} for {config:whom|us}.'
    output: told.json
    output_format: { bird: '{this}', said: '{output}' }
`;

test('PLAYBOOK-61, PLAYBOOK-85, PLAYBOOK-88, UI-310 a model server that dies in the middle of a run is said and gone on from, a limit that was reached is raised, a run whose playbook was changed is refused with the line, a step is asked anew with its verbosity set, and two runs are compared, prompts and answers side by side', async ({
  page,
  server,
}) => {
  const asked: string[] = [];
  const answering = (port?: number) =>
    startModelServer({
      ...{ cors: server.origin, models: ['qwen2.5:3b'], ...(port === undefined ? {} : { port }) },
      reply({ messages }) {
        const prompt = messages.at(-1)?.content ?? '';
        asked.push(prompt);
        // The first server dies at the third bird, in the middle of its answer.
        if (port !== undefined || !prompt.includes('tern')) return { content: `So: ${prompt}` };
        setImmediate(() => void model.close());
        return { content: 'a half', hang: 'mid-stream' };
      },
    });
  let model = await answering();
  try {
    await page.goto(server.signInLink);
    await openPlace(page, 'Playbooks');
    await makePlaybook(page, BIRDS, { 'birds.json': '["owl","wren","tern","gull"]' });
    const book = page.url();
    await useOllama(page, model, 'qwen2.5:3b');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    const resume = page.getByRole('button', { name: 'Resume' });
    const state = page.getByRole('status');

    await run.click();
    await expect(state.getByText('failed', { exact: true })).toBeVisible({ timeout: 180_000 });
    await expect(page.getByText('2 of 4 done')).toBeVisible();
    await expect(page.getByRole('cell', { name: 'So: Tell of the wren for us.' })).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    const before = asked.length;
    model = await answering(Number(new URL(model.url).port));
    await resume.click();
    await expect(state.getByText('done', { exact: true })).toBeVisible();
    const told = (birds: string[], whom = 'us'): string[] => birds.map((bird) => `Tell of the ${bird} for ${whom}.`);
    expect(asked.slice(before)).toEqual(told(['tern', 'gull']));
    await expect(page.getByRole('cell', { name: 'So: Tell of the gull for us.' })).toBeVisible();

    await page.goto(book);
    await page.getByLabel('whom').fill('children');
    await page.getByText('Limits', { exact: true }).click();
    await page.getByLabel('Calls of the model').fill('3');
    await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
    const third = asked.length;
    await run.click();
    await expect(state.getByText('stopped by a limit')).toBeVisible();
    await expect(page.getByText('3 of 4 done')).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    const stopped = page.url();
    const text = page.getByRole('textbox', { name: 'Text' });
    const change = async (to: string): Promise<void> => {
      await page.goto(book);
      await text.fill(to);
      await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
      await page.goto(stopped);
    };
    await change(BIRDS.replace('Tell of', 'Say of'));
    await resume.click();
    await expect(page.getByText('The playbook is another than when the run began: line 8 differs.')).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await change(BIRDS);
    await page.getByLabel('Calls of the model').fill('10');
    await resume.click();
    await expect(state.getByText('done', { exact: true })).toBeVisible();
    expect(asked.slice(third)).toEqual(told(['owl', 'wren', 'tern', 'gull'], 'children'));

    // Of a run that is taken over its step is asked anew; then the page sets how much its steps say.
    const children = told(['owl', 'wren', 'tern', 'gull'], 'children');
    for (const [choose, wanted] of [
      [() => page.getByLabel('Ask anew').selectOption('only what changed'), []],
      [() => page.getByLabel('Ask anew').selectOption('tell, and what changes by it'), children],
    ] as const) {
      await page.goto(book);
      await page.getByLabel('Take over what is the same from').selectOption({ index: 1 });
      await choose();
      await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
      const last = asked.length;
      await run.click();
      await expect(state.getByText('done', { exact: true })).toBeVisible();
      expect(asked.slice(last)).toEqual(wanted);
    }
    await page.goto(book);
    await page.getByText('Settings of the steps', { exact: true }).click();
    await page.getByLabel('Verbosity, 0 to 10').fill('2');
    expect(await axeFindings(page)).toEqual([]);
    await run.click();
    await expect(state.getByText('done', { exact: true })).toBeVisible();
    expect(model.requests.at(-1)?.messages[0]?.content).toContain('a verbosity of 2 on a scale');

    await page.getByRole('link', { name: 'All playbooks' }).click();
    await expect(page.getByRole('checkbox')).toHaveCount(5);
    for (const box of (await page.getByRole('checkbox').all()).slice(3)) await box.check();
    await page.getByRole('button', { name: 'Compare two' }).click();
    await expect(page.getByText('0 of 4 units are the same.')).toBeVisible();
    await expect(page.getByRole('cell', { name: 'changed: prompt, answer' })).toHaveCount(4);
    await page.getByRole('button', { name: 'Show unit 2 of tell' }).click();
    for (const whom of ['us', 'children'])
      await expect(
        page.getByRole('cell', { name: `Tell of the wren for ${whom}. Answered So: Tell of the wren for ${whom}.` }),
      ).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
  } finally {
    await model.close();
  }
});
