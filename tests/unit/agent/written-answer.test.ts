import { expect, test } from 'vitest';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { DEFAULT_LIMITS, type ExecutorPorts } from '#core/agent/workflow/ports.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import { callsIn, writtenAnswer, writtenOutcome, type WrittenInput } from '#core/agent/workflow/written-answer.ts';
import { withoutThinking } from '#core/agent/prompt/ladder.ts';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { failed } from '#core/errors.ts';
import * as v from 'valibot';
import { ScriptedModel, type Said } from '../../fixtures/scripted-model.ts';

const ask = (user = 'Write it.'): WrittenInput => ({
  about: 'unit',
  do: { kind: 'ask', system: null, user, max_tokens: 100 },
});

const shout = readTool<null, { text: string }, { said: string }>({
  name: 'shout',
  description: 'Says it loudly.',
  input: v.strictObject({ text: v.string() }),
  output: v.object({ said: v.string() }),
  execute: ({ text }) => {
    if (text === '') throw failed('invalid', 'There is nothing to shout.');
    return Promise.resolve({ ok: true, output: { said: text.toUpperCase() }, provenance: [] });
  },
});

async function written(said: Said[], input: WrittenInput, ports: Partial<ExecutorPorts<null>> = {}) {
  const model = new ScriptedModel(said);
  const definition = writtenAnswer<null>({
    read: (text) => (text.includes('bad') ? { ok: false, reason: 'it is bad' } : { ok: true, value: text }),
    ...{ json: null, most: 1000, tools: [shout] },
    offered: new AgentToolRegistry([shout]).definitions(['shout'], {}),
  });
  let time = 0;
  const flow = startWorkflow(definition, input, {
    ...{ id: 'w', now: 0, strategy: 'led', model: 'm', recorded: false, seed: 1 },
  });
  const run = (from: typeof flow, more: Partial<ExecutorPorts<null>> = {}) =>
    runUntilBlocked(from, {
      definition,
      registry: new AgentToolRegistry(definition.tools),
      options: {
        temperature: 0,
        timeoutMs: 1000,
        limits: { ...DEFAULT_LIMITS, tokens: null },
        price: { in: 0, out: 0 },
      },
      ports: {
        ...{
          provider: model,
          context: null,
          clock: { now: () => (time += 1) },
          sha256: (text) => Promise.resolve(text),
        },
        wait: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
        save: () => Promise.resolve(),
        perform: () => Promise.resolve(),
        ...ports,
        ...more,
      },
    });
  return { end: await run(flow), model, run };
}

test('AGENT-93 a text is kept with its blanks, after what was wrong was said, and thinking is no part of it', async () => {
  const code = 'if x:\n            y\n\n\n\n\nend';
  const { end, model } = await written(
    [{ say: 'bad' }, { say: `<think>hm</think>\n${code}\n` }],
    ask('Two\n        lines'),
  );
  expect(end.state).toMatchObject({ type: 'Completed', result: { action: { written: true } } });
  expect(writtenOutcome(end.journal)).toEqual({ kind: 'answer', value: code });
  expect(model.requests[0]?.messages).toEqual([{ role: 'user', content: 'Two\n        lines' }]);
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('it is bad');
  expect(callsIn(end.journal)).toBe(2);
});

test('AGENT-93 three answers that cannot be used end it with the reason, and a cut one is none', async () => {
  const { end, model } = await written(
    [{ say: 'bad' }, { say: 'whole', finish: 'max_tokens' }, { say: 'bad' }, { say: 'good' }],
    ask(),
  );
  expect(writtenOutcome(end.journal)).toMatchObject({ kind: 'none', bound: 'repairs' });
  expect(model.requests).toHaveLength(3);
});

test('AGENT-93 a model that refuses is not asked again, and its failure is the reason', async () => {
  const { end, model } = await written([{ fail: 'model_unauthorized' }], ask());
  expect(writtenOutcome(end.journal)).toMatchObject({
    kind: 'none',
    bound: 'model',
    failure: { code: 'model_unauthorized' },
  });
  expect(model.requests).toHaveLength(1);
});

