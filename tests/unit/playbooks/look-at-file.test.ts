import { expect, test } from 'vitest';
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

test('UI-242 what holds no records is shown as its text', () => {
  for (const [path, text] of [
    ['a.md', '[1]'],
    ['a.json', '{"a":1}'],
    ['a.json', '['],
  ] as const)
    expect(lookAt(text, recordsOf(path, text), ALL)).toEqual({ kind: 'text', text, cut: false });
});
