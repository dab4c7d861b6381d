/** Inputs whose plain JavaScript would take memory without end, for which a browser gives no bound: they are refused before. */
import { afterAll, expect, test } from 'vitest';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { toolNamed } from '#core/toolbox/tools.ts';

const cage = openNodeCage();
afterAll(() => cage.close());
const run = new ToolboxRun({ cage });

async function call(tool: string, input: object): Promise<string> {
  const answered = await run.call(toolNamed(tool), input);
  return answered.ok ? 'answered' : `${answered.failure.code} ${answered.failure.subject ?? ''}`;
}

const rows = (count: number, value: number) =>
  Array.from({ length: count }, (_, at) => ({ data: value + at, g: `g${at}`, h: `h${at}` }));
const many = Array.from({ length: 2000 }, (_, at) => String(at));
/** With a beginning of the input for the test's title. */
const named = ([tool, input]: readonly [tool: string, input: object]) => ({
  ...{ tool, input },
  said: JSON.stringify(input, (key, value: unknown) => (key === 'values' ? '...' : value)).slice(0, 120),
});

const X = { x: { field: 'data', type: 'quantitative' } };
const cas = (op: string, expr: string) => ['cas', { op, expr }] as const;
/** A matrix of as many symbols. */
const symbols = (size: number) => {
  const matrix = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => `a_{${i}${j}}`));
  return ['cas', { op: 'determinant', matrix }] as const;
};
const plot = (spec: object) => ['plot', { spec: { mark: 'point', encoding: X, ...spec } }] as const;

test.each(
  [
    cas('expand', '(a+b+c+d)^{400}'),
    cas('expand', String.raw`((a+b)^{90}+c)^{90}`),
    cas('simplify', '(a+b)(c+d)'.repeat(20)),
    cas('evaluate', '9^{9^{9}}'),
    cas('evaluate', '10000000!'),
    symbols(12),
    plot({ data: { sequence: { start: 0, stop: 1e9 } } }),
    plot({ data: { sequence: { start: 0, stop: 1, step: 0 } } }),
    plot({ data: { values: [1] }, transform: [{ calculate: 'sequence(1e9)', as: 'y' }] }),
    plot({ data: { values: [1] }, transform: [{ calculate: "pad('x', 1e9)", as: 'y' }] }),
    plot({ data: { values: [1, 2] }, transform: [{ density: 'data', steps: 1e9 }] }),
    plot({
      data: { values: [1, 2] },
      encoding: { x: { field: 'data', type: 'quantitative', axis: { tickCount: 1e9 } } },
    }),
    plot({ data: { values: [1, 2] }, encoding: { x: { field: 'data', bin: { maxbins: 1e9 } } } }),
    plot({ data: { values: rows(2000, 1) }, transform: [{ fold: Array.from({ length: 1000 }, (_, at) => `f${at}`) }] }),
    plot({ data: { values: [{ a: many, b: many, data: 1 }] }, transform: [{ flatten: ['a'] }, { flatten: ['b'] }] }),
    plot({ data: { values: rows(2000, 1) }, transform: [{ impute: 'data', key: 'data', groupby: ['g'] }] }),
    plot({ data: { values: rows(2000, 1) }, transform: [{ density: 'data', groupby: ['g'], steps: 1000 }] }),
    plot({ data: { values: [1, 2] }, transform: [{ quantile: 'data', step: 1e-8 }] }),
    plot({ data: { values: rows(2000, 1) }, transform: [{ window: [{ op: 'values', field: 'data', as: 'all' }] }] }),
    plot({ data: { values: [1, 2] }, encoding: { x: { field: 'data', bin: { step: 1e-8 } } } }),
    plot({ data: { values: rows(6000, 1) }, encoding: { ...X, row: { field: 'g' }, column: { field: 'h' } } }),
    plot({ data: { values: rows(6000, 1) }, encoding: { ...X, row: { field: 'g' } } }),
    plot({
      data: { graticule: { step: [1e-4, 1e-4] } },
      mark: 'geoshape',
      encoding: {},
      projection: { type: 'mercator' },
    }),
    plot({
      data: { values: [{ data: '2000-01-01' }, { data: '2020-01-01' }] },
      encoding: { x: { field: 'data', type: 'temporal', axis: { tickCount: { interval: 'second', step: 1 } } } },
    }),
    plot({ data: { values: [1, 2] }, encoding: { x: { field: 'data', type: 'quantitative', axis: { format: '0400000000d' } } } }), // prettier-ignore
    plot({ data: { values: rows(1, 1) }, transform: Array.from({ length: 28 }, () => ({ calculate: 'datum.g + datum.g', as: 'g' })) }), // prettier-ignore
    plot({ repeat: { row: many, column: many }, spec: { data: { values: [1] }, mark: 'point' }, mark: undefined, encoding: undefined }), // prettier-ignore
  ].map(named),
)('TOOLBOX-78 $tool $said ends as tool_limit, and the next call works', async ({ tool, input }) => {
  const began = performance.now();
  const field = 'matrix' in input ? 'matrix' : tool === 'cas' ? 'expr' : 'spec';
  expect(await call(tool, input)).toBe(`tool_limit ${field}`);
  expect(await call(tool, toolNamed(tool).example as object)).toBe('answered');
  expect(performance.now() - began).toBeLessThan(30_000);
});

test.each(
  [
    cas('expand', '(a+b)^{5}'),
    cas('expand', String.raw`(x+1)(x+2)(x+3)(x+4)`),
    cas('evaluate', '20!'),
    symbols(3),
    cas('evaluate', '2^{100}'),
    plot({ data: { sequence: { start: 0, stop: 100 } } }),
    plot({ data: { values: [1, 2, 3] }, transform: [{ calculate: 'datum.data * 2', as: 'y' }] }),
    plot({ data: { values: rows(12, 1) }, transform: [{ fold: ['data', 'g'] }, { density: 'data', groupby: ['h'] }], encoding: { x: { field: 'value', type: 'quantitative' } } }), // prettier-ignore
    plot({ data: { values: rows(12, 1) }, encoding: { ...X, row: { field: 'g' } } }),
    plot({
      data: { values: [{ data: '2000-01-01' }, { data: '2020-01-01' }] },
      encoding: {
        x: { field: 'data', type: 'temporal', axis: { tickCount: { interval: 'year', step: 2 }, format: '%Y' } },
      },
    }),
    plot({ data: { values: [1, 2] }, encoding: { x: { field: 'data', bin: { step: 0.1 } } } }),
  ].map(named),
)('TOOLBOX-78 what is usual is computed: $tool $said', async ({ tool, input }) => {
  expect(await call(tool, input)).toBe('answered');
});
