import { describe, expect, it } from 'vitest';
import { journalSteps, redact } from '#core/agent/reasoning/steps.ts';
import { stepsToTranscript, toJsonl, toTranscript } from '#core/agent/reasoning/transcript.ts';
import { answerWorkflow } from '#core/agent/workflow/start.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { STEP_TYPES } from '#core/job/job.ts';
import { CAPABLE, ScriptedModel } from '../../fixtures/scripted-model.ts';
import { begin, bench } from './harness.ts';
import { parcelWorkflow } from './parcels.ts';

async function eventful() {
  const model = new ScriptedModel(
    [
      {
        say: '<think>secret musings</think>{"tool":"inspect_depot","arguments":{"depot_id":"D1"},"why":"How much room?"}',
      },
      { fail: 'model_unauthorized', message: 'The server said: bad key sk-abcdefghijklmnop1234.' },
    ],
    { ...CAPABLE, nativeTools: false },
  );
  const b = bench(model);
  const asked = await b.time.run(runUntilBlocked(begin('tools'), b.executor));
  const answered = answerWorkflow(asked, parcelWorkflow, 'depot:dep-aaaa', 'clerk', b.time.now());
  return b.time.run(runUntilBlocked(answered, b.executor));
}

describe('AGENT-18 what the agent did, for a person to read', () => {
  it('all nine step types occur, calls read like calls, and a thought is the short why', async () => {
    const steps = journalSteps((await eventful()).journal);
    expect(new Set(steps.map(({ step_type }) => step_type))).toEqual(new Set(STEP_TYPES));
    expect(steps.filter(({ step_type }) => step_type === 'ToolCall').map(({ content }) => content)).toEqual([
      'find_depots({"town":"Spring"})',
      'inspect_depot({"depot_id":"dep-aaaa"})',
    ]);
    const [thought] = steps.filter(({ step_type }) => step_type === 'Thought');
    expect(thought).toMatchObject({
      content: 'How much room?',
      duration_ms: 40,
      metadata: { tokens_in: 200, tokens_out: 20 },
    });
    expect(JSON.stringify(steps)).not.toMatch(/musings|sk-abc/);
  });

  it('steps come as the journal grows', async () => {
    const { journal } = await eventful();
    const grown = journal.flatMap((_entry, n) => journalSteps(journal.slice(0, n + 1), n));
    expect(grown).toEqual(journalSteps(journal));
  });

  it('the transcript has one line an event, in the specification`s form', async () => {
    const lines = toTranscript(await eventful());
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(['ts', 'iter', 'role', 'event', 'content']);
      expect(line.ts).toBe(new Date(line.ts).toISOString());
    }
    expect(lines.map(({ event }) => event)).toEqual([
      'plan',
      'tool_call',
      'tool_result',
      'plan',
      'tool_call',
      'tool_result',
      'error',
      'error',
      'finalize',
      'plan',
      'finalize',
      'finalize',
    ]);
    expect(lines.find(({ event }) => event === 'tool_result')?.content).toMatchObject({
      name: 'find_depots',
      ok: true,
      usage: { latency_ms: 0 },
    });
    const text = toJsonl(lines);
    expect(text.endsWith('}\n')).toBe(true);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual(lines);
  });

  it('the same lines come of the steps that a job keeps', async () => {
    const workflow = await eventful();
    const stored = journalSteps(workflow.journal).map((step) => ({ ...step, timestamp: Number(step.metadata['at']) }));
    expect(stepsToTranscript(JSON.parse(JSON.stringify(stored)))).toEqual(
      JSON.parse(JSON.stringify(toTranscript(workflow))),
    );
  });

  it.each([
    ['Authorization: Bearer abcdef1234567890', /abcdef/],
    ['api_key=9f8e7d6c5b4a3f2e1d', /9f8e/],
    ['https://user:pa55word@host/v1', /pa55/],
    ['key sk-proj-abcdefghijklmnop', /sk-proj-abc/],
  ])('no secret: %s', (text, gone) => {
    expect(redact(text)).not.toMatch(gone);
  });

  it.each(['The Secret: Beginnings', 'Token: Incantations', 'Bearer of Bad News', 'tokens 200'])(
    'a title is no secret: %s',
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );
});
