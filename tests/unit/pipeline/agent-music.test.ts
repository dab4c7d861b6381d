/** The real agent in the pipeline: doubts, tools, answers and steps over the matcher and the database. */
import { afterEach, expect, test } from 'vitest';
import { STEP_TYPES } from '#core/job/job.ts';
import { ok } from '#core/result.ts';
import { workflowOf, type AgentEngine } from '#core/run/agent.ts';
import { agentCatalog } from '../../fixtures/agent-catalog.ts';
import { ScriptedModel, SMALL, type Script } from '../../fixtures/scripted-model.ts';
import { fakeAgent } from './fake-agent.ts';
import { musicEngine } from './music-engine.ts';
import { openPipeline } from './harness.ts';

type World = Awaited<ReturnType<typeof openPipeline>>;
const worlds: World[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

async function open(catalog: Parameters<typeof openPipeline>[0], script: Script, crashAfter = Infinity) {
  let saves = 0;
  const model = new ScriptedModel(script, SMALL);
  const world = await openPipeline(catalog, (own) => {
    const real = musicEngine(own);
    const engine: AgentEngine = {
      ...real,
      run: (workflow, ports) =>
        real.run(workflow, {
          ...ports,
          save: async (reached) => {
            await ports.save(reached);
            // A tab that dies here runs nothing more.
            if (++saves === crashAfter) await new Promise<never>(() => undefined);
          },
        }),
    };
    const { agent } = fakeAgent(() => ok(''));
    return {
      ...agent,
      engine: async () => engine,
      model: async (batch) => {
        const made = await agent.model(batch);
        return made && { ...made, open: async () => ok(model) };
      },
    };
  });
  worlds.push(world);
  return { model, world, saves: () => saves };
}

/** The letter of the option whose line names `text`. */
function letterOf(messages: readonly { content: string }[], text: string): string {
  const lines = messages.flatMap(({ content }) => content.split('\n'));
  const line = lines.find((one) => one.includes(text) && /^\W*[A-Z]\b/.test(one));
  return /[A-Z]/.exec(line ?? '')?.[0] ?? 'none';
}

const TWO: Parameters<typeof openPipeline>[0] = [
  {
    album: 'Signal Fires',
    artist: 'Ida Strand',
    tracks: [
      ['Kindling', 225],
      ['Beacon Hill', 252],
      ['Smoke Grammar', 238],
      ['Answering Light', 201],
      ['Tinder', 187],
    ],
  },
  {
    album: 'Dry Season',
    artist: 'Lena Voss',
    tracks: [
      ['Cracked Map', 226],
      ['Well Song', 251],
      ['Dust Ledger', 239],
      ['Hundred Degrees', 200],
      ['Thistle', 188],
    ],
  },
];
const nameless = [225, 252, 238, 201, 187].map((seconds, at) => ({ name: `a/track0${at + 1}.mp3`, seconds }));

test('AGENT-5 an album that only the agent’s search found is approved by evidence', async () => {
  const made = agentCatalog();
  const { world, model } = await open(made.catalog, () => ({ say: '{"why":"I cannot say","choice":"ask"}' }));
  await world.drop(made.files.map((file) => ({ name: file.path, seconds: file.duration_ms / 1000, tags: file.tags })));
  const jobs = await world.settled();
  expect(model.requests.length).toBeGreaterThan(0);
  expect(jobs.map((job) => [job.path, job.matched_track_id])).toEqual(
    made.files.map((file) => [file.path, file.track_id]),
  );
  expect(jobs.every((job) => job.match_source === 'AGENT')).toBe(true);
});

test('use case 3: the album is chosen by a person with the model’s advice, then the files match with that context', async () => {
  const { world, model } = await open(TWO, ({ messages }) => ({
    say: JSON.stringify({ why: 'The lengths fit better.', choice: letterOf(messages, 'Dry Season') }),
  }));
  await world.drop(nameless);
  await world.settled();
  const [review] = await world.openReviews();
  expect(review?.advice).toMatchObject({ option_id: 'album:al1', why: 'The lengths fit better.', agreement: 1 });
  const prompts = model.requests.map((request) => request.messages.map((one) => one.content).join('\n'));
  expect(prompts.join('\n')).toContain('Dry Season');
  await world.answerReview(review?.id ?? '', { kind: 'option', option_id: 'album:al1' }, 'carol');
  world.poke();
  const jobs = await world.settled();
  expect(jobs.every((job) => job.matched_album_id === 'al1')).toBe(true);
  const lead = jobs.find((job) => job.workflow_state !== null);
  const steps = await world.store.steps(lead?.id ?? '');
  const types = new Set(steps.map((step) => step.step_type));
  expect(STEP_TYPES.filter((type) => !types.has(type))).toEqual(['Error']);
  expect(steps.map((step) => step.step_number)).toEqual(steps.map((_, at) => at + 1));
});

test('AGENT-88 what the agent did for an album is in the log of each of its files, and stored with the first', async () => {
  const script: Script = (request) => ({
    say: `{"why":"The lengths fit.","choice":"${letterOf(request.messages, 'Signal Fires')}"}`,
  });
  const { world } = await open(TWO, script);
  await world.drop(nameless);
  const jobs = await world.settled();
  const lead = jobs.find((job) => workflowOf(job) !== null);
  const ofAgent = async (id = '') =>
    (await world.store.steps(id)).flatMap(({ metadata, content }) => (metadata['agent'] === true ? [content] : []));
  const said = await ofAgent(lead?.id);
  expect(said.some((content) => content.startsWith('get_album_tracks('))).toBe(true);
  expect(said).toContain('The lengths fit.');
  for (const job of jobs) {
    expect([job.path, await ofAgent(job.id)]).toEqual([job.path, said]);
    const numbers = (await world.store.steps(job.id)).map((step) => step.step_number);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  }
});

test('AGENT-42 a model that is gone leaves the reason in the review and in the log', async () => {
  const { world } = await open(TWO, () => ({ fail: 'model_cut', message: 'The answer broke off in the middle.' }));
  await world.drop(nameless);
  const jobs = await world.settled();
  expect((await world.openReviews())[0]?.advice?.failed).toContain('broke off');
  const lead = jobs.find((job) => job.workflow_state !== null);
  expect(workflowOf(lead)?.state.type).toBe('AwaitingReview');
  const errors = world.store.allSteps().filter((step) => step.step_type === 'Error');
  expect(errors.some((step) => step.content.includes('broke off'))).toBe(true);
});

/** What came of a drop in a tab that died after so many saves. */
async function endOf(crash: number): Promise<unknown> {
  const script: Script = ({ messages }) => ({
    say: JSON.stringify({ why: 'The lengths fit better.', choice: letterOf(messages, 'Dry Season') }),
  });
  const { world, model, saves } = await open(TWO, script, crash);
  await world.drop(nameless);
  if (crash < Infinity) {
    await expect.poll(saves, { interval: 5 }).toBeGreaterThanOrEqual(crash);
    await world.start();
  }
  const jobs = await world.settled();
  const journal = workflowOf(jobs.find((job) => job.workflow_state !== null))?.journal ?? [];
  const calls = journal.map((entry) => ('call' in entry ? `${entry.kind} ${entry.call}` : entry.kind));
  const [review] = await world.openReviews();
  return { calls, asked: model.requests.length, answer: jobs[0]?.agent?.answer, advice: review?.advice };
}

let undisturbed: Promise<unknown> | null = null;

test.each([1, 3, 8, 14, 17])(
  'AGENT-41, AGENT-80 the real agent, crashed after save %i: the same end, no call made twice',
  async (crash) => {
    undisturbed ??= endOf(Infinity);
    const expected = await undisturbed;
    expect(await endOf(crash)).toEqual(expected);
  },
);
