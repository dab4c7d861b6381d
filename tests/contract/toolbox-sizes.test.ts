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

const X = { x: { field: 'data', type: 'quantitative' } };
const cas = (op: string, expr: string) => ['cas', { op, expr }] as const;
const plot = (spec: object) => ['plot', { spec: { mark: 'point', encoding: X, ...spec } }] as const;

test.each([
  cas('expand', '(a+b+c+d)^{400}'),
  cas('expand', String.raw`((a+b)^{90}+c)^{90}`),
  cas('simplify', '(a+b)(c+d)'.repeat(20)),
  cas('evaluate', '9^{9^{9}}'),
  cas('evaluate', '10000000!'),
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
])('TOOLBOX-78 %s %j ends as tool_limit, and the next call works', async (tool, input) => {
  const began = performance.now();
  expect(await call(tool, input)).toBe(`tool_limit ${tool === 'cas' ? 'expr' : 'spec'}`);
  expect(await call(tool, toolNamed(tool).example as object)).toBe('answered');
  expect(performance.now() - began).toBeLessThan(30_000);
});

test.each([
  cas('expand', '(a+b)^{5}'),
  cas('expand', String.raw`(x+1)(x+2)(x+3)(x+4)`),
  cas('evaluate', '20!'),
  cas('evaluate', '2^{100}'),
  plot({ data: { sequence: { start: 0, stop: 100 } } }),
  plot({ data: { values: [1, 2, 3] }, transform: [{ calculate: 'datum.data * 2', as: 'y' }] }),
])('TOOLBOX-78 what is usual is computed: %s %j', async (tool, input) => {
  expect(await call(tool, input)).toBe('answered');
});
