import { expect, test } from 'vitest';
import { EngineHost } from '#adapters/models/engine-host.ts';
import type { Engine } from '#adapters/models/engine.ts';
import type { InferenceApi, ModelSession } from '#adapters/models/model-api.ts';
import { createLocalModel } from '#adapters/models/local-model.ts';
import type { CompletionOptions } from '#core/agent/llm/provider.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';

const OPTIONS: CompletionOptions = { maxTokens: 50, temperature: 0, timeoutMs: 1000 };
const QUESTION = [{ role: 'user' as const, content: 'Which?' }];

/** A clock's hand that the test moves: what was set and not cleared runs when asked. */
class Hand {
  readonly set_: { run: () => void; ms: number }[] = [];
  readonly set = (run: () => void, ms: number): unknown => {
    const timer = { run, ms };
    this.set_.push(timer);
    return timer;
  };
  readonly clear = (timer: unknown): void => {
    const at = this.set_.findIndex((one) => one === timer);
    if (at >= 0) this.set_.splice(at, 1);
  };
  ring(ms: number): void {
    for (const timer of this.set_.filter((one) => one.ms === ms)) {
      this.clear(timer);
      timer.run();
    }
  }
}

function answered(content: string): Awaited<ReturnType<Engine['answer']>> {
  return ok({
    message: { role: 'assistant', content },
    finish_reason: 'stop',
    usage: { tokens_in: 5, tokens_out: 2, milliseconds: 20 },
  });
}

interface Desk {
  hand: Hand;
  opened: number;
  terminated: number;
  kill: (error: Error) => void;
  provider: ReturnType<typeof createLocalModel>;
}

/** A provider whose workers hold this door. */
function desk(api: (opened: number) => InferenceApi): Desk {
  const it: Omit<Desk, 'provider'> = { hand: new Hand(), opened: 0, terminated: 0, kill: () => undefined };
  const open = (): ModelSession => {
    it.opened += 1;
    const died = new Promise<Error>((say) => (it.kill = say));
    return { api: api(it.opened), died, terminate: () => void (it.terminated += 1) };
  };
  const choice = { engine: 'wllama' as const, id: 'm', title: 'Mine', contextLength: 8192 };
  const provider = createLocalModel({ ...choice, open, timers: it.hand, idleMs: 60_000, graceMs: 3000, loadMs: 9000 });
  return Object.assign(it, { provider });
}

function hostOf(answer: Engine['answer'], closed: () => void = () => undefined): EngineHost {
  return new EngineHost(async () => ok({ contextLength: 2048, answer, close: async () => closed() }));
}
const code = (result: Result<unknown>): string => (result.ok ? 'ok' : result.failure.code);
const never = (): Promise<never> => new Promise(() => undefined);

test('MODEL-10: the worker is opened by the first question, kept for the next, and let go when nobody asks', async () => {
  const it = desk(() => hostOf(async () => answered('{"a":1}')));
  expect(it.opened).toBe(0);
  expect(await it.provider.complete(QUESTION, undefined, OPTIONS)).toMatchObject({ ok: true });
  expect(await it.provider.complete(QUESTION, undefined, OPTIONS)).toMatchObject({ ok: true });
  expect(it.opened).toBe(1);
  // The model's own length, once it is known.
  expect(it.provider.capabilities.contextLength).toBe(2048);
  it.hand.ring(60_000);
  expect(it.terminated).toBe(1);
  expect(await it.provider.complete(QUESTION, undefined, OPTIONS)).toMatchObject({ ok: true });
  expect(it.opened).toBe(2);
});

