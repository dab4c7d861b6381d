/** The forms of the tools, and what of an answer is shown how. */
import { describe, expect, test } from 'vitest';
import { TOOLS, toolNamed } from '#core/toolbox/tools.ts';
import { fieldsOf, inputOf, textsOf, TypedWrong } from '#lanes/toolbox/ui/page/form/fields.ts';
import { readTables, tableName, writeTables } from '#lanes/toolbox/ui/page/form/tables.ts';
import { shownOf } from '#lanes/toolbox/ui/page/result/shown.ts';

test.each(TOOLS.map((tool) => ({ tool, name: tool.name })))(
  'UI-211 the example of $name, typed into its form, is the example',
  ({ tool }) => {
    const fields = fieldsOf(tool);
    const typed = inputOf(fields, textsOf(fields, tool.example));
    // A table is typed as CSV; the tool takes that, too.
    if (tool.name === 'frame_verbs') delete typed['table'];
    expect(tool.example).toMatchObject(typed);
    expect(fields.filter(({ required }) => required).every(({ name }) => name in textsOf(fields, tool.example))).toBe(
      true,
    );
  },
);

describe('UI-211 what a person types', () => {
  const typed = (name: string, texts: Record<string, string>): unknown => inputOf(fieldsOf(toolNamed(name)), texts);

  test.each([
    ['stat_t_test', { x: '1 2,3\n4.5', mu: '-1', paired: 'true', alternative: 'less' }, { x: [1, 2, 3, 4.5], mu: -1, paired: true, alternative: 'less' }], // prettier-ignore
    ['stat_t_test', { x: '1 two 3', mu: '' }, { x: [1, 'two', 3] }],
    ['stat_z_test', { successes: '3, 4', trials: '10, 11' }, { successes: [3, 4], trials: [10, 11] }],
    ['stat_z_test', { successes: '3', trials: '10', p: '.5' }, { successes: 3, trials: 10, p: 0.5 }],
    ['stat_anova', { groups: 'a: 1 2\n\nb b: 3,4', ss: '1' }, { groups: { a: [1, 2], 'b b': [3, 4] }, ss: 1 }],
    ['stat_anova', { data: 'y;g\n1;"a;b"\n2;c', factors: 'g' }, { data: { y: [1, 2], g: ['a;b', 'c'] }, factors: ['g'] }], // prettier-ignore
    ['stat_meta', { effects: 'label,estimate,se\n"A ""x""",0.5,0.1\n,1,0.2' }, { effects: [{ label: 'A "x"', estimate: 0.5, se: 0.1 }, { estimate: 1, se: 0.2 }] }], // prettier-ignore
    ['mine_pca', { rows: '1\t2\n3\t4' }, { rows: [[1, 2], [3, 4]] }], // prettier-ignore
    ['mine_rules', { baskets: 'milk, bread\nbeer,milk' }, { baskets: [['milk', 'bread'], ['beer', 'milk']] }], // prettier-ignore
    ['map', { layers: '[{"points":[]}]', bounds: '-10 35 30 60' }, { layers: [{ points: [] }], bounds: [-10, 35, 30, 60] }], // prettier-ignore
    ['cas', { op: 'integrate', expr: 'x', from: '-\\infty', to: '3' }, { op: 'integrate', expr: 'x', from: '-\\infty', to: 3 }], // prettier-ignore
  ])('%s %j', (name, texts, expected) => expect(typed(name, texts)).toEqual(expected));

  test('JSON that is none is said at its field', () => {
    expect(() => typed('plot', { spec: '{"mark": ' })).toThrow(TypedWrong);
    expect(() => typed('stat_t_test', { x: '[1, 2' })).toThrow(/is no JSON/);
  });

  test('tables by name are kept as they are typed, also while they are wrong', () => {
    const tables = [{ name: 't', text: 'a\n1' }, { name: 'u', text: '[{"a": 1' }]; // prettier-ignore
    expect(readTables(writeTables(tables))).toEqual(tables);
    expect(readTables('')).toEqual([{ name: 't', text: '' }]);
    expect([tableName('Sales 2024.csv'), tableName('2024.tsv'), tableName('a/b.json')]).toEqual(['sales_2024', 't_2024', 'a_b']); // prettier-ignore
  });
});

describe('UI-212 an answer', () => {
  test('has its sentence, facts, tables, texts and warnings apart; what is nested is said by its path', () => {
    const shown = shownOf({
      ...{ sentence: 't(9) = 1', p_value: 0.123456789, conf_low: null, warnings: ['few'], r_script: 'a\nb' },
      ...{ assumptions: { levene: { f: 1.5 } }, posthoc: [{ a: 'x', diff: 1 }, { a: 'y', low: 2 }] }, // prettier-ignore
      matrix: [[1, 2], [3, 4]], // prettier-ignore
    });
    expect(shown).toMatchObject({
      sentence: 't(9) = 1',
      warnings: ['few'],
      texts: [{ name: 'R script', text: 'a\nb' }],
    });
    expect(shown.facts).toEqual([
      { name: 'p', value: '0.123457' },
      { name: 'Interval from', value: '–' },
      { name: 'Assumptions: levene: f', value: '1.5' },
    ]);
    expect(shown.tables.map(({ columns, rows }) => ({ columns, rows }))).toEqual([
      { columns: ['a', 'diff', 'low'], rows: [['x', 1, undefined], ['y', undefined, 2]] }, // prettier-ignore
      { columns: ['1', '2'], rows: [[1, 2], [3, 4]] }, // prettier-ignore
    ]);
  });

  test('of a table says how many rows there are, and vectors stand side by side', () => {
    expect(shownOf({ columns: ['a'], types: ['INTEGER'], rows: [[1]], total: 500, truncated: true }).tables).toEqual([
      { name: 'Rows', columns: ['a'], rows: [[1]], total: 500 },
    ]);
    expect(shownOf({ vectors: { t: [0, 1], 'v(out)': [2, 3] } }).tables[0]).toMatchObject({ rows: [[0, 2], [1, 3]] }); // prettier-ignore
  });
});
