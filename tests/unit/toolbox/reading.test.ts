/** What is read before an engine sees it, and what is computed without one. */
import { describe, expect, test } from 'vitest';
import { countryNumber } from '#core/toolbox/draw/country-codes.ts';
import { describePlot } from '#core/toolbox/draw/describe-plot.ts';
import { exportsOf } from '#core/toolbox/draw/plot-exports.ts';
import { addressFault, fieldFault } from '#core/toolbox/draw/spec-check.ts';
import { mineRules } from '#core/toolbox/mine-rules.ts';
import { inR } from '#core/toolbox/r/r-text.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { measured } from '#core/toolbox/spice/measure.ts';
import { readNetlist } from '#core/toolbox/spice/netlist.ts';

describe('netlists', () => {
  const circuit = (...lines: string[]) => ['title', 'V1 a 0 1', 'R1 a 0 1k', ...lines].join('\n');

  test('TOOLBOX-23 a circuit with one analysis is read; lines go on with +, comments say nothing', () => {
    expect(readNetlist(circuit('* c', 'C1 a', '+ 0 1u ; more', '.TRAN 1u 1m', '.end', 'Z'))).toEqual({
      analysis: { kind: 'tran', line: 7 },
      elements: 3,
    });
  });

  test.each([
    '.control',
    '.include x',
    '.INC x',
    '.lib x y',
    '*# shell id',
    '*ng_script',
    '.op\n+ file="/etc/passwd"',
    'V2 b 0 PWL FILE=x',
    '.model m d file = x',
    '.exec id',
    '.write x',
  ])('TOOLBOX-23 %j is refused', (line) =>
    expect(readNetlist(circuit(line, '.op'))).toMatchObject({ field: 'netlist', code: 'tool_refused' }),
  );

  test.each([
    ['R2 a', 'line 4: "R2"'],
    ['? a b 1', 'line 4: "?"'],
    ['.foo', 'line 4: .foo'],
    ['.op\n.op', 'line 5'],
    ['.tran 1u', 'line 4: .tran'],
    ['.subckt s a\n.op', 'a .subckt has no .ends'],
    ['.ends', 'line 4: .ends'],
    ['', 'has no analysis'],
  ])('TOOLBOX-23 %j is a fault with its line', (line, said) => {
    expect(readNetlist(circuit(line))).toEqual({ field: 'netlist', message: expect.stringContaining(said) });
  });

  test('TOOLBOX-23 values are linear between points, phases without jumps', () => {
    const vectors = { scale: 'time', real: { time: [0, 1, 2], v: [0, 10, 40] }, imaginary: null };
    expect([0, 0.5, 1, 1.5, 3].map((at) => measured(vectors, { vector: 'V', at }))).toEqual([0, 5, 10, 25, null]);
    const turn = {
      scale: 'frequency',
      real: { frequency: [1, 2], v: [-1, -1] },
      imaginary: { frequency: [0, 0], v: [0.1, -0.1] },
    };
    expect(measured(turn, { vector: 'v', at: 1.5, as: 'phase_deg' })).toBeCloseTo(180, 9);
    expect(measured(turn, { vector: 'v', at: 1, as: 'magnitude' })).toBeCloseTo(Math.hypot(1, 0.1), 12);
  });
});

