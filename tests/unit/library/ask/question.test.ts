import { expect, test } from 'vitest';
import { planByCode } from '#lanes/library/core/ask/question/plan-by-code.ts';

const partsOf = (question: string): string[] => planByCode(question).subquestions.map(({ text }) => text);

test('ASK-1 clauses that ask anew and the things of a list are parts of their own, at most 8', () => {
  expect(partsOf('Who pays for the mill, and why was it closed?')).toEqual([
    'Who pays for the mill?',
    'Why was it closed?',
  ]);
  expect(partsOf('What is the weight of the bell and of the clapper?')).toEqual([
    'What is the weight of the bell?',
    'What is the weight of the clapper?',
  ]);
  expect(partsOf('When did the baker and the miller meet?')).toEqual(['When did the baker and the miller meet?']);
  const many = Array.from({ length: 12 }, (_, n) => `Who keeps bell ${n}?`).join(' ');
  expect(partsOf(many)).toHaveLength(8);
});

test('ASK-1 no search is there twice, and the whole question is searched for beside its parts', () => {
  const { requested_tools } = planByCode('Who rings the bell? Who rings the bell?', { k: 4 });
  expect(requested_tools.map(({ input }) => input)).toEqual([
    { query: 'Who rings the bell?', k: 4 },
    { query: 'Who rings the bell? Who rings the bell?', k: 4 },
  ]);
});
