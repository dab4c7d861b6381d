import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { journalSteps } from '#core/agent/reasoning/steps.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { entriesOf } from '#core/agent/workflow/journal.ts';
import { parseWorkflow } from '#core/agent/workflow/parse.ts';
import { DEFAULT_LIMITS, type ExecutorOptions } from '#core/agent/workflow/ports.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import type { Workflow } from '#core/agent/workflow/workflow.ts';
import { ScriptedModel, SMALL, type Said } from '../../fixtures/scripted-model.ts';
import { VirtualTime } from '../../fixtures/virtual-time.ts';
import { OPTIONS } from './harness.ts';
import { letterWorkflow, type LetterAction, type LetterInput, type Office } from './letters.ts';

type Letter = Workflow<LetterInput, LetterAction>;

const begin = (seed = 3): Letter =>
  startWorkflow(
    letterWorkflow,
    { to: 'Ada' },
    {
      ...{ id: 'w1', now: 1_000_000, strategy: 'led', model: 'scripted/script', recorded: false, seed },
    },
  );

const OUTLINE: Said = { say: 'Here it is:\n```json\n{"points":["rain","boats"]}\n```' };
const TEXT: Said = { say: '<think>what a day</think>Dear Ada, it rains.' };

/** Runs over this model; `dies`: after which save the process is killed. */
async function run(provider: LlmProvider, flow = begin(), options: Partial<ExecutorOptions> = {}, dies = Infinity) {
  const time = new VirtualTime();
  const office: Office = { log: [] };
  let saves = 0;
  let stored = '';
  const work = runUntilBlocked(flow, {
    definition: letterWorkflow,
    registry: new AgentToolRegistry(letterWorkflow.tools),
    options: { ...OPTIONS, ...options },
    ports: {
      provider,
      context: office,
      clock: time,
      sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      wait: time.wait,
      save: (workflow) => {
        stored = JSON.stringify(workflow);
        if (++saves >= dies) throw new Error('killed');
        return Promise.resolve();
      },
      perform: () => Promise.resolve(),
    },
  });
  const end = await time.run(work.catch(() => null));
  return { end, stored, office, saves, time };
}

const actionOf = (end: Letter | null) => (end?.state.type === 'Completed' ? end.state.result.action : null);

describe('AGENT-91 a led workflow', () => {
  it('AGENT-91 calls, writes a form, notes and writes a text, and keeps no prose and no thinking', async () => {
    const model = new ScriptedModel([OUTLINE, TEXT], SMALL);
    const { end } = await run(model);
    expect(actionOf(end)).toEqual({ type: 'Post', to: 'Ada', text: 'Dear Ada, it rains.' });
    expect(end?.journal.map(({ kind }) => kind)).toEqual([
      ...['context', 'tool_started', 'tool_ended', 'model_started', 'model_ended', 'written', 'context'],
      ...['model_started', 'model_ended', 'written', 'action', 'action'],
    ]);
    expect(JSON.stringify(end)).not.toMatch(/Here it is|what a day/);
    expect(model.requests[0]?.options.schema?.schema).toMatchObject({ required: ['points'] });
    expect(model.requests[1]?.options.schema).toBeUndefined();
    expect(journalSteps(end?.journal ?? []).map(({ step_type }) => step_type)).toContain('Thought');
  });

  it('AGENT-91, AGENT-12 what comes from outside is fenced and cleaned', async () => {
    const model = new ScriptedModel([OUTLINE, TEXT], SMALL);
    await run(model);
    expect(JSON.stringify(model.requests)).not.toContain('im_start');
    expect(model.requests[0]?.messages[1]?.content).toMatch(/=== DATA [0-9a-f]{12}\n# Known\n\{"address"/);
  });

  it('AGENT-92, AGENT-73 asks again with what was wrong, each form with repairs of its own', async () => {
    const wrong: Said = { say: '{"points":"none"}' };
    const model = new ScriptedModel([wrong, wrong, OUTLINE, { say: '' }, { say: ' ' }, TEXT], SMALL);
    const { end } = await run(model);
    expect(actionOf(end)?.text).toBe('Dear Ada, it rains.');
    expect(end?.spent.repairs).toBe(4);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('could not be used: points:');
  });

  it('AGENT-92 a form that stays unreadable is given up, and the definition goes on', async () => {
    const model = new ScriptedModel([{ say: 'no' }, { say: 'no' }, { say: 'no' }, TEXT], SMALL);
    const { end } = await run(model);
    expect(entriesOf(end?.journal ?? [], 'unwritten')).toMatchObject([{ form: 'outline', bound: 'repairs' }]);
    expect(actionOf(end)?.text).toBe('Dear Ada, it rains.');
  });

  it('AGENT-92, AGENT-72 a form or a text that was cut is none, two different forms are none', async () => {
    const cut: Said = { say: 'Dear Ada, it', finish: 'max_tokens' };
    const two: Said = { say: '{"points":["a"]} or {"points":["b"]}' };
    const { end } = await run(new ScriptedModel([two, OUTLINE, cut, TEXT], SMALL));
    expect(entriesOf(end?.journal ?? [], 'unparsed').map(({ reason }) => reason)).toEqual([
      'it holds more than one answer',
      'it was cut off before its end',
    ]);
    expect(actionOf(end)?.text).toBe('Dear Ada, it rains.');
  });

  it.each([
    ['iterations', { iterations: 1 }],
    ['tokens', { tokens: 370 }],
    ['cost', { cost: 0.0001 }],
  ])('AGENT-92, AGENT-14 at %s no further form is asked for', async (bound, limit) => {
    const model = new ScriptedModel([OUTLINE, TEXT], SMALL);
    const limits = { ...DEFAULT_LIMITS, ...limit };
    const { end } = await run(model, begin(), { limits, price: { in: 3, out: 10 } });
    expect(model.requests).toHaveLength(1);
    expect(entriesOf(end?.journal ?? [], 'unwritten')).toMatchObject([{ form: 'text', bound }]);
    expect(actionOf(end)?.text).toMatch(/^\(no text: The agent stopped/);
  });

  it('AGENT-92, AGENT-17 a dead model is tried twice more for the first form, and not asked for the next', async () => {
    const model = new ScriptedModel([{ fail: 'model_unreachable' }], SMALL);
    const { end, time } = await run(model);
    expect(model.requests).toHaveLength(3);
    expect(time.waited).toEqual([1000, 2000]);
    expect(entriesOf(end?.journal ?? [], 'unwritten').map(({ bound }) => bound)).toEqual(['model', 'model']);
    expect(end?.state.type).toBe('Completed');
  });

  it('AGENT-91, AGENT-16 killed after any entry and resumed, it comes to the same end and makes no call twice', async () => {
    const said = [OUTLINE, { say: '' }, TEXT];
    const whole = await run(new ScriptedModel(said, SMALL));
    for (let dies = 1; dies < whole.saves; dies++) {
      const model = new ScriptedModel(said, SMALL);
      const cut = await run(model, begin(), {}, dies);
      const read = parseWorkflow(cut.stored, letterWorkflow);
      if (!read.ok) throw new Error(read.failure.message);
      const rest = await run(model, read.value);
      expect(actionOf(rest.end)).toEqual(actionOf(whole.end));
      expect(model.requests).toHaveLength(3);
      expect(new Set([...cut.office.log, ...rest.office.log]).size).toBe(1);
    }
  });
});