describe('figures', () => {
  const data = { values: [{ a: 'A', b: 1 }, { a: 'B', b: 4 }] }; // prettier-ignore
  const bar = { data, mark: 'bar', encoding: { x: { field: 'a' }, y: { field: 'b' } } };

  test.each([
    { data: { url: 'http://x' }, mark: 'bar' },
    { layer: [{ data: { url: 'x.csv' }, mark: 'bar' }] },
    { data, transform: [{ lookup: 'a', from: { data: { url: 'x' }, key: 'a' } }], mark: 'bar' },
    { data, mark: { type: 'image' }, encoding: { url: { field: 'a' } } },
    { data, mark: 'bar', encoding: { href: { field: 'a' } } },
  ])('TOOLBOX-24 an address is refused: %j', (spec) => {
    expect(addressFault(spec)).toMatchObject({ field: 'spec', code: 'tool_refused' });
  });

  test('TOOLBOX-24 a field that the data lack is named; what a transform makes is there', () => {
    expect(addressFault({ $schema: 'https://vega.github.io/schema/vega-lite/v6.json', ...bar })).toBeNull();
    expect(fieldFault(bar)).toBeNull();
    const of = (field: string, more: object = {}) => ({ ...bar, ...more, encoding: { y: { field } } });
    expect(fieldFault(of('c'))).toMatchObject({ field: 'c' });
    expect(fieldFault({ data, layer: [{ mark: 'bar', encoding: { x: { field: 'zz' } } }] })).toMatchObject({
      field: 'zz',
    });
    for (const transform of [
      { calculate: 'datum.b', as: 'c' },
      { aggregate: [{ op: 'sum', field: 'b', as: 'c' }] },
      { pivot: 'a', value: 'b' },
    ])
      expect(fieldFault(of('c', { transform: [transform] }))).toBeNull();
    expect(fieldFault(of('value', { transform: [{ fold: ['a', 'b'] }] }))).toBeNull();
  });

  test('TOOLBOX-24 a figure is told in words, and given to other programs', () => {
    expect(describePlot({ ...bar, title: 'Sales' })).toBe('Sales. Bar chart of a across, b up. 2 rows. b from 1 to 4.');
    const out = exportsOf({ ...bar, title: 'Say "x"' }, data.values);
    expect(out['plotly']).toMatchObject({ data: [{ type: 'bar', x: ['A', 'B'], y: [1, 4] }] });
    expect(out['echarts']).toMatchObject({ xAxis: { type: 'category' }, series: [{ type: 'bar', data: [['A', 1], ['B', 4]] }] }); // prettier-ignore
    expect(out['matplotlib']).toContain('ax.bar(["A", "B"], [1, 4])');
    expect(out['matplotlib']).toContain('ax.set_title("Say \\"x\\"")');
    expect(exportsOf({ ...bar, transform: [] }, data.values)).toEqual({});
  });

  test('TOOLBOX-24 countries are known by each of their codes', () => {
    expect(['de', 'DEU', '276', '4', 'AF', 'XX'].map(countryNumber)).toEqual(['276', '276', '276', '004', '004', null]);
  });
});

test('TOOLBOX-20 a text is written for R so that it ends nowhere', () => {
  expect(inR({ x: [1, -2.5], 'a`b': 'say "hi"\\', on: true, none: null })).toBe(
    'list(x = c(1, -2.5), `a\\`b` = "say \\u{22}hi\\u{22}\\u{5c}", on = TRUE, none = NULL)',
  );
});

test('TOOLBOX-25 rules of baskets, counted by hand', async () => {
  const run = new ToolboxRun({ cage: { run: () => Promise.reject(new Error('no cage')), close: () => undefined } });
  const baskets = [['a', 'b', 'c'], ['a', 'b', 'c'], ['a', 'c'], ['d', 'd']]; // prettier-ignore
  const answered = await run.call(mineRules, { baskets, min_support: 0.5, min_confidence: 1 });
  if (!answered.ok) throw new Error(answered.failure.message);
  expect(answered.answer.whole['rules']).toEqual([
    { if: ['a'], then: ['c'], support: 0.75, confidence: 1, lift: 4 / 3 },
    { if: ['c'], then: ['a'], support: 0.75, confidence: 1, lift: 4 / 3 },
    { if: ['a', 'b'], then: ['c'], support: 0.5, confidence: 1, lift: 4 / 3 },
    { if: ['b'], then: ['a'], support: 0.5, confidence: 1, lift: 4 / 3 },
    { if: ['b'], then: ['c'], support: 0.5, confidence: 1, lift: 4 / 3 },
    { if: ['b', 'c'], then: ['a'], support: 0.5, confidence: 1, lift: 4 / 3 },
  ]);
});

test('TOOLBOX-94 rules that would be looked for without end are tool_limit before they are, and what is usual is computed', async () => {
  const run = new ToolboxRun({ cage: { run: () => Promise.reject(new Error('no cage')), close: () => undefined } });
  const call = async (baskets: string[][], support: number): Promise<string> => {
    const answered = await run.call(mineRules, { baskets, min_support: support, min_confidence: 0.5 });
    return answered.ok ? 'answered' : `${answered.failure.code} ${answered.failure.subject ?? ''}`;
  };
  const items = (count: number): string[] => Array.from({ length: count }, (_, at) => `i${at}`);
  // One basket with many: each pair stands in it.
  expect(await call([items(3000)], 1)).toBe('tool_limit min_support');
  // Many baskets with many frequent items.
  const wide = Array.from({ length: 3000 }, (_, at) => items(300).filter((_one, of) => (at + of) % 3 > 0));
  expect(await call(wide, 0.1)).toBe('tool_limit min_support');
  expect(
    await call(
      Array.from({ length: 2000 }, (_, at) => [`a${at % 40}`, `b${at % 20}`]),
      0.01,
    ),
  ).toBe('answered');
});
