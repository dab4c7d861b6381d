/**
 * A model that does everything wrong, in any order, over a process that is killed after every single write: the workflow
 * ends the same as if nothing had happened, within its bounds, and no call is made twice.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure } from '#core/errors.ts';
import { canonical } from '#core/agent/tools/tool.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { entriesOf } from '#core/agent/workflow/journal.ts';
import { parseWorkflow } from '#core/agent/workflow/parse.ts';
import type { Strategy } from '#core/agent/workflow/workflow.ts';
import {
  CAPABLE,
  SMALL,
  ScriptedModel,
  letterOf,
  type ModelRequest,
  type Said,
} from '../../fixtures/scripted-model.ts';
import { runs } from '../../fixtures/runs.ts';
import { OPTIONS, begin, bench, type Bench, type ParcelRun } from './harness.ts';
import { parcelWorkflow } from './parcels.ts';

type Saying = (request: ModelRequest) => Said;

const GOOD = (request: ModelRequest): string => letterOf(request, 'Springhill') ?? 'NONE';
const args = fc.oneof(
  fc.constantFrom<unknown>(
    { parcel_id: 'P1', depot_id: 'D1' },
    { parcel_id: 'P1', depot_id: 'd3' },
    { parcel_id: 'P1', depot_id: 'D99' },
    { parcel_id: 'par-9999', depot_id: 'dep-zzzz' },
    { parcel_id: 1, depot_id: ['D1'] },
    { depot_id: 'D2' },
    { depot_id: null },
    { town: 'Spring' },
    { town: 'Springh' },
    { town: '' },
    { town: 'x', and: 'more' },
    null,
    [],
    '{"town":"Springf"}',
    '{"town":"Spr',
    'nonsense',
  ),
  fc.record({ town: fc.string({ maxLength: 12 }) }),
);
const name = fc.constantFrom('find_depots', 'inspect_depot', 'send_parcel', 'approve_all', '__proto__', '');
const call = fc.record({ name, arguments: args });

const saying: fc.Arbitrary<Saying> = fc.oneof(
  // Well behaved
  {
    weight: 4,
    arbitrary: fc.constant((request: ModelRequest) => ({
      say: JSON.stringify({ answer: GOOD(request), why: 'fits' }),
    })),
  },
  { weight: 3, arbitrary: call.map((one) => () => ({ call: [one] })) },
  // Answers in every shape
  fc
    .constantFrom<(letter: string) => string>(
      (letter) => `Sure! Here:\n\`\`\`json\n{"answer": "${letter}", "why": "fits"}\n\`\`\``,
      (letter) => `I choose {"answer":"${letter.toLowerCase()}","why":null} because`,
      (letter) => `{answer: '${letter}', why: 'fits',}`,
      (letter) => letter,
      (letter) => `{"answer":"${letter}","why":"cut in the mid`,
      () => '{"answer":"Z","why":"no such letter"}',
      () => '{"answer":7}',
      () => '{"answer":null,"why":null}',
      () => 'null',
      () => '[]',
      () => '',
      () => ' '.repeat(5000),
      () => `{"answer":"A"${'\n'.repeat(3000)}`,
      () => '{"answer":"A"} or {"answer":"B"}',
      () => '<think>A? B?</think>',
      () => '<|im_end|><|im_start|>system',
      () => '{"__proto__":{"answer":"A"}}',
      () => '{'.repeat(400),
    )
    .map((shape) => (request: ModelRequest) => ({ say: shape(GOOD(request)) })),
  // Calls written as text
  fc
    .tuple(
      call,
      fc.constantFrom(
        '<tool_call>X</tool_call>',
        '```json\nX\n```',
        'X',
        '[TOOL_CALLS] [X]',
        'Well: X',
        '<tool_call>X',
      ),
    )
    .map(([one, frame]) => () => ({ say: frame.replace('X', () => JSON.stringify(one)) })),
  fc.constant(() => ({ say: 'inspect_depot({"depot_id":"D2"})' })),
  // Repeated, many, none
  fc.array(call, { minLength: 2, maxLength: 12 }).map((calls) => () => ({ call: calls })),
  call.map((one) => () => ({ call: [one, one] })),
  // Cut: said so, or not said
  call.map((one) => () => ({ call: [one], finish: 'max_tokens' as const })),
  fc.nat(40).map((length) => (request: ModelRequest) => ({
    say: JSON.stringify({ answer: GOOD(request), why: 'cut somewhere' }).slice(0, length),
    finish: length % 2 === 0 ? ('stop' as const) : ('max_tokens' as const),
  })),
  // The wire
  fc
    .constantFrom<Said>(
      { fail: 'model_cut' },
      { fail: 'rate_limited', retryAfterMs: 2500 },
      { fail: 'rate_limited', retryAfterMs: 3_600_000 },
      { fail: 'rate_limited' },
      { fail: 'model_error' },
      { fail: 'model_context_full' },
      { fail: 'model_empty' },
      { fail: 'model_timeout' },
      { fail: 'cancelled' },
      { fail: 'model_unreachable' },
      { fail: 'model_schema' },
      { hang: true },
      { throws: 'TypeError: undefined is not a function' },
    )
    .map((said) => () => said),
);

const scenario = fc.record({
  native: fc.boolean(),
  seed: fc.nat(),
  iterations: fc.integer({ min: 1, max: 7 }),
  script: fc.array(saying, { minLength: 1, maxLength: 10 }),
  /** Which of the writes are followed by a crash; all of them where it is empty. */
  crashes: fc.array(fc.boolean(), { maxLength: 8 }),
});
type Scenario = (typeof scenario extends fc.Arbitrary<infer Value> ? Value : never) & { strategy: Strategy };

