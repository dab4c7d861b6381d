import { describe, expect, test } from 'vitest';
import type { HealthReport, HealthStage, LlmProvider } from '#core/agent/llm/provider.ts';
import { failure, type Failure } from '#core/errors.ts';
import { fail } from '#core/result.ts';
import { createKeySource } from '#server/llm/key-source.ts';
import { createUpstream } from '#server/llm/upstream.ts';
import { fakeModel, saying, type Answering } from '../../fixtures/fake-model.ts';

const baseUrl = 'http://models.internal:8000/v1/';
const options = { maxTokens: 10, temperature: 0, timeoutMs: 1000 };
/** Prints another key on every run. */
const rotating = () => createKeySource({ kind: 'command', command: 'echo "sk-marker-$$"' });
const report: HealthReport = { ok: false, stages: [], capabilities: null, ms_per_token: null, models: [] };
const refused = failure('model_unauthorized', 'The model server refused the key.');

function stage(name: HealthStage['stage'], wrong: Failure | null = null): HealthStage {
  return { stage: name, ok: wrong === null, said: '', failure: wrong, milliseconds: 1 };
}

function upstream(answer: Answering, healthCheck: LlmProvider['healthCheck'], keys = rotating()) {
  const model = fakeModel(answer);
  const made = createUpstream({
    keys,
    baseUrl,
    lookMs: 60,
    provider: (key) => ({ ...model.provider(key), healthCheck }),
  });
  return { upstream: made, asked: model.asked };
}

describe('the model behind the broker', () => {
  test('LLM-64: a refusal that comes after text is not asked again: it was heard already', async () => {
    const one = upstream(
      ({ options: { onText } }) => {
        onText?.('half');
        return fail(refused);
      },
      () => Promise.resolve(report),
    );
    let heard = '';
    const result = await one.upstream.complete([], undefined, { ...options, onText: (delta) => (heard += delta) });
    expect([result.ok, heard, one.asked.length]).toEqual([false, 'half', 1]);
  });

  test('LLM-65: a key that was renewed on the way is masked in the pieces, too', async () => {
    let key = '';
    const keys = rotating();
    const one = upstream(
      async ({ key: before, options: { onText } }) => {
        // Another chat's key was refused meanwhile.
        const next = await keys.after(before);
        key = next.ok ? (next.value ?? '') : '';
        for (const delta of ['you sent ', key.slice(0, 6), key.slice(6)]) onText?.(delta);
        return saying(`you sent ${key}`);
      },
      () => Promise.resolve(report),
      keys,
    );
    let heard = '';
    await one.upstream.complete([], undefined, { ...options, onText: (delta) => (heard += delta) });
    expect(key).toMatch(/^sk-marker-\d+$/);
    expect(heard).toBe('you sent [key]');
  });

  test('LLM-64: with a fixed key a refusal is not asked again', async () => {
    const keys = createKeySource({ kind: 'fixed', key: 'sk-marker-1' });
    const one = upstream(
      () => fail(refused),
      () => Promise.resolve(report),
      keys,
    );
    expect(await one.upstream.complete([], undefined, options)).toMatchObject({
      ok: false,
      failure: { code: refused.code },
    });
    expect(one.asked).toHaveLength(1);
  });

  test('LLM-73, LLM-95: a look ends where the model was found; found once, it is not looked for again', async () => {
    let looks = 0;
    let went = false;
    const one = upstream(
      () => saying('A'),
      async (signal, onStage) => {
        looks += 1;
        onStage?.(stage('reachable'));
        onStage?.(stage('model'));
        went = signal?.aborted !== true;
        return Promise.resolve(report);
      },
    );
    expect(await Promise.all([one.upstream.look(), one.upstream.look()])).toEqual([null, null]);
    expect(await one.upstream.look()).toBeNull();
    expect([looks, went]).toEqual([1, false]);
  });

  test('LLM-73: a look that finds the key refused looks once more with the next', async () => {
    let looks = 0;
    const one = upstream(
      () => saying('A'),
      (_signal, onStage) => {
        looks += 1;
        onStage?.(looks === 1 ? stage('permitted', refused) : stage('model'));
        return Promise.resolve(report);
      },
    );
    expect(await one.upstream.look()).toBeNull();
    expect(looks).toBe(2);
  });

  test('LLM-73: what is wrong is told without the address, and looked for again', async () => {
    const gone = failure('model_unreachable', 'There is nothing at http://models.internal:8000/v1.');
    const one = upstream(
      () => saying('A'),
      (_signal, onStage) => {
        onStage?.(stage('reachable', gone));
        return Promise.resolve(report);
      },
    );
    const said = await one.upstream.look();
    expect(said).toMatchObject({ code: 'model_unreachable', message: 'There is nothing at [address].' });
    expect(said?.remedy).toContain('administrator');
  });

  test('LLM-73, LLM-95: a server that does not answer is not waited for longer than the limit', async () => {
    const one = upstream(
      () => saying('A'),
      (signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve(report))),
    );
    expect(await one.upstream.look()).toMatchObject({ code: 'model_timeout' });
  });
});
