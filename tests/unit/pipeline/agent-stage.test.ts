import { afterEach, describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { woken } from '#core/run/agent-state.ts';
import { workflowOf } from '#core/run/agent.ts';
import { findingsToContext } from '#lanes/music/core/decide/match-context.ts';
import { fakeAgent, type Answerer } from './fake-agent.ts';
import { openPipeline } from './harness.ts';

type World = Awaited<ReturnType<typeof openPipeline>>;
const worlds: World[] = [];

const THREE: Parameters<typeof openPipeline>[0] = [
  { album: 'Signal Fires', artist: 'Ida Strand', tracks: seconds([225, 252, 238, 201, 187]) },
  { album: 'Dry Season', artist: 'Lena Voss', tracks: seconds([226, 251, 239, 200, 188]) },
];

function seconds(list: number[]): [string, number][] {
  return list.map((length, at) => [`Song ${'ABCDEFGH'[at] ?? ''}${length}`, length]);
}

const nameless = (folder: string) =>
  [225, 252, 238, 201, 187].map((length, at) => ({ name: `${folder}/track0${at + 1}.mp3`, seconds: length }));

async function open(answer: Answerer) {
  const fake = fakeAgent(answer);
  const world = await openPipeline(THREE, fake.agent);
  worlds.push(world);
  return { fake, world };
}

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

const leads = (world: World) =>
  world.store.allJobs().flatMap((job) => {
    const workflow = workflowOf(job);
    return workflow === null ? [] : [{ job, workflow }];
  });

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < 3000; turn++) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('it did not come to that');
}

const never = () => new Promise<never>(() => undefined);

