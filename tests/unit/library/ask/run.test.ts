import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { entriesOf } from '#core/agent/workflow/journal.ts';
import { CancelSource } from '#core/cancel.ts';
import { replay } from '#lanes/library/core/ask/run/replay.ts';
import { metricsOf } from '#lanes/library/core/ask/run/metrics.ts';
import { LineSchema, readLines } from '#lanes/library/core/ask/run/transcript.ts';
import { answerIn, mayTakeUp, runAsk, startAsk } from '#lanes/library/core/ask/run/run-ask.ts';
import { stateOf } from '#lanes/library/core/ask/run/fold.ts';
import { CAPABLE, ScriptedModel, SMALL, type Script } from '../../../fixtures/scripted-model.ts';
import { builtInTools } from '#lanes/library/core/ask/tools/built-in.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import { ask, optionsOf, STATION, takeUp, worldOf } from './run-world.ts';

const WINTER = 'When does the station close in winter?';
const isForm = (request: Parameters<Script>[0], word: string): boolean =>
  request.messages.some(({ content }) => content.includes(word));

/** Plans one search and writes what the first passage says. */
const writing: Script = (request) => {
  if (isForm(request, 'You plan how'))
    return {
      say: JSON.stringify({
        subquestions: [WINTER],
        requested_tools: [{ name: 'rag_retrieve', input: { query: 'winter hours', k: 100 } }],
        expanded_queries: [],
        confidence: 0.9,
        why: 'One look is enough.',
      }),
    };
  return {
    say: JSON.stringify({
      sentences: [
        {
          text: 'The station closes at 16:30 in winter.',
          quotes: [{ letter: 'A', quote: 'In winter the station closes at 16:30.' }],
        },
      ],
      confidence: 0.8,
      why: 'It says so.',
    }),
  };
};

describe('a run without a model', () => {
  it('ASK-51 answers with a quote, its lines and a list of sources, and comes to an end by itself', async () => {
    const world = await worldOf();
    const { run, answer } = await ask(WINTER, world);
    expect(answer?.status).toBe('answered');
    expect(answer?.citations[0]).toMatchObject({
      path: 'station/handbook.md',
      startLine: 5,
      quote: 'In winter the station closes at 16:30.',
    });
    expect(stateOf(run.journal)).toMatchObject({ phase: 'emit_result', iteration: 1, stop: { bound: 'sufficient' } });
    expect(run.spent.iterations).toBe(0);
  });

  it('ASK-53 makes two rounds when the first does not suffice, and no call twice', async () => {
    const world = await worldOf();
    const { run, answer } = await ask(
      'Who repaired the lighthouse lamp in Oslo?',
      world,
      optionsOf({ iterations: 2, tools: ['rag_retrieve'] }),
    );
    expect(answer?.status).toBe('abstained');
    expect(answer?.missing[0]).toMatch(/^Not found: Who repaired the lighthouse lamp/);
    const state = stateOf(run.journal);
    expect(state.rounds.length).toBeLessThanOrEqual(2);
    expect(new Set(world.calls.map(({ key }) => key)).size).toBe(world.calls.length);
    expect(world.calls.length).toBeGreaterThan(1);
  });

  it('off: one retrieval, one answer', async () => {
    const world = await worldOf();
    const { run } = await ask(
      'When does the station close in winter, and who paid the winch?',
      world,
      optionsOf({ enabled: false, iterations: 5 }),
    );
    expect(world.calls).toHaveLength(1);
    expect(stateOf(run.journal).rounds).toHaveLength(1);
  });

  it('only the question is searched for, not the task', async () => {
    const world = await worldOf();
    const { answer } = await ask(WINTER, world, optionsOf(), 'as a table of penguins');
    expect(world.calls.map(({ key }) => key).join()).not.toContain('penguin');
    expect(answer?.limitations.join()).toContain('as a table of penguins');
  });
});

