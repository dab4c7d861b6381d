import { expect, test } from 'vitest';
import type { TracedNumber } from '#lanes/playbooks/core/answer/trace.ts';
import { readPlaybook } from '#lanes/playbooks/core/read/playbook.ts';
import { numbersOfStep, type Mark, type NumbersOfStep } from '#lanes/playbooks/core/records/number-marks.ts';
import type { Value } from '#lanes/playbooks/core/value.ts';
import { lookAt, recordsOf, sheetOf, type TableWish } from '#lanes/playbooks/core/records/look-at-file.ts';

const ALL: TableWish = { sort: null, filter: '', most: 100 };
const TEXT = JSON.stringify([
  { name: 'wren', grams: 9 },
  { name: 'owl "barn"', grams: 500, note: 'a\tb' },
  { name: 'tern', grams: 110 },
  { name: 'gull', grams: null },
]);

function table(path: string, text: string, wish: Partial<TableWish>) {
  const look = lookAt(text, recordsOf(path, text), { ...ALL, ...wish });
  if (look.kind !== 'table') throw new Error('no table');
  return look;
}
const names = (wish: Partial<TableWish>): (string | undefined)[] =>
  table('b.json', TEXT, wish).rows.map(({ cells }) => cells[0]);

test('UI-242 records are filtered by any field and sorted by numbers before texts, nothing last; what is drawn is bounded and counted', () => {
  expect(table('b.json', TEXT, {}).columns).toEqual(['name', 'grams', 'note']);
  expect(names({ sort: { column: 'grams', down: false } })).toEqual(['wren', 'tern', 'owl "barn"', 'gull']);
  expect(names({ sort: { column: 'name', down: true } })).toEqual(['wren', 'tern', 'owl "barn"', 'gull']);
  expect(names({ filter: ' TERN ' })).toEqual(['tern']);
  expect(names({ filter: '110' })).toEqual(['tern']);
  expect(table('b.json', TEXT, { most: 1, filter: 'r' })).toMatchObject({ total: 4, matching: 3 });
  expect(table('b.json', TEXT, { most: 1 }).rows).toHaveLength(1);
  expect(table('b.json', TEXT, { filter: 'gull' }).rows).toMatchObject([{ record: 3 }]);
});

test('UI-242 what is copied has all records that match, whole, as a sheet takes them', () => {
  const records = recordsOf('b.json', TEXT);
  expect(records && sheetOf(records, { filter: 'owl', sort: null })).toBe(
    'name\tgrams\tnote\n"owl ""barn"""\t500\t"a\tb"',
  );
  const long = JSON.stringify([{ said: 'x'.repeat(3000) }]);
  const cut = recordsOf('b.json', long);
  expect(table('b.json', long, {}).rows[0]?.cells[0]).toHaveLength(1001);
  expect(cut && sheetOf(cut, ALL)).toHaveLength(3005);
});

test('UI-243 pictures and formulas that a tool made are taken out of the table with what describes them', () => {
  const text = JSON.stringify([
    { result: { sentence: 'A plot.', description: 'Two points.', svg: '<svg xmlns="x"></svg>' } },
    { mathml: '<math><mi>x</mi></math>', sentence: 'x' },
  ]);
  expect(table('p.json', text, {})).toMatchObject({
    figures: [
      { record: 0, kind: 'svg', description: 'Two points.' },
      { record: 1, kind: 'mathml', description: 'x' },
    ],
    rows: [
      { cells: ['{"sentence":"A plot.","description":"Two points.","svg":"(figure)"}', '', ''] },
      { cells: ['', '(figure)', 'x'] },
    ],
  });
});

test('PLAYBOOK-96 of a text 20,000 characters are drawn at first, as many more at each press, and 200,000 at most', () => {
  const text = 'owl '.repeat(100_000);
  const shown = (most: number): unknown => {
    const look = lookAt(text, null, { ...ALL, most });
    return look.kind === 'text' && [look.text.length, look.cut, look.more];
  };
  expect(shown(100)).toEqual([20_000, true, true]);
  expect(shown(200)).toEqual([40_000, true, true]);
  expect(shown(1000)).toEqual([200_000, true, false]);
  expect(shown(5000)).toEqual([200_000, true, false]);
});

test('UI-242 what holds no records is shown as its text', () => {
  for (const [path, text] of [
    ['a.md', '[1]'],
    ['a.json', '{"a":1}'],
    ['a.json', '['],
  ] as const)
    expect(lookAt(text, recordsOf(path, text), ALL)).toEqual({ kind: 'text', text, cut: false, more: false });
});

/** Of three units; the second has none, `nowhere` stands in all of them. */
const bookOf = (step: string, answers: readonly Value[], listed: Readonly<Record<number, TracedNumber[]>>) => {
  const { playbook } = readPlaybook(`playbook: 1\nsteps:\n  - instruction_user_prompt: x\n    output: o.json\n${step}`);
  const past = {
    ...{ units: answers.length, begun: 0, over: 0, inputs: [], failures: new Map(), flows: new Map(), closed: null },
    answers: new Map(answers.entries()),
    numbers: new Map(Object.entries(listed).map(([unit, numbers]) => [Number(unit), numbers])),
  };
  return numbersOfStep(playbook?.steps[0] ?? expect.fail(), past);
};
const nowhere = (text: string, at: number, place = ''): TracedNumber => ({ text, at, place, source: null });
const marked = (path: string, records: unknown, untraced: NumbersOfStep, wish: Partial<TableWish> = {}) => {
  const text = typeof records === 'string' ? records : JSON.stringify(records);
  const look = lookAt(text, recordsOf(path, text), { ...ALL, ...wish }, untraced);
  const cut = (shown: string, marks: readonly Mark[] = []) => marks.map(({ from, to }) => shown.slice(from, to));
  if (look.kind === 'text') return cut(look.text, look.marks);
  return look.rows.map(({ cells, marks }) => cells.map((cell, at) => cut(cell, marks?.[at])));
};

