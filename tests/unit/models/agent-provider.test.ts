import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { createAgent } from '#adapters/browser/run/open-pipeline.ts';
import { writeSetting } from '#adapters/browser/settings.ts';
import { EngineHost } from '#adapters/models/engine-host.ts';
import type { Engine } from '#adapters/models/engine.ts';
import { databaseRows } from '#adapters/browser/llm/model-rows.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { openDatabase } from '#lanes/database.ts';
import { testClock } from '../../fixtures/job.ts';

const ENGINE: Engine = {
  contextLength: 2048,
  answer: async () => fail(failure('model_empty', 'nothing was asked')),
  close: async () => undefined,
};

async function world(load: (id: string) => Promise<Result<Engine>>) {
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  /** What the workers did, in order. */
  const heard: string[] = [];
  let count = 0;
  const agent = createAgent({
    db,
    clock: testClock(),
    timers: { set: () => null, clear: () => undefined },
    server: { baseUrl: 'http://127.0.0.1:9', token: async () => null },
    openModel: () => {
      const mine = (count += 1);
      const host = new EngineHost((choice) => {
        heard.push(`${mine} loads ${choice.id}`);
        return load(choice.id);
      });
      return {
        api: host,
        died: new Promise(() => undefined),
        terminate: () => void heard.push(`${mine} ends`),
      };
    },
    random: () => 0.5,
  });
  await writeSetting(db, 'llm_provider', 'wllama');
  const open = async (id: string, signal?: AbortSignal) => {
    await writeSetting(db, 'llm_model', id);
    const model = await agent.model({ demo: false });
    if (model === null) throw new Error('no model');
    return model.open(signal);
  };
  return { db, heard, open };
}

test('MODEL-14, MODEL-24: a model is loaded when it is opened, and another one ends its worker first', async () => {
  const { heard, open } = await world(async () => ok(ENGINE));
  expect(await open('a')).toMatchObject({ ok: true, value: { capabilities: { contextLength: 2048 } } });
  expect(heard).toEqual(['1 loads a']);
  expect((await open('a')).ok).toBe(true);
  expect(heard).toEqual(['1 loads a']);
  expect((await open('b')).ok).toBe(true);
  expect(heard).toEqual(['1 loads a', '1 ends', '2 loads b']);
});

test('MODEL-14: what loading fails with is what opening fails with, and it is tried anew the next time', async () => {
  const why = failure('model_damaged', 'The model "a" cannot be loaded (bad magic).');
  let loads = 0;
  const { open } = await world(async () => ((loads += 1) === 1 ? fail(why) : ok(ENGINE)));
  expect(await open('a')).toEqual(fail(why));
  expect((await open('a')).ok).toBe(true);
});

test('MODEL-14: a wish to stop ends the wait for a model that loads', async () => {
  const stop = new AbortController();
  const { open } = await world(() => {
    stop.abort();
    return new Promise(() => undefined);
  });
  expect(await open('a', stop.signal)).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
});

test('MODEL-15: sentences call a model of the person by its name', async () => {
  const { db, open } = await world(async () => ok(ENGINE));
  const about = { licence: 'mit', licence_url: null, sha256: null, version: null, parts: [], complete: true, total: 0 };
  await databaseRows(db).put({
    ...{ schemaVersion: 1, id: 'own-1', name: 'Mine', engine: 'wllama', own: true, context_length: 2048 },
    ...about,
  });
  const opened = await open('own-1');
  if (!opened.ok) throw new Error(opened.failure.message);
  const { stages } = await opened.value.healthCheck();
  expect(stages.at(-1)?.said).toContain('nothing was asked');
  const asked = opened.value.complete([], undefined, { maxTokens: 1, temperature: 0, timeoutMs: 1 });
  opened.value.close?.();
  expect(await asked).toMatchObject({ failure: { message: expect.stringContaining('"Mine"') } });
});