test('AGENT-94 a call of a tool is a workflow too, and what it refuses is its end', async () => {
  const call = (text: string): WrittenInput => ({
    about: 'unit',
    do: { kind: 'call', tool: 'shout', input: { text } },
  });
  const done = await written([], call('ho'));
  expect(writtenOutcome(done.end.journal)).toEqual({ kind: 'answer', value: { said: 'HO' } });
  expect(done.end.journal.map(({ kind }) => kind)).toEqual([
    'context',
    'tool_started',
    'tool_ended',
    'action',
    'action',
  ]);
  const refused = await written([], call(''));
  expect(writtenOutcome(refused.end.journal)).toMatchObject({ kind: 'none', bound: 'tool' });
});

test('AGENT-95 what may not ask stays as it is, and goes on when it may', async () => {
  const { end, run, model } = await written([{ say: 'late' }], ask(), { mayAsk: () => false });
  expect(writtenOutcome(end.journal)).toEqual({ kind: 'open' });
  expect(model.requests).toHaveLength(0);
  const on = await run(end, { mayAsk: () => true });
  expect(writtenOutcome(on.journal)).toEqual({ kind: 'answer', value: 'late' });
});

test('AGENT-96 thinking is taken out as it stands, whatever is nested or left open in it', () => {
  expect(withoutThinking('a <think>b</think> c <reasoning>d</reasoning> e')).toBe('a   c   e');
  expect(withoutThinking('a <THINK>b <reasoning>c</think> d')).toBe('a   d');
  expect(withoutThinking('said <think>never closed')).toBe('said ');
  expect(withoutThinking('opened before</think> said')).toBe('  said');
  const long = '<think>'.repeat(200_000);
  expect(withoutThinking(`x${long}`)).toBe('x');
  expect(withoutThinking(`${'<think>a</think>'.repeat(50_000)}z`).trim()).toBe('z');
});

const looking = (looks: number): WrittenInput => ({
  about: 'unit',
  do: { kind: 'ask', system: 'Be short.', user: 'Write it.', max_tokens: 100, looks },
});
const call = (text: string): Said => ({ say: JSON.stringify({ call: 'shout', input: { text } }) });

test('AGENT-97 the model calls tools as often as it may, reads what they found, and the last time is asked for the answer alone', async () => {
  const said = [call('a'), call(''), { say: 'It is A.' }, { say: 'never asked' }];
  const { end, model, run } = await written(said, looking(2));
  expect(writtenOutcome(end.journal)).toEqual({ kind: 'answer', value: 'It is A.' });
  const asked = model.requests.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
  expect(asked).toHaveLength(3);
  expect(asked[0]).toContain('up to 2 times');
  expect(asked[1]).toContain(String.raw`"result":"{\"said\":\"A\"}"`);
  expect(asked[2]).toContain('There is nothing to shout.');
  expect(asked[2]).not.toContain('you may call a tool');
  expect(model.requests.every(({ tools }) => tools === undefined)).toBe(true);
  // Resumed from any entry: the same end, nothing asked or called twice.
  for (let length = 0; length <= end.journal.length; length++) {
    const journal = end.journal.slice(0, length);
    const cut = { ...end, journal, state: { type: length === 0 ? ('Started' as const) : ('Thinking' as const) } };
    const rest = [call('a'), call(''), { say: 'It is A.' }].slice(callsEnded(journal));
    const resumed = await run(cut, { provider: new ScriptedModel(rest) });
    expect(writtenOutcome(resumed.journal)).toEqual({ kind: 'answer', value: 'It is A.' });
  }
});
const callsEnded = (journal: readonly { kind: string }[]): number =>
  journal.filter(({ kind }) => kind === 'model_ended').length;

test('AGENT-97, AGENT-98 an answer at once ends it; the same call twice is made once; another tool is no call', async () => {
  const first = await written([{ say: 'At once.' }], looking(3));
  expect(writtenOutcome(first.end.journal)).toEqual({ kind: 'answer', value: 'At once.' });
  expect(first.model.requests).toHaveLength(1);
  const { end, model } = await written(
    [call('a'), call('a'), { say: '{"call":"danger","input":{}}' }, { say: 'Done.' }],
    looking(3),
  );
  expect(writtenOutcome(end.journal)).toEqual({ kind: 'answer', value: 'Done.' });
  expect(end.journal.filter(({ kind }) => kind === 'tool_started')).toHaveLength(1);
  expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain('there is no tool "danger"; there are shout');
  const none = await written([call('a')], ask());
  expect(writtenOutcome(none.end.journal)).toEqual({ kind: 'answer', value: '{"call":"shout","input":{"text":"a"}}' });
});
