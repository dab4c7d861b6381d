import { afterEach, describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { workflowOf } from '#core/run/agent.ts';
import { fakeAgent, type Answerer } from './fake-agent.ts';
import { openPipeline } from './harness.ts';

type World = Awaited<ReturnType<typeof openPipeline>>;
const worlds: World[] = [];

const LENGTHS = [225, 252, 238, 201, 187];
const nameless = (folder: string) => LENGTHS.map((seconds, at) => ({ name: `${folder}/track0${at + 1}.mp3`, seconds }));
const DOWN: Answerer = () => fail(failure('model_unreachable', 'Nothing answers there.'));

async function open(answer: Answerer) {
  const fake = fakeAgent(answer);
  const tracks = LENGTHS.map((length, at): [string, number] => [`Song ${at}`, length]);
  const near = tracks.map(([title, length], at): [string, number] => [
    `Air ${title}`,
    length + (at % 2 === 0 ? 1 : -1),
  ]);
  const world = await openPipeline(
    [
      { album: 'Signal Fires', artist: 'Ida Strand', tracks },
      { album: 'Dry Season', artist: 'Lena Voss', tracks: near },
    ],
    fake.agent,
  );
  worlds.push(world);
  return { fake, world };
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < 3000; turn++) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('it did not come to that');
}

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

describe('AGENT-52 asked again', () => {
  test('a question whose model failed is put to it once more, also while it rests, and comes back with its answer', async () => {
    const { fake, world } = await open(DOWN);
    for (const folder of ['a', 'b', 'c', 'd']) await world.drop(nameless(folder));
    await world.settled();
    const resting = (await world.openReviews()).find((one) => one.advice?.failed?.includes('3 times in a row'));
    if (!resting) throw new Error('no question went past a resting model');
    fake.setAnswer(() => ok('album:al1'));
    const before = fake.calls.length;
    expect(await world.askAgain(resting.job_ids.slice(2, 3))).toEqual(ok({ asked: 1 }));
    expect((await world.deps.agentState.read()).failures).toBe(0);
    world.poke();
    await world.settled();
    expect(fake.calls).toHaveLength(before + 2);
    const reviews = await world.openReviews();
    expect(reviews).toHaveLength(4);
    const back = reviews.find((one) => one.job_ids.includes(resting.job_id));
    expect(back?.advice).toMatchObject({ option_id: 'album:al1', failed: null });
    expect(await world.store.review(resting.id)).toMatchObject({ selected_option: 'withdrawn' });
    const steps = await world.store.steps(resting.job_id);
    expect(steps.map((step) => step.content)).toContain('The model is asked again');
  });

  test('AGENT-85 not where an answer came, where no model is set, or what the person took back', async () => {
    const { fake, world } = await open(() => ok('album:al1'));
    await world.drop(nameless('a'));
    await world.settled();
    const [review] = await world.openReviews();
    const ids = review?.job_ids ?? [];
    expect(await world.askAgain(ids)).toMatchObject({ ok: false, failure: { code: 'conflict' } });

    fake.setAnswer(DOWN);
    await world.drop(nameless('b'));
    await world.settled();
    const failed = (await world.openReviews()).find((one) => one.advice?.failed)?.job_ids ?? [];
    fake.setModel(null);
    expect(await world.askAgain(failed)).toMatchObject({ ok: false, failure: { code: 'model_missing' } });
    fake.setModel({});
    await world.store.patchJob(failed[0] ?? '', { hold: true });
    expect(await world.askAgain(failed)).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    expect((await world.openReviews()).filter((one) => one.advice?.failed)).toHaveLength(1);
  });
});

test('AGENT-54 the rest of a model ends by itself, with nothing to do', async () => {
  const { world } = await open(DOWN);
  const later: (() => void)[] = [];
  await world.stop();
  world.deps.later = (run) => void later.push(run);
  await world.start();
  for (const folder of ['a', 'b', 'c']) await world.drop(nameless(folder));
  await world.settled();
  await until(async () => (await world.deps.agentState.read()).state === 'resting');
  await until(() => later.length === 1);
  const { retry_at } = await world.deps.agentState.read();
  const { clock } = world.deps;
  const real = clock.now.bind(clock);
  clock.now = () => real() + (retry_at ?? 0);
  later[0]?.();
  await until(async () => (await world.deps.agentState.read()).state === 'idle');
});

test('AGENT-51, AGENT-84 a pause is no try of the call that it stops', async () => {
  const { fake, world } = await open(() => new Promise<never>(() => undefined));
  const run = fake.engine.run;
  // As the executor does: the count is saved with the call, and what is stopped comes back as it was saved last.
  fake.engine.run = async (workflow, ports) => {
    let last = { ...workflow, tries: (workflow.tries ?? 0) + 1 };
    await ports.save(last);
    const save = async (reached: typeof workflow): Promise<void> => {
      await ports.save(reached);
      last = { ...last, ...reached };
    };
    try {
      return await run(last, { ...ports, save });
    } catch (thrown) {
      if (ports.signal.aborted) return last;
      throw thrown;
    }
  };
  await world.drop(nameless('a'));
  const tries = () => world.store.allJobs().flatMap((job) => workflowOf(job)?.tries ?? []);
  for (let pause = 0; pause < 4; pause++) {
    await until(() => fake.calls.length === pause + 1);
    expect(tries()).toEqual([1]);
    world.setPaused(true);
    await until(() => tries()[0] === 0);
    world.setPaused(false);
  }
});