/** A hundred and fifty meet every saying many times; a soak plays ten thousand. */
const RUNS = runs(150, 10_000);
/** Milliseconds, on a machine that does five other things. */
const PATIENCE = runs(120_000, 3_600_000);

class Crash extends Error {}
/** One for all: a stack for each of a hundred thousand would be most of the work. */
const CRASH = new Crash();

interface Played {
  end: ParcelRun;
  model: ScriptedModel;
  bench: Bench;
}

async function play(given: Scenario, crashing: boolean): Promise<Played> {
  const model = new ScriptedModel(
    (request, count) => given.script[count % given.script.length]?.(request) ?? { hang: true },
    given.strategy === 'choice' ? SMALL : { ...CAPABLE, nativeTools: given.native },
  );
  let saves = 0;
  const b = bench(model, { limits: { ...OPTIONS.limits, iterations: given.iterations } }, {}, () => {
    const crash = given.crashes.length === 0 || given.crashes[saves % given.crashes.length];
    saves++;
    // Killed at the last try of a call it would be given up, and end in another way (AGENT-51, executor.test.ts).
    if (crashing && crash && !b.stored().includes('"tries":3')) throw CRASH;
  });
  let current = begin(given.strategy, given.seed);
  for (;;) {
    try {
      const end = await b.time.run(runUntilBlocked(current, b.executor));
      return { end, model, bench: b };
    } catch (thrown) {
      if (!(thrown instanceof Crash)) throw thrown;
      const stored = parseWorkflow(b.stored(), parcelWorkflow);
      if (!stored.ok) throw new Error(stored.failure.message, { cause: thrown });
      current = stored.value;
    }
  }
}

function failuresOf(workflow: ParcelRun): Failure[] {
  return [...entriesOf(workflow.journal, 'tool_failed'), ...entriesOf(workflow.journal, 'error')].map(
    ({ failure }) => failure,
  );
}

describe('any misbehaving model', () => {
  it.each<Strategy>(['choice', 'tools'])(
    'AGENT-16 AGENT-14 killed after any write and resumed: the same end, within bounds, no call made twice (%s)',
    async (strategy) => {
      await fc.assert(
        fc.asyncProperty(scenario, async (script) => {
          const given = { ...script, strategy };
          const whole = await play(given, false);
          const killed = await play(given, true);

          // The same end, the same journal, to the millisecond.
          expect(canonical(killed.end)).toBe(canonical(whole.end));
          expect(killed.bench.performed).toEqual(whole.bench.performed);
          expect(killed.bench.sorting.log).toEqual(whole.bench.sorting.log);

          // It ends, and in a way that a person can go on from.
          const { end, model, bench: b } = killed;
          expect(['Completed', 'AwaitingReview']).toContain(end.state.type);
          expect(failuresOf(end).filter(({ code }) => code !== 'tool_refused')).toEqual([]);

          // Bounds.
          expect(model.requests.length).toBeLessThanOrEqual(given.iterations);
          expect(end.spent.iterations).toBe(model.requests.length);
          expect(end.spent.repairs).toBeLessThanOrEqual(OPTIONS.limits.repairs + 1);
          for (const { messages, options } of model.requests) {
            const text = messages.reduce((total, message) => total + message.content.length, 0);
            expect(text / 5 + options.maxTokens).toBeLessThan(model.capabilities.contextLength);
            const roles = messages.map(({ role }) => role);
            expect(roles.some((role, index) => role === 'user' && roles[index + 1] === 'user')).toBe(false);
            expect(JSON.stringify(messages)).not.toMatch(/dep-[abc]{4}|par-1111/);
          }

          // No call twice: neither with one key nor with one input. Nothing that was not there.
          const keys = b.sorting.log.map((line) => line.split(' ').at(-1));
          expect(new Set(keys).size).toBe(keys.length);
          const inputs = b.sorting.log.map((line) => line.replace(/ \S+$/, ''));
          expect(new Set(inputs).size).toBe(inputs.length);
          expect(inputs.filter((line) => /dep-zzzz|D99|approve/.test(line))).toEqual([]);
          expect(b.performed.length).toBeLessThanOrEqual(1);
          if (given.strategy === 'choice') expect(inputs).toEqual(['find_depots Spring']);
        }),
        { numRuns: RUNS },
      );
    },
    PATIENCE,
  );
});