test('MODEL-10, MODEL-22: an answer is stopped in the middle, and the engine stays for the next question', async () => {
  const stop = new AbortController();
  let answers = 0;
  const it = desk(() =>
    hostOf(async (_, onText, signal) => {
      answers += 1;
      if (answers > 1) return answered('{}');
      onText('{"answ');
      await new Promise<void>((end) => signal.addEventListener('abort', () => end()));
      return fail(failure('cancelled', 'stopped'));
    }),
  );
  const heard: string[] = [];
  const first = it.provider.complete(QUESTION, undefined, {
    ...OPTIONS,
    signal: stop.signal,
    onText: (text) => {
      heard.push(text);
      stop.abort();
    },
  });
  expect(code(await first)).toBe('cancelled');
  expect(heard).toEqual(['{"answ']);
  expect(code(await it.provider.complete(QUESTION, undefined, OPTIONS))).toBe('ok');
  expect([it.opened, it.terminated]).toEqual([1, 0]);
});

test('MODEL-10, MODEL-22: an engine that hears nothing is terminated after the grace, and the clock stops an answer too', async () => {
  const it = desk(() => hostOf(never));
  const asked = it.provider.complete(QUESTION, undefined, OPTIONS);
  await Promise.resolve();
  await new Promise((next) => setImmediate(next));
  it.hand.ring(1000);
  expect(code(await asked)).toBe('model_timeout');
  expect(it.terminated).toBe(0);
  it.hand.ring(3000);
  expect(it.terminated).toBe(1);
});

test('MODEL-10: who waits behind an engine that hears nothing is told when it is terminated, and asks another', async () => {
  const it = desk((opened) => hostOf(opened === 1 ? never : async () => answered('{}')));
  const first = it.provider.complete(QUESTION, undefined, OPTIONS);
  await new Promise((next) => setImmediate(next));
  const second = it.provider.complete(QUESTION, undefined, { ...OPTIONS, timeoutMs: 500_000 });
  await new Promise((next) => setImmediate(next));
  it.hand.ring(1000);
  expect(code(await first)).toBe('model_timeout');
  it.hand.ring(3000);
  expect(code(await second)).toBe('worker_died');
  expect(code(await it.provider.complete(QUESTION, undefined, OPTIONS))).toBe('ok');
  expect([it.opened, it.terminated]).toEqual([2, 1]);
});

test('MODEL-14, MODEL-22: loading before a question has its own limit, and is said in its own words', async () => {
  let [opens, loaded] = [0, (): void => undefined];
  const slow = new EngineHost(async () => {
    opens += 1;
    await new Promise<void>((go) => (loaded = go));
    return ok({ contextLength: 2048, answer: async () => answered('{}'), close: async () => undefined });
  });
  const it = desk(() => slow);
  const ready = it.provider.prepare?.();
  await new Promise((next) => setImmediate(next));
  loaded();
  expect(await ready).toEqual(ok(null));
  expect(it.provider.capabilities.contextLength).toBe(2048);
  expect(code(await it.provider.complete(QUESTION, undefined, OPTIONS))).toBe('ok');
  expect([opens, it.opened]).toEqual([1, 1]);

  const stuck = desk(() => new EngineHost(never));
  const late = stuck.provider.prepare?.();
  stuck.hand.ring(9000);
  expect(await late).toMatchObject({ failure: { message: 'The model "Mine" could not be loaded within 9 s.' } });
  expect(stuck.terminated).toBe(1);
  const why = failure('model_damaged', 'The model "Mine" cannot be loaded (bad magic).');
  expect(await desk(() => new EngineHost(async () => fail(why))).provider.prepare?.()).toEqual(fail(why));
});

test('MODEL-14: closing lets the worker go at once; what was under way ends as cancelled', async () => {
  const it = desk(() => hostOf(never));
  const asked = it.provider.complete(QUESTION, undefined, OPTIONS);
  it.provider.close?.();
  expect(code(await asked)).toBe('cancelled');
  expect(it.terminated).toBe(1);
});

