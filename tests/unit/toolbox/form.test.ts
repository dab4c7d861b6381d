/** The form of tools: what holds of each of them, whoever adds one. */
import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { inputSchema } from '#core/agent/tools/registry.ts';
import type { Cage } from '#core/toolbox/cage.ts';
import { cutTo } from '#core/toolbox/cut.ts';
import { numbers } from '#core/toolbox/fields.ts';
import { statementFault } from '#core/toolbox/frame/statement.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { toolboxTool } from '#core/toolbox/tool.ts';
import { ALL_TOOLS } from '#core/toolbox/all-tools.ts';
import { CONNECTORS } from '#core/toolbox/connectors/connectors.ts';

/** Reached by a call that should have been refused before. */
const noCage: Cage = {
  run: (job) => Promise.reject(new Error(`the engine ${job.runtime} was reached`)),
  close: () => undefined,
};

/** Answers the sum of `x`, and counts. */
function sums(): { cage: Cage; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    cage: {
      run({ data }) {
        calls += 1;
        const { x } = data as { x: number[] };
        return Promise.resolve({
          ok: true,
          value: { value: { sum: x.reduce((sum, one) => sum + one, 0), x }, versions: ['Adder 2.0'] },
        });
      },
      close: () => undefined,
    },
  };
}

const adder = toolboxTool({
  name: 'add',
  description: 'Adds.',
  runtime: 'mine',
  input: v.strictObject({ x: numbers }),
  output: v.looseObject({ sum: v.number() }),
  example: { x: [1, 2] },
});

test('TOOLBOX-1 every file of a tool is in the list, under its own name', () => {
  const folder = new URL('../../../src/core/toolbox/', import.meta.url);
  const files = readdirSync(folder).filter(
    (name) =>
      name.endsWith('.ts') && /(?:toolboxTool|rTool)<?[^\n]*\(\{/.test(readFileSync(new URL(name, folder), 'utf8')),
  );
  const listed = ALL_TOOLS.filter((tool) => !('connector' in tool)).map(
    ({ name }) => `${name.replaceAll('_', '-')}.ts`,
  );
  expect(listed.toSorted()).toEqual(files.filter((name) => name !== 'tool.ts').toSorted());
  expect(new Set(listed).size).toBe(listed.length);
});

test('TOOLBOX-1 every file of a connector is in its list, under its own name', () => {
  const folder = new URL('../../../src/core/toolbox/connectors/', import.meta.url);
  const files = readdirSync(folder).filter((name) =>
    /export const \w+ = (?:connectorTool|declaredTool)/.test(readFileSync(new URL(name, folder), 'utf8')),
  );
  const listed = CONNECTORS.map(({ name }) => `${name.replaceAll('_', '-')}.ts`);
  expect(listed.toSorted()).toEqual(files.toSorted());
  expect(new Set(ALL_TOOLS.map(({ name }) => name)).size).toBe(ALL_TOOLS.length);
});

describe.each(ALL_TOOLS.map((tool) => ({ tool, name: tool.name })))('$name', ({ tool }) => {
  const run = new ToolboxRun({ cage: noCage });

  test('TOOLBOX-1 has a schema without unknown fields, limits, and an example that fits', () => {
    expect(v.safeParse(tool.input, tool.example).success).toBe(true);
    expect(inputSchema(tool)).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tool).toMatchObject({ risk: 'read', side_effects: false, network: [] });
    expect(tool.bounds.timeMs).toBeGreaterThan(0);
  });

  test('TOOLBOX-2 refuses an unknown field, and what is of another kind, by its name', async () => {
    const example = tool.example as Record<string, unknown>;
    expect(await run.call(tool, { ...example, tails: 2 })).toMatchObject({
      ok: false,
      failure: { code: 'tool_input', subject: 'tails' },
    });
    for (const field of Object.keys(example))
      expect(await run.call(tool, { ...example, [field]: Number.NaN }), field).toMatchObject({
        ok: false,
        failure: { code: 'tool_input', subject: field },
      });
    expect(await run.call(tool, 'x')).toMatchObject({ ok: false, failure: { code: 'tool_input' } });
  });
});

describe('numbers', () => {
  const run = new ToolboxRun({ cage: noCage });
  test.each([[1, '2'], [1, null], [1, Number.NaN], [1, Infinity], [[1]]])('TOOLBOX-2 %j is refused', async (...x) => {
    expect(await run.call(adder, { x })).toMatchObject({ ok: false, failure: { code: 'tool_input', subject: 'x' } });
  });

  test('TOOLBOX-2 more than a million, or more bytes than may be, are refused', async () => {
    expect(await run.call(adder, { x: new Array(1_000_001).fill(1) })).toMatchObject({ failure: { subject: 'x' } });
    const small = new ToolboxRun({ cage: noCage, bounds: { inputBytes: 20 } });
    expect(await small.call(adder, { x: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] })).toMatchObject({
      failure: { code: 'tool_limit' },
    });
  });
});

