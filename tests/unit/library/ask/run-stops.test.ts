import { describe, expect, it } from 'vitest';
import { answerAsText } from '#lanes/library/core/ask/run/answer-text.ts';
import { stateOf } from '#lanes/library/core/ask/run/fold.ts';
import { answerIn } from '#lanes/library/core/ask/run/run-ask.ts';
import { builtInTools } from '#lanes/library/core/ask/tools/built-in.ts';
import { CAPABLE, ScriptedModel, type Script } from '../../../fixtures/scripted-model.ts';
import { ask, optionsOf, STATION, takeUp, worldOf } from './run-world.ts';

/** One part of it is in the library, the other is not: a run looks on as long as it may. */
const HALF = 'When does the station close in winter, and who is the mayor of Oslo?';

/** Always wants to look on, at something else each time; 220 tokens a call. */
const restless: Script = (request, count) =>
  request.messages.some(({ content }) => content.includes('You plan how'))
    ? {
        say: JSON.stringify({
          subquestions: [],
          requested_tools: [
            { name: 'rag_retrieve', input: { query: ['Tern', 'winch', 'tides', 'moon', 'draught'][count] ?? 'x' } },
          ],
          expanded_queries: [],
          confidence: 0.1,
          why: '',
        }),
      }
    : { say: '{"sentences":[],"confidence":0.5,"why":""}' };

const stopped = async (block: object, question = HALF) => {
  const model = new ScriptedModel(restless, CAPABLE);
  const world = await worldOf(STATION, { provider: model, price: { in: 1000, out: 1000 } });
  const { run, answer } = await ask(question, world, optionsOf({ writer: 'quotes', ...block }));
  return {
    bound: stateOf(run.journal).stop?.bound,
    rounds: stateOf(run.journal).rounds.length,
    answer,
    run,
    model,
    world,
  };
};

describe('ASK-84 a run that is stopped answers with what there is, and says why it looked no further', () => {
  it('iterations: as many rounds as it may have, not one more', async () => {
    for (const iterations of [1, 2]) {
      const { bound, rounds, answer } = await stopped({ iterations });
      expect([bound, rounds]).toEqual(['iterations', iterations]);
      expect(answer?.status).toBe('partial');
      expect(answer?.answer_text).toContain('16:30');
      expect(answer?.limitations.join()).toContain('as often as it may');
    }
  });

  it('tokens: no call is made that may pass them', async () => {
    const spentOf = async (tokens: number) => {
      const { run, model, answer } = await stopped({ iterations: 5, budgets: { tokens } });
      const spent = run.spent.tokens_in + run.spent.tokens_out;
      expect(spent).toBeLessThanOrEqual(tokens);
      expect(answer?.answer_text).toContain('16:30');
      return model.requests.length;
    };
    expect(await spentOf(1)).toBe(0);
    // A plan may take 1,200 tokens.
    expect(await spentOf(900)).toBe(0);
    expect(await spentOf(2500)).toBeGreaterThan(1);
  });

  it('cost: passed by no more than the call in hand', async () => {
    // A call costs 0.22 dollars.
    for (const [cost, calls] of [
      [0.22, 1],
      [0.23, 2],
    ] as const) {
      const { bound, model, answer } = await stopped({ iterations: 5, budgets: { cost } });
      expect([bound, model.requests.length], `${cost}`).toEqual(['cost', calls]);
      expect(answer?.limitations.join()).toContain(`$${cost}`);
    }
  });

  it('confidence: once it is so sure', async () => {
    const sure = (await stopped({ iterations: 1, planner: 'code' }, 'When does the station close in winter?')).answer;
    const confidence = sure?.confidence ?? 0;
    const at = await stopped({ planner: 'code', confidence }, 'When does the station close in winter?');
    expect([at.bound, at.rounds]).toEqual(['confidence', 1]);
    const above = await stopped(
      { planner: 'code', confidence: confidence + 0.001 },
      'When does the station close in winter?',
    );
    expect(above.bound).not.toBe('confidence');
  });

  it('nothing new: a round after the first that brought nothing', async () => {
    const { bound, rounds } = await stopped({ iterations: 9, planner: 'code' });
    expect(bound).toBe('nothing new');
    expect(rounds).toBeGreaterThan(1);
    expect(rounds).toBeLessThan(9);
  });

  it('every part answered: at once', async () => {
    const { bound, rounds, answer } = await stopped({ planner: 'code' }, 'When does the station close in winter?');
    expect([bound, rounds, answer?.limitations]).toEqual(['sufficient', 1, []]);
  });
});

describe('what a run is told', () => {
  it('ASK-52 calls run one after the other, and rag_retrieve is called unless it is left out by name', async () => {
    let open = 0;
    let most = 0;
    const tools = builtInTools().map((one) => ({
      ...one,
      tool: {
        ...one.tool,
        execute: async (...args: Parameters<typeof one.tool.execute>) => {
          most = Math.max(most, ++open);
          try {
            return await one.tool.execute(...args);
          } finally {
            open -= 1;
          }
        },
      },
    }));
    const world = await worldOf(STATION, { tools });
    await ask(HALF, world);
    expect(world.calls.length).toBeGreaterThan(1);
    expect(most).toBe(1);
    const without = await worldOf(STATION, { tools });
    const { answer } = await ask(HALF, without, optionsOf({ tools: ['calculator'] }));
    expect(without.calls).toEqual([]);
    expect(answer?.status).toBe('abstained');
  });

  it('ASK-57 the same seed gives each call of the model the same one, another seed another', async () => {
    const seeds = async (seed: number) =>
      (await stopped({ iterations: 2, seed })).model.requests.map(({ options }) => options.seed);
    const [seven, again, eight] = [await seeds(7), await seeds(7), await seeds(8)];
    expect(seven).toHaveLength(2);
    expect(again).toEqual(seven);
    expect(eight).not.toEqual(seven);
  });
});

it('ASK-85 a source that changed since it was found is dropped, and that is said', async () => {
  const question = 'When does the station close in winter?';
  const first = await worldOf(STATION);
  await ask(question, first, optionsOf({ iterations: 1 }));
  const lines = first.text().split('\n');
  const found = lines.findIndex((line) => line.includes('"tool_result"'));
  const cut = `${lines.slice(0, found + 1).join('\n')}\n`;
  const changed = { ...STATION, 'station/handbook.md': '# Handbook\n\nThe station is closed.\n' };
  const answer = answerIn(await takeUp(cut, await worldOf(changed, { before: cut })));
  expect(answer?.answer_text).not.toContain('16:30');
  expect(answer?.limitations.join()).toContain('Left out, for it changed while the question was answered: Handbook');
});

it('ASK-31 as text an answer has its sources with place and quote, what differs, what is missing, and what is nearest', async () => {
  const { answer } = await stopped(
    { iterations: 1, planner: 'code' },
    'When does the station close in winter, and what is the beam of the Marrow?',
  );
  if (answer === null) throw new Error('no answer');
  const text = answerAsText(answer);
  expect(text).toContain('[1] station/handbook.md:5 “In winter the station closes at 16:30.”');
  expect(text).toMatch(/\nNot found\n- Not found: .*beam of the Marrow/);
  expect(text).toMatch(/\nNearest, and no answer\n- /);
  expect(text).toMatch(/\nLimitations\n- It looked once/);
});
