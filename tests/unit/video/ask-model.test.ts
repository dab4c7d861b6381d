import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { openDatabase } from '#lanes/database.ts';
import { type AgentModel, DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import { systemTimers } from '#adapters/browser/system.ts';
import { dexieJournalStore } from '#adapters/browser/plans/journal-store.ts';
import type { AskProgress } from '#lanes/video/browser/video-api.types.ts';
import { createVideoService } from '#lanes/video/browser/video-service.ts';
import { failure } from '#core/errors.ts';
import { randomUuids } from '#core/ids.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { headOf, type Show } from '#lanes/video/core/show-catalog.ts';
import { choosing, ScriptedModel, SMALL, type Said, type Script } from '../../fixtures/scripted-model.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

const TITLES = ['Arrival', 'Low Tide', 'The Pilot Boat', 'Departure'];
function show(id: string, year: number, titles: readonly string[]): Show {
  const episodes = titles.map((title, at) => ({ number: at + 1, title, air_date: null, absolute: null }));
  return { id, title: 'Harbour', titles: [], year, seasons: [{ number: 1, title: null, episodes }] };
}
const OLD = show('sh-old', 1981, ['Ebb', 'Flow']);
const NEW = show('sh-new', 2019, TITLES);
const TWO = ['Harbour.S01E01.mkv', 'Harbour.S01E02.mkv'];
/** The fourth has no number and no title that is like the missing one's. */
const UNNUMBERED = [...TWO, 'Harbour.S01E04.mkv', 'harbour boat.mkv'];

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

async function opened(names: readonly string[], shows: readonly Show[], script: Script | readonly Said[] | null) {
  const db = openDatabase(`ask-${crypto.randomUUID()}`);
  await db.shows.bulkPut([...shows]);
  await db.show_heads.bulkPut(shows.map(headOf));
  const provider = new ScriptedModel(script ?? [], SMALL);
  const model: AgentModel = {
    ...{ provider: 'scripted', model: 'script', recorded: false, hosted: false, strategy: 'choice', seed: null },
    fingerprint: 'x',
    options: { temperature: 0, timeoutMs: 10_000, limits: DEFAULT_LIMITS, price: { in: 0, out: 0 } },
    open: async () => ok(provider),
  };
  const world = { model: script === null ? null : model, closed: 0 };
  const models = async () => ({ model: async () => world.model, close: async () => void (world.closed += 1) });
  const room = createVideoService({
    ...{ db, models, timers: systemTimers, ids: randomUuids, platform: 'Linux x86_64' },
    journal: dexieJournalStore(db, navigator.locks),
    clock: { now: () => 1 },
  });
  const files = names.map((path) => ({ path, size: 1000, modified: 1 }));
  const read = value(await room.open({ kind: 'list', name: 'Harbour', files }, () => undefined));
  const heard: AskProgress[] = [];
  const ask = () => room.ask((progress) => void heard.push(progress));
  const plans = async () => (await db.plans.toArray()).map(({ plan }) => plan);
  return { db, room, read, world, provider, heard, ask, plans };
}

test.for([
  ['that reads clearly has nothing to ask', TWO, [NEW], { questions: 0, files: [] }],
  ['with a question has it', TWO, [OLD, NEW], { questions: 1, files: [] }],
  ['with a file without a number has that', UNNUMBERED, [NEW], { questions: 0, files: ['harbour boat.mkv'] }],
] as const)('VIDEO-90 a folder %s', async ([, names, shows, doubts]) => {
  const { read } = await opened(names, shows, null);
  expect(read.doubts).toEqual(doubts);
});

test('VIDEO-91, VIDEO-115 the answer is advice with its reason: neither the reading nor the plan changes by it', async () => {
  const { ask, heard, plans, room, read, world } = await opened(
    TWO,
    [OLD, NEW],
    choosing('1981', 'Two, as the old one.'),
  );
  const before = await plans();
  const { model, items, stopped, failure: failed } = value(await ask());
  expect({ model, stopped, failed }).toEqual({ model: 'script', stopped: false, failed: null });
  expect(items).toMatchObject([
    {
      kind: 'which-show',
      path: null,
      proposal: { id: 'sh-old', place: null },
      why: 'Two, as the old one.',
      refused: null,
    },
  ]);
  expect(heard.map(({ stage }) => stage)).toEqual(['opening', 'asking']);
  expect(await plans()).toEqual(before);
  expect(world.closed).toBe(1);
  // Taken over, it is an answer like one that was given here.
  const after = value(await room.read({ show: items[0]?.proposal?.id ?? '' }));
  expect([read.reading.questions.length, after.reading.show.id, after.doubts.questions]).toEqual([1, 'sh-old', 0]);
});

test('VIDEO-91 of a file without a number it is a missing episode', async () => {
  const { ask } = await opened(UNNUMBERED, [NEW], choosing('The Pilot Boat', 'A boat.'));
  expect(value(await ask()).items).toMatchObject([
    { kind: 'which-episode', path: 'harbour boat.mkv', proposal: { place: { season: 1, episode: 3 } }, refused: null },
  ]);
});

test('VIDEO-91 what the model leaves open is said to be so', async () => {
  const { ask } = await opened(TWO, [OLD, NEW], choosing('neither', 'Both have these.'));
  expect(value(await ask()).items).toMatchObject([{ kind: 'which-show', proposal: null }]);
});

test('VIDEO-92 without a model, or where it cannot be opened, the failure says what to do', async () => {
  const none = await opened(TWO, [OLD, NEW], null);
  expect(await none.ask()).toMatchObject({ ok: false, failure: { code: 'model_missing' } });
  const gone = await opened(TWO, [OLD, NEW], []);
  if (gone.world.model) gone.world.model.open = async () => fail(failure('gpu_missing', 'No GPU.'));
  expect(await gone.ask()).toMatchObject({ ok: false, failure: { code: 'gpu_missing' } });
  expect([none.provider.requests, gone.provider.requests, gone.world.closed]).toEqual([[], [], 1]);
});

test('VIDEO-92 a model that fails is asked no more, and nothing is proposed', async () => {
  const two = [...UNNUMBERED.slice(0, 2), 'harbour boat.mkv', 'harbour away.mkv', 'Harbour.S01E05.mkv'];
  const { ask, heard } = await opened(two, [show('sh-5', 2019, [...TITLES, 'After'])], [{ fail: 'model_schema' }]);
  expect(value(await ask())).toMatchObject({ items: [], stopped: false, failure: { code: 'model_schema' } });
  expect(heard.filter(({ stage }) => stage === 'asking')).toHaveLength(1);
});

test('VIDEO-93 stopped, it is asked no more; an answer to a question stops it too', async () => {
  const first = await opened(TWO, [OLD, NEW], [{ hang: true }]);
  const asking = first.ask();
  await expect.poll(() => first.provider.requests.length).toBe(1);
  await first.room.stopAsking();
  expect(value(await asking)).toMatchObject({ items: [], stopped: true, failure: null });
  const second = await opened(TWO, [OLD, NEW], [{ hang: true }]);
  const other = second.ask();
  await expect.poll(() => second.provider.requests.length).toBe(1);
  value(await second.room.read({ show: 'sh-old' }));
  expect(value(await other)).toMatchObject({ items: [], stopped: true });
});