test.each(['no JSON', '{"choice":"C"}', '{"choice":"A","more":1}', '{}'])(
  'MODEL-15: the check says that an answer does not fit: %s',
  async (content) => {
    const report = await desk(() => hostOf(async () => answered(content))).provider.healthCheck();
    expect(report).toMatchObject({ ok: false, capabilities: null });
    expect(report.stages.at(-1)).toMatchObject({ stage: 'schema', ok: false, failure: { code: 'model_schema' } });
  },
);

test('MODEL-15: the check passes an answer that fits, and calls the model by its name', async () => {
  const report = await desk(() => hostOf(async () => answered('{"choice":"A"}'))).provider.healthCheck();
  expect(report).toMatchObject({ ok: true, ms_per_token: 10 });
  expect(report.stages.find(({ stage }) => stage === 'model')?.said).toBe('The model "Mine" is loaded.');
});

test('MODEL-11, MODEL-24: a worker that dies is said, and the next question opens another', async () => {
  const it = desk((opened) => hostOf(opened === 1 ? never : async () => answered('{}')));
  const asked = it.provider.complete(QUESTION, undefined, OPTIONS);
  it.kill(new Error('out of memory'));
  const result = await asked;
  expect(result).toMatchObject({
    ok: false,
    failure: { code: 'worker_died', message: expect.stringContaining('memory') },
  });
  expect(code(await it.provider.complete(QUESTION, undefined, OPTIONS))).toBe('ok');
  expect(it.opened).toBe(2);
});

test('MODEL-11: a lost graphics card is said, its engine is dropped, and the next question loads it anew', async () => {
  let [loads, closed] = [0, 0];
  const host = new EngineHost(async () => {
    loads += 1;
    const answer: Engine['answer'] = async () =>
      loads === 1 ? fail(failure('gpu_lost', 'The graphics card was lost.')) : answered('{}');
    return ok({ contextLength: 4096, answer, close: async () => void (closed += 1) });
  });
  const it = desk(() => host);
  expect(code(await it.provider.complete(QUESTION, undefined, OPTIONS))).toBe('gpu_lost');
  expect(closed).toBe(1);
  expect(code(await it.provider.complete(QUESTION, undefined, OPTIONS))).toBe('ok');
  expect(loads).toBe(2);
});

test('MODEL-11: a model that is not here is missing, tools of its own it has none, and nothing throws', async () => {
  const missing = desk(() => new EngineHost(async () => fail(failure('model_missing', 'not here'))));
  expect(code(await missing.provider.complete(QUESTION, undefined, OPTIONS))).toBe('model_missing');
  const tools = [{ name: 't', description: '', parameters: {} }];
  expect(code(await missing.provider.complete(QUESTION, tools, OPTIONS))).toBe('model_schema');
  const broken = desk(() => new EngineHost(() => Promise.reject(new Error('no wasm'))));
  expect(code(await broken.provider.complete(QUESTION, undefined, OPTIONS))).toBe('model_error');
});

test('MODEL-10: one answer after the other; one that waits can be stopped before it begins', async () => {
  const order: string[] = [];
  let release: () => void = () => undefined;
  const host = hostOf(async ({ maxTokens }) => {
    order.push(`begin ${maxTokens}`);
    if (maxTokens === 1) await new Promise<void>((go) => (release = go));
    order.push(`end ${maxTokens}`);
    return answered('{}');
  });
  const choice = { engine: 'wllama' as const, id: 'm', contextLength: 1 };
  const ask = (ticket: number) =>
    host.infer(
      ticket,
      choice,
      { messages: QUESTION, schema: null, maxTokens: ticket, temperature: 0, seed: null },
      () => undefined,
    );
  const all = [ask(1), ask(2), ask(3)];
  await new Promise((next) => setImmediate(next));
  const stopped = host.stop(2);
  release();
  expect((await Promise.all(all)).map(code)).toEqual(['ok', 'cancelled', 'ok']);
  await stopped;
  expect(order).toEqual(['begin 1', 'end 1', 'begin 3', 'end 3']);
});