test('TOOLBOX-3 an answer has its handle, hash and versions; the same call is computed once', async () => {
  const { cage, calls } = sums();
  const run = new ToolboxRun({ cage });
  const first = await run.call(adder, { x: [1, 2] });
  expect(first).toMatchObject({
    ok: true,
    answer: {
      handle: 'r1',
      output: { sum: 3 },
      provenance: [{ ref: 'add@1' }, { ref: 'Adder 2.0' }],
      truncated: null,
      cached: false,
    },
  });
  expect(await run.call(adder, { x: [1, 2] })).toMatchObject({ ok: true, answer: { handle: 'r1', cached: true } });
  expect(await run.call(adder, { x: [2, 1] })).toMatchObject({ ok: true, answer: { handle: 'r2', cached: false } });
  expect(calls()).toBe(2);
  expect([run.valueAt('r1.sum'), run.valueAt('r2.x.0'), run.valueAt('r9.sum'), run.valueAt('r1.toString')]).toEqual([
    3,
    2,
    undefined,
    undefined,
  ]);
});

test('TOOLBOX-3 computed again, an answer that comes out otherwise is said', async () => {
  let next = 1;
  const cage: Cage = {
    run: () => Promise.resolve({ ok: true, value: { value: { sum: next }, versions: [] } }),
    close: () => undefined,
  };
  const run = new ToolboxRun({ cage });
  await run.call(adder, { x: [1] });
  expect(await run.verify()).toEqual([]);
  next = 2;
  expect(await run.verify()).toEqual(['r1']);
});

test('TOOLBOX-4 what is cut says how much of it there is, and all of it stays', async () => {
  const run = new ToolboxRun({ cage: sums().cage, bounds: { resultBytes: 500 } });
  const x = Array.from({ length: 1000 }, (_, at) => at);
  const answered = await run.call(adder, { x });
  if (!answered.ok) throw new Error(answered.failure.message);
  const { output, whole, truncated } = answered.answer;
  expect(truncated).toEqual([{ field: 'x', shown: 125, total: 1000 }]);
  expect(output['x']).toHaveLength(125);
  expect(whole['x']).toHaveLength(1000);
  expect(cutTo({ a: 'short' }, 100)).toEqual({ output: { a: 'short' }, cuts: [] });
});

describe('TOOLBOX-13 statements', () => {
  test.each([
    'select 1',
    'with a as (select 1) select * from a;',
    "select ';' -- ; drop",
    '(select 1) union select 2',
    'selec 1',
  ])('%s is left to the engine', (sql) => expect(statementFault(sql)).toBeNull());
  test.each([
    'install httpfs',
    "copy t to 'x'",
    'select 1; drop table t',
    '/* a */ PRAGMA version',
    "attach 'x'",
    'SET a=1',
    '(((insert into t values (1))))',
  ])('%s is refused', (sql) => expect(statementFault(sql)).toMatchObject({ field: 'sql', code: 'tool_refused' }));
  test('nothing is no statement', () => expect(statementFault(' ; -- x')).toMatchObject({ field: 'sql' }));
});