describe('the transcript', () => {
  it('ASK-55 has lines of the specification, replays to the same answer, and has its metrics', async () => {
    const world = await worldOf(STATION, { provider: new ScriptedModel(writing, CAPABLE) });
    const { run, answer } = await ask(WINTER, world);
    const lines = readLines(world.text());
    expect(lines.every((line) => v.is(LineSchema, line))).toBe(true);
    expect(lines.map(({ role, event }) => `${role} ${event}`)).toContain('planner plan');
    const plan = lines.find(
      ({ role, event, content }) => role === 'planner' && event === 'plan' && 'requested_tools' in content,
    );
    expect(plan?.content).toMatchObject({ subquestions: [WINTER], rationale: 'One look is enough.', stop_if: {} });
    const result = lines.find(({ role, event }) => role === 'tool' && event === 'tool_result');
    expect(result).toMatchObject({ iter: 1, content: { name: 'rag_retrieve', ok: true, usage: { tokens: 0 } } });
    expect((result?.content['provenance'] as { source_ids: string[] }).source_ids).not.toHaveLength(0);
    const last = lines.at(-1);
    expect(last).toMatchObject({ event: 'finalize', content: { answer_text: answer?.answer_text } });
    expect(JSON.stringify(last)).not.toContain('One look is enough');
    expect(JSON.stringify(replay(lines, world.ports.tools))).toBe(JSON.stringify(answer));
    expect(metricsOf(run)).toMatchObject({
      iterations: [{ iter: 1, tokens_in: 400, tokens_out: 40 }],
      totals: { iterations: 1, model_calls: 2, status: 'answered', tokens: 440 },
    });
  });

  it('ASK-55 killed after any entry and taken up from its file, a run ends the same and makes no finished call again', async () => {
    const whole = await worldOf(STATION, { provider: new ScriptedModel(writing, CAPABLE) });
    const { answer } = await ask(WINTER, whole);
    const appends = readLines(whole.text()).length;
    for (let dies = 1; dies < appends; dies++) {
      const model = new ScriptedModel(writing, CAPABLE);
      const first = await worldOf(STATION, { provider: model, dies });
      await ask(WINTER, first).catch(() => null);
      const torn = `${first.text()}{"ts":"2026-`;
      const second = await worldOf(STATION, { provider: model, before: first.text() });
      const end = await takeUp(torn, second);
      expect(end.state).toMatchObject({ type: 'Completed', result: { action: { answer } } });
      expect(model.requests).toHaveLength(2);
      const keys = [...first.calls, ...second.calls].map(({ key }) => key);
      expect(keys.length - new Set(keys).size).toBeLessThanOrEqual(1);
      expect(JSON.stringify(replay(readLines(second.text()), second.ports.tools))).toBe(JSON.stringify(answer));
    }
  });

  it('ASK-55 another question, library or tool version is refused by name', async () => {
    const world = await worldOf();
    const { run } = await ask(WINTER, world);
    expect(() => mayTakeUp(run, 'Who pays?', world.ports)).toThrow(/the question is another/);
    expect(() => mayTakeUp(run, null, { ...world.ports, library: 'other' })).toThrow(/the library is another/);
    const tools = world.ports.tools.map((one) => ({ ...one, tool: { ...one.tool, version: 2 } }));
    expect(() => mayTakeUp(run, WINTER, { ...world.ports, tools })).toThrow(/the version of a tool is another/);
    expect(() => mayTakeUp(run, WINTER, world.ports)).not.toThrow();
  });

  it('ASK-56 a replay of a file that somebody changed fails', async () => {
    const world = await worldOf();
    await ask(WINTER, world);
    const changed = world.text().replaceAll('16:30.', '15:30.');
    expect(() => replay(readLines(changed), world.ports.tools)).not.toThrow();
    const lied = world.text().replaceAll('"confidence":0.', '"confidence":1.');
    expect(() => replay(readLines(lied), world.ports.tools)).toThrow(/differs at entry|cannot be read/);
  });

  it('cancelled, a run stays as it is and can be taken up', async () => {
    const signal = new CancelSource();
    const model = new ScriptedModel(() => {
      queueMicrotask(() => signal.abort());
      return { hang: true };
    }, CAPABLE);
    const world = await worldOf(STATION, { provider: model, signal });
    const { answer } = await ask(WINTER, world);
    expect(answer).toBeNull();
    const next = await worldOf(STATION, { provider: new ScriptedModel(writing, CAPABLE), before: world.text() });
    expect((await takeUp(world.text(), next)).state.type).toBe('Completed');
  });
});