test('PLAYBOOK-83 an untraced number of an answer is found in the record of its unit and in no other, however records are sorted', () => {
  const answers = ['It gave 27 percent.', 'It gave 27 percent.', 'Gave "12", then 27.'];
  const book = bookOf('', answers, { 0: [nowhere('27', 8)], 2: [nowhere('12', 6)] });
  expect(marked('o.json', answers, book)).toEqual([[['27']], [[]], [['12']]]);
  const spread = answers.map((said, at) => ({ year: 2027, said, at }));
  expect(marked('o.json', spread, book, { sort: { column: 'at', down: true } })).toEqual([
    [[], ['12'], []],
    [[], [], []],
    [[], ['27'], []],
  ]);
  // As JSON inside a cell, too.
  expect(marked('o.json', [{ a: answers }, {}, { a: [answers[2]] }], book)).toEqual([[['27']], [[]], [['12']]]);
});

test('PLAYBOOK-83 a number that is all of an answer is told from the same digits in another', () => {
  const answers = [{ n: 12, text: 'so' }, { n: 12.5 }];
  const book = bookOf('    answer: json\n', answers, {
    0: [nowhere('12', 0, 'n')],
    1: [nowhere('12.5', 0, 'n')],
  });
  const records = [
    { of: '2012, 12.5 and 12', n: 12 },
    { of: 'a 12.5', n: '12.50' },
  ];
  expect(marked('o.json', records, book)).toEqual([
    [[], ['12']],
    [['12.5'], []],
  ]);
});

test('PLAYBOOK-83 units that make several records, groups and texts of all outputs have theirs marked', () => {
  const answers = [['one 1.5', 'two'], ['three 3.5']];
  const listed = { 0: [nowhere('1.5', 4, '0')], 1: [nowhere('3.5', 6, '0')] };
  const divided = bookOf('    answer_division: array\n', answers, listed);
  expect(marked('o.json', answers.flat(), divided)).toEqual([[['1.5']], [[]], [['3.5']]]);
  const together = bookOf("    answer_division: array\n    output_format: { all: ['{output}'] }\n", answers, listed);
  expect(marked('o.json', [{ all: answers[0] }, { all: answers[1] }], together)).toEqual([[['1.5']], [['3.5']]]);
  const grouped = bookOf('    answer_division: array\n    group_by: [k]\n', answers, listed);
  expect(marked('o.json', [{ all: answers.flat() }], grouped)).toEqual([[['1.5', '3.5']]]);
  // The same answer three times, of which the second is untraced twice.
  const same = ['About 7 and 7.', 'About 7 and 7.', 'About 7 and 7.'];
  const texts = bookOf('', same, { 0: [nowhere('7', 6)], 1: [nowhere('7', 6), nowhere('7', 12)] });
  const text = `${same.join('\n\n')}\n`;
  expect(lookAt(text, null, ALL, texts)).toMatchObject({ marks: [{ from: 6 }, { from: 22 }, { from: 28 }] });
});

test('PLAYBOOK-90 a traced number is found where its unit wrote it, with its source; where several units said the same and nothing tells them apart it is of none', () => {
  const from = (text: string, at: number, handle: string): TracedNumber => {
    return { text, at, place: '', source: { of: 'call', handle, tool: 'stat_t_test', version: '1', place: 'p' } };
  };
  const answers = ['p is 0.04.', 'p is 0.04.', 'It is 7.'] as const;
  const listed = { 0: [from('0.04', 5, 'r1')], 1: [from('0.04', 5, 'r2')], 2: [nowhere('7', 6)] };
  const book = bookOf('', answers, listed);
  const rows = (records: readonly Value[], numbers: NumbersOfStep) => {
    const text = JSON.stringify(records);
    const look = lookAt(text, recordsOf('o.json', text), ALL, numbers);
    return look.kind === 'table' ? look.rows.map(({ marks }) => marks?.flat() ?? []) : expect.fail();
  };
  expect(rows(answers, book)).toMatchObject([
    [{ step: 0, unit: 0, n: 0, from: 5, to: 9, source: { handle: 'r1' } }],
    [{ step: 0, unit: 1, n: 0, source: { handle: 'r2' } }],
    [{ step: 0, unit: 2, n: 0, source: null }],
  ]);
  // A file that grows has the first of them.
  expect(rows(answers.slice(0, 2), book)).toMatchObject([[{ unit: 0 }], [{ unit: 1 }]]);
  const grouped = bookOf('    group_by: [k]\n', answers, listed);
  expect(rows([{ all: answers[0] }, { all: answers[2] }], grouped)).toMatchObject([
    [{ unit: null, n: 0 }],
    [{ unit: 2, source: null }],
  ]);
});

test('PLAYBOOK-90 thousands of numbers of units that nothing tells apart are looked for within a bound', () => {
  const answers = Array.from({ length: 20_000 }, (_, n) => `So ${n} it is.`);
  const listed: Record<number, TracedNumber[]> = { ...answers.map((_, n) => [nowhere(String(n), 3)]) };
  const many = bookOf('    group_by: [k]\n', answers, listed);
  const shown = marked('o.json', answers.toReversed(), many);
  expect(shown).toHaveLength(100);
  expect(shown[0]).toEqual([['19999']]);
});