describe('the agent beside the loop', () => {
  test('AGENT-79 a doubt is put to the model before a person is asked, and its answer comes with the question', async () => {
    const { fake, world } = await open(() => ok('album:al1'));
    await world.drop(nameless('a'));
    const jobs = await world.settled();
    expect(fake.calls).toHaveLength(2);
    const [review] = await world.openReviews();
    expect(review?.advice).toMatchObject({ option_id: 'album:al1', model: 'fake/small', failed: null });
    expect(review?.options[0]?.id).toBe('album:al1');
    const [lead] = leads(world);
    const steps = await world.store.steps(lead?.job.id ?? '');
    expect(steps.map((step) => step.content)).toContain('1 context');
    expect(new Set(steps.map((step) => step.step_number)).size).toBe(steps.length);
    for (const job of jobs) expect(job.agent).toMatchObject({ answer: 'album:al1', rounds: 1 });
    const other = jobs.find((job) => job.id !== lead?.job.id);
    const pointers = await world.store.steps(other?.id ?? '');
    expect(pointers.some((step) => step.metadata['lead_job_id'] === lead?.job.id)).toBe(true);
  });

  test.each([1, 2, 3, 4, 5, 6])(
    'AGENT-41, AGENT-80 crashed after save %i and reopened: the same end, no finished call made again',
    async (crash) => {
      const { fake, world } = await open(() => ok('album:al1'));
      const run = fake.engine.run;
      let saves = 0;
      fake.engine.run = (workflow, ports) =>
        run(workflow, {
          ...ports,
          save: async (reached) => {
            await ports.save(reached);
            if (++saves === crash) await never();
          },
        });
      await world.drop(nameless('a'));
      await until(() => saves === crash);
      // A tab that dies runs nothing more: its runner is left behind, not stopped.
      await world.start();
      await world.settled();
      const [lead] = leads(world);
      const ended = lead?.workflow.journal.flatMap((one) => (one.kind === 'model_ended' ? [one.call] : []));
      expect(ended).toEqual(['first', 'second']);
      expect(fake.calls).toHaveLength(2);
      expect((await world.openReviews())[0]?.advice?.option_id).toBe('album:al1');
      const steps = await world.store.steps(lead?.job.id ?? '');
      const said = steps.map((step) => step.content).filter((text) => /^\d (context|model_|asked)/.test(text));
      expect(said).toEqual([...new Set(said)]);
    },
  );

  test('AGENT-41 a tab that lost the work writes nothing of an answer that came late', async () => {
    let answerLate = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    const { fake, world } = await open(async () => {
      await late;
      return ok('album:al0');
    });
    await world.drop(nameless('a'));
    await until(() => fake.calls.length === 1);
    fake.setAnswer(() => ok('album:al1'));
    await world.start();
    await world.settled();
    answerLate();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect((await world.openReviews())[0]?.advice?.option_id).toBe('album:al1');
  });

  test('a cancelled lead stops the model, and the other files are asked about anew', async () => {
    const { fake, world } = await open(never);
    await world.drop(nameless('a'));
    await until(() => fake.calls.length === 1);
    const [lead] = leads(world);
    fake.setAnswer(() => ok('album:al1'));
    await world.cancel([lead?.job.id ?? '']);
    const jobs = await world.settled();
    const cancelled = jobs.filter((job) => job.phase === 'cancelled');
    expect(cancelled.map((job) => workflowOf(job)?.state.type)).toEqual(['Completed']);
    expect((await world.openReviews()).flatMap((review) => review.job_ids)).toHaveLength(4);
  });

  test('AGENT-45 a person who takes the question over gets it at once', async () => {
    const { fake, world } = await open(never);
    await world.drop(nameless('a'));
    await until(() => fake.calls.length === 1);
    const jobs = world.store.allJobs();
    expect(await world.skipAgent([jobs[2]?.id ?? ''])).toBe(5);
    world.poke();
    await world.settled();
    const [review] = await world.openReviews();
    expect(review?.advice?.failed).toContain('You took the question over');
    expect(fake.calls).toHaveLength(1);
    await until(async () => (await world.deps.agentState.read()).state === 'idle');
  });

  test('AGENT-46, AGENT-82 a pause stops the answer, its end asks again', async () => {
    const { fake, world } = await open(never);
    await world.drop(nameless('a'));
    await until(() => fake.calls.length === 1);
    world.setPaused(true);
    await until(async () => (await world.deps.agentState.read()).state === 'idle');
    expect(world.store.allJobs().every((job) => job.phase === 'thinking')).toBe(true);
    fake.setAnswer(() => ok('album:al1'));
    world.setPaused(false);
    await world.settled();
    expect(fake.calls).toHaveLength(3);
  });

  test('AGENT-46 a pause while the model is loaded ends nothing: the doubt is put to it afterwards', async () => {
    const { fake, world } = await open(() => ok('album:al1'));
    let loading = false;
    fake.setModel({
      open: (signal) =>
        new Promise((resolve) => {
          loading = true;
          signal?.addEventListener('abort', () => resolve(fail(failure('cancelled', 'stopped'))));
        }),
    });
    await world.drop(nameless('a'));
    await until(() => loading);
    world.setPaused(true);
    await until(async () => (await world.deps.agentState.read()).state === 'idle');
    expect(world.store.allJobs().every((job) => job.phase === 'thinking')).toBe(true);
    fake.setModel({});
    world.setPaused(false);
    await world.settled();
    expect((await world.openReviews())[0]?.advice).toMatchObject({ option_id: 'album:al1', failed: null });
  });

  test('AGENT-46, AGENT-82 another model in the settings is asked from the start; none asks the person', async () => {
    const { fake, world } = await open(never);
    await world.drop(nameless('a'));
    await until(() => fake.calls.length === 1);
    fake.setModel({ model: 'large' });
    world.poke();
    await until(() => fake.calls.length === 2);
    const [lead] = leads(world);
    expect(lead?.workflow.model).toBe('fake/large');
    fake.setModel(null);
    world.poke();
    await world.settled();
    expect((await world.openReviews())[0]?.advice ?? null).toBeNull();
    await until(async () => (await world.deps.agentState.read()).state === 'off');
  });

  test('AGENT-40 one at a time for a model of this device, two for a hosted one; other work goes on', async () => {
    for (const [hosted, most] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const { fake, world } = await open(never);
      fake.setModel({ hosted });
      await world.drop(nameless('a'));
      await world.drop(nameless('b'));
      await world.drop(nameless('c'));
      await until(() => fake.calls.length === most);
      await world.drop([
        {
          name: 'd/01 Song A225.flac',
          seconds: 225,
          tags: { title: 'Song A225', artist: 'Ida Strand', album: 'Signal Fires', track: 1 },
        },
      ]);
      await until(() => world.store.allJobs().some((job) => job.phase === 'waiting'));
      await until(async () => (await world.deps.agentState.read()).waiting === 3 - most);
      expect((await world.deps.agentState.read()).working_on).toHaveLength(most);
      expect(fake.most()).toBe(most);
    }
  });

  test('AGENT-42 a model that fails sends the doubt to the person with the reason', async () => {
    const { world } = await open(() => fail(failure('model_cut', 'The answer broke off.')));
    await world.drop(nameless('a'));
    await world.settled();
    expect((await world.openReviews())[0]?.advice).toMatchObject({ option_id: null, failed: 'The answer broke off.' });
    const state = await world.deps.agentState.read();
    expect(state).toMatchObject({ failures: 1, last_failure: { failure: { code: 'model_cut' } } });
  });

  test('AGENT-42 a provider that cannot be made sends the doubt to the person too', async () => {
    const { fake, world } = await open(never);
    fake.setModel({ open: async () => fail(failure('model_missing', 'No model is chosen.')) });
    await world.drop(nameless('a'));
    await world.settled();
    expect((await world.openReviews())[0]?.advice?.failed).toBe('No model is chosen.');
  });

  test('a save that fails is said and the doubt is taken up again later', async () => {
    const { fake, world } = await open(() => ok('album:al1'));
    const again: (() => void)[] = [];
    world.deps.later = (run) => void again.push(run);
    await world.stop();
    const run = fake.engine.run;
    fake.engine.run = () => Promise.reject(new DOMException('no space', 'QuotaExceededError'));
    await world.start();
    await world.drop(nameless('a'));
    await until(() => again.length > 0);
    expect(world.errors.splice(0)).toHaveLength(1);
    fake.engine.run = run;
    again[0]?.();
    await world.settled();
    expect((await world.openReviews())[0]?.advice?.option_id).toBe('album:al1');
  });

  test('AGENT-44 what another model did says nothing of this one', async () => {
    const { fake, world } = await open(() => fail(failure('model_unreachable', 'Nothing answers there.')));
    for (const folder of ['a', 'b', 'c']) await world.drop(nameless(folder));
    await world.settled();
    fake.setAnswer(() => ok('album:al1'));
    fake.setModel({ model: 'large' });
    await world.drop(nameless('d'));
    await world.settled();
    expect(fake.calls).toHaveLength(5);
  });

  test('AGENT-44, AGENT-81 after three failures in a row the rest goes to the person at once; a test wakes it', async () => {
    const { fake, world } = await open(() => fail(failure('model_unreachable', 'Nothing answers there.')));
    for (const folder of ['a', 'b', 'c', 'd']) await world.drop(nameless(folder));
    await world.settled();
    expect(fake.calls).toHaveLength(3);
    const reviews = await world.openReviews();
    expect(reviews).toHaveLength(4);
    expect(reviews.filter((one) => one.advice?.failed?.includes('failed 3 times in a row'))).toHaveLength(1);
    await until(async () => (await world.deps.agentState.read()).state === 'resting');
    expect((await world.deps.agentState.read()).retry_at).toBeGreaterThan(world.deps.clock.now());

    fake.setAnswer(() => ok('album:al1'));
    await world.deps.agentState.change(woken);
    await world.drop(nameless('e'));
    await world.settled();
    expect(fake.calls).toHaveLength(5);
    expect(await world.deps.agentState.read()).toMatchObject({ failures: 0, last_failure: null });
  });

  test('AGENT-43 the answer of a person completes the workflow that waited for it', async () => {
    const { fake, world } = await open(() => ok('album:al1'));
    await world.drop(nameless('a'));
    await world.settled();
    const [review] = await world.openReviews();
    const before = fake.calls.length;
    await world.answerReview(review?.id ?? '', { kind: 'option', option_id: 'album:al1' }, 'carol');
    const [lead] = leads(world);
    expect(lead?.workflow.state).toMatchObject({ type: 'Completed', result: { decided_by: 'person' } });
    world.poke();
    const jobs = await world.settled();
    expect(jobs.every((job) => job.matched_album_id === 'al1')).toBe(true);
    expect(fake.calls).toHaveLength(before);
  });

  test('AGENT-5 what two answers led to is compared by the matcher, the earlier ones too', async () => {
    const { fake, world } = await open(() => ok('album:got0'));
    const found = [
      { answer: 'album:got0', looked_up: ['al3'] },
      { answer: 'album:got1', looked_up: ['al4'] },
    ];
    const finding = fake.engine.finding;
    let answers = 0;
    fake.engine.finding = (workflow) => ({ ...finding(workflow), ...found[answers++] });
    await world.drop(nameless('a'));
    await world.settled();
    const [first] = world.store.allJobs();
    expect(first?.agent).toMatchObject({ answer: 'album:got0', looked_up: ['al3'], rounds: 1 });
    // One file less is another doubt, which is put to the model again.
    await world.cancel([first?.id ?? '']);
    const others = (await world.settled()).filter((job) => job.phase === 'review');
    expect(others).toHaveLength(4);
    for (const job of others)
      expect(job.agent).toMatchObject({ answer: 'album:got1', looked_up: ['al4', 'got0', 'al3'], rounds: 2 });
    expect(findingsToContext(others)).toEqual([
      { file_ids: others.map((job) => job.id), album_ids: ['got1', 'al4', 'got0', 'al3'] },
    ]);
  });

  test('AGENT-47 a job that thinks about nothing is matched again', async () => {
    const { fake, world } = await open(never);
    await world.drop(nameless('a'));
    await until(() => fake.calls.length === 1);
    await world.stop();
    const [lead] = leads(world);
    await world.store.patchJob(lead?.job.id ?? '', { workflow_state: null });
    fake.setAnswer(() => ok('album:al1'));
    await world.start();
    await world.settled();
    expect((await world.openReviews())[0]?.advice?.option_id).toBe('album:al1');
  });
});