describe('writers', () => {
  it('ASK-54 text: what its quote does not carry is asked for once more, then the quote stands in its place', async () => {
    const lying: Script = (request, count) =>
      isForm(request, 'You plan how')
        ? writing(request, count)
        : {
            say: JSON.stringify({
              sentences: [
                {
                  text: 'It closes at 12:00.',
                  quotes: [{ letter: 'A', quote: 'In winter the station closes at 16:30.' }],
                },
              ],
            }),
          };
    const model = new ScriptedModel(lying, CAPABLE);
    const world = await worldOf(STATION, { provider: model });
    const { answer } = await ask(WINTER, world);
    expect(model.requests).toHaveLength(3);
    expect(answer?.answer_text).toContain('16:30');
    expect(answer?.answer_text).not.toContain('12:00');
    expect(answer?.sentences[0]?.replaced?.text).toBe('It closes at 12:00.');
    expect(answer?.limitations.join()).toContain('stands in its place');
  });

  it('ASK-54 choice: a model that chooses badly cannot take the best quote away, nor raise the confidence', async () => {
    const model = new ScriptedModel([{ say: '{"letters":["B"],"confidence":1,"why":"x"}' }], SMALL);
    const world = await worldOf(STATION, { provider: model });
    const { answer } = await ask(WINTER, world);
    const alone = await ask(WINTER, await worldOf());
    expect(answer?.answer_text).toContain('16:30');
    expect(answer?.status).toBe('answered');
    expect(answer?.confidence).toBe(alone.answer?.confidence);
  });

  it('ASK-54 a model that dies leaves the quotes, and says so', async () => {
    const world = await worldOf(STATION, {
      provider: new ScriptedModel([{ fail: 'model_missing', message: 'The model is gone.' }], SMALL),
    });
    const { run, answer } = await ask(WINTER, world);
    expect(answer?.answer_text).toContain('16:30');
    expect(answer?.limitations.join()).toContain('The model is gone.');
    expect(entriesOf(run.journal, 'unwritten')).toHaveLength(1);
  });
});

describe('ASK-57 what is refused before anything runs', () => {
  it.each([
    [{ iterations: 0 }, /iterations must be 1 to 20/],
    [{ confidence: 1.5 }, /confidence must be 0 to 1/],
    [{ retriever: { profile: 'fast' } }, /profile must be/],
    [{ retriever: { k: 0 } }, /k must be 1 to 100/],
    [{ budgets: { cost: -1 } }, /budget.cost/],
    [{ rounds: 3 }, /rounds/],
  ])('%o', (block, message) => expect(() => optionsOf(block)).toThrow(message));

  it('a cost without a price, an unknown tool, a writer without its model', async () => {
    const { ports } = await worldOf();
    const start = (block: object) => () =>
      startAsk({ question: WINTER, task: null, options: optionsOf(block) }, ports, 'r');
    expect(start({ budgets: { cost: 1 } })).toThrow(/price/);
    expect(start({ tools: ['rag_retrieve', 'shell'] })).toThrow(/There is no tool "shell"/);
    expect(start({ writer: 'text' })).toThrow(/needs a model/);
  });
});

