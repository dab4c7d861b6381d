import { expect, it } from 'vitest';
import { checkPlan, readPlan, type KnownTool } from '#lanes/library/core/ask/run/model-plan.ts';
import { optionsOf } from './run-world.ts';

const TOOLS: readonly KnownTool[] = [
  { name: 'rag_retrieve', description: '', schema: {}, refuses: () => null },
  {
    name: 'calculator',
    description: '',
    schema: {},
    refuses: ({ expression }) => (typeof expression === 'string' ? null : 'expression is missing'),
  },
];
const OWN = ['When does it close?'];

const plan = (
  said: Partial<Parameters<typeof checkPlan>[0]>,
  {
    made = [] as string[],
    tools = TOOLS,
    options = optionsOf({ expand: 1, retriever: { k: 5, profile: 'bm25' } }),
  } = {},
) => {
  const whole = { subquestions: [], requested_tools: [], expanded_queries: [], confidence: 0.5, why: '', ...said };
  return checkPlan(readPlan(whole), { own: OWN, options, tools, made: new Set(made) });
};

const search = (query: string) => ({
  name: 'rag_retrieve',
  input: { query, k: 5, retriever_profile: 'bm25', rerank: true },
});

it('ASK-52 of a plan at most eight sub-questions are taken, each searched for with the words, number and profile of the run', () => {
  const { subquestions, requested_tools, refused } = plan({
    subquestions: Array.from({ length: 11 }, (_, at) => `Part ${at}?`),
    requested_tools: [{ name: 'rag_retrieve', input: { query: 'hours', k: 1000, retriever_profile: 'vector' } }],
  });
  expect(subquestions).toHaveLength(8);
  expect(refused).toEqual(['3 sub-questions too many.']);
  expect(requested_tools).toEqual(['hours', ...OWN, ...subquestions].map(search));
});

it('ASK-52 what a plan may not call is refused by its name, and no call is made twice', () => {
  const { requested_tools, refused } = plan(
    {
      requested_tools: [
        { name: 'shell', input: { command: 'rm' } },
        { name: 'calculator', input: {} },
        { name: 'calculator', input: { expression: '1 + 1' } },
        { name: 'calculator', input: { expression: '1 + 1' } },
        { name: 'rag_retrieve', input: {} },
        { name: 'rag_retrieve', input: { query: 'hours' } },
        { name: 'rag_retrieve', input: { query: ' hours ' } },
        { name: 'rag_retrieve', input: { query: 'known' } },
      ],
    },
    { made: [`rag_retrieve {"k":5,"query":"known","rerank":true,"retriever_profile":"bm25"}`] },
  );
  expect(requested_tools).toEqual([
    { name: 'calculator', input: { expression: '1 + 1' } },
    search('hours'),
    ...OWN.map(search),
  ]);
  expect(refused).toEqual([
    'There is no tool "shell" in this run.',
    'calculator: expression is missing',
    'calculator: the same call was made before.',
    'rag_retrieve: it has no query.',
    'A search was made before.',
  ]);
});

it('ASK-52 further wordings are as many as the run lets, and a run without rag_retrieve searches nothing', () => {
  expect(plan({ expanded_queries: ['one', 'two', 'three'] }).expanded_queries).toEqual(['one']);
  const [, calculator] = TOOLS;
  const { requested_tools } = plan(
    { subquestions: ['Which?'], requested_tools: [{ name: 'rag_retrieve', input: { query: 'hours' } }] },
    { tools: calculator ? [calculator] : [] },
  );
  expect(requested_tools).toEqual([]);
});

it('ASK-52 however many calls a plan wishes, the question itself is searched for', () => {
  const { requested_tools } = plan({
    requested_tools: Array.from({ length: 40 }, (_, at) => ({ name: 'calculator', input: { expression: `${at}` } })),
  });
  expect(requested_tools).toHaveLength(16);
  expect(requested_tools.at(-1)).toEqual(search(OWN[0] ?? ''));
});