describe('a run with tools', () => {
  const DRAUGHT = 'What is the draught of the Marrow?';
  /** Looks first; then calculates with what was found, and with a number that nobody said. */
  const calculating: Script = (request) => {
    if (isForm(request, 'Plan the first look'))
      return {
        say: JSON.stringify({
          subquestions: [DRAUGHT],
          requested_tools: [],
          expanded_queries: [],
          confidence: 0.2,
          why: '',
        }),
      };
    if (isForm(request, 'Plan the next look'))
      return {
        say: JSON.stringify({
          subquestions: [],
          requested_tools: [
            { name: 'calculator', input: { expression: '1.8 metres in cm' } },
            { name: 'calculator', input: { expression: '1.8 metres * 77' } },
          ],
          expanded_queries: [],
          confidence: 0.9,
          why: '',
        }),
      };
    const letter =
      /([A-Z])[^A-Z]{0,40}1\.8 metres in cm = 180 cm/.exec(
        request.messages.map(({ content }) => content).join('\n'),
      )?.[1] ?? '';
    return {
      say: JSON.stringify({
        sentences: [{ text: '1.8 metres in cm = 180 cm', quotes: [{ letter, quote: '1.8 metres in cm = 180 cm' }] }],
        confidence: 0.9,
        why: '',
      }),
    };
  };

  it('ASK-73 a calculation on numbers that were found is a source of its own; one on numbers that nobody said is not made', async () => {
    const world = await worldOf(STATION, { provider: new ScriptedModel(calculating, CAPABLE) });
    const options = optionsOf({ tools: ['rag_retrieve', 'calculator'], iterations: 2, confidence: 0.99 });
    const { run, answer } = await ask(
      'What is the draught of the Marrow, and who is the mayor of Oslo?',
      world,
      options,
    );
    expect(world.calls.filter(({ tool }) => tool === 'calculator')).toEqual([
      { tool: 'calculator', key: '{"expression":"1.8 metres in cm"}' },
    ]);
    expect(JSON.stringify(run.journal)).toContain('77 stands neither in the question nor in what was found');
    expect(answer?.citations).toContainEqual(
      expect.objectContaining({ title: 'Calculation', path: '', quote: '1.8 metres in cm = 180 cm' }) as unknown,
    );
    expect(answer?.status).toBe('partial');
    expect(replay(readLines(world.text()), builtInTools())).toEqual(answer);
  });

  it('ASK-72 the profile and whether it ranks anew reach the search; without vectors it is said that words were searched for', async () => {
    const world = await worldOf();
    const asked: string[] = [];
    world.ports.context.byMeaning = (profile, query, k) => {
      asked.push(`${profile} ${k}`);
      const found = searchLibrary(world.ports.context.index, 'draught Marrow', { k: 1 });
      return Promise.resolve(query.includes('winter') ? found : null);
    };
    const near = await ask(
      'When does the station close in winter?',
      world,
      optionsOf({ retriever: { profile: 'vector', k: 2 }, iterations: 1 }),
    );
    expect(asked).toEqual(['vector 6']);
    const [result] = entriesOf(near.run.journal, 'tool_ended');
    expect(JSON.stringify(result?.output)).toContain('draught of the Marrow');
    expect(JSON.stringify(result?.provenance)).toContain('{"source":"profile","ref":"vector"}');
    const words = await ask(
      'Who paid the winch?',
      world,
      optionsOf({ retriever: { profile: 'hybrid', rerank: false }, iterations: 1 }),
    );
    expect(JSON.stringify(words.run.journal)).toContain('{"source":"profile","ref":"bm25"}');
    expect(words.answer?.status).toBe('answered');
  });
});

describe('a question that follows on', () => {
  it('ASK-79 points back to the one before, and is the same question without it where it does not', async () => {
    const after = 'How much does the new winch cost?';
    const asked = async (question: string, before: string | null) => {
      const world = await worldOf();
      const run = await world.time.run(
        runAsk(
          startAsk({ question, task: null, after: before, options: optionsOf({ iterations: 1 }) }, world.ports, 'r1'),
          world.ports,
        ),
      );
      expect(replay(readLines(world.text()), builtInTools())).toEqual(answerIn(run));
      return { answer: answerIn(run), calls: world.calls };
    };
    const follows = await asked('And who paid it?', after);
    expect(follows.answer?.status).toBe('answered');
    expect(follows.calls[0]?.key).toContain('winch');
    expect((await asked('And who paid it?', null)).calls[0]?.key).not.toContain('winch');
    expect((await asked(WINTER, after)).calls).toEqual((await asked(WINTER, null)).calls);
  });
});
