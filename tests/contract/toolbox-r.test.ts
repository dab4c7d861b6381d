/** R in the cage of Node: one start for all of it. */
import { afterAll, describe, expect, test } from 'vitest';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { USUAL_BOUNDS } from '#core/toolbox/cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { TOOLS, toolNamed } from '#core/toolbox/tools.ts';

const cage = openNodeCage();
const run = new ToolboxRun({ cage });
afterAll(() => cage.close());
const bounds = { ...USUAL_BOUNDS, memoryMb: 1024 };

const call = async (name: string, input: unknown): Promise<Record<string, unknown>> => {
  const answered = await run.call(toolNamed(name), input);
  return answered.ok ? answered.answer.whole : { error: answered.failure.code, field: answered.failure.subject };
};

test.each(
  TOOLS.filter(({ runtime, code }) => runtime === 'r' && code === undefined).map((tool) => ({ tool, name: tool.name })),
)('TOOLBOX-1 the example of $name is answered, with a script for R', async ({ tool }) => {
  const answer = await call(tool.name, tool.example);
  expect(answer).not.toHaveProperty('error');
  expect(answer['r_script']).toContain('recipe <- function(input)');
});

describe('statistics', () => {
  const near = (value: number) => expect.closeTo(value, 9);

  test('TOOLBOX-20 closed forms', async () => {
    // Two values 1 apart: the median of |t| with one degree of freedom is 1.
    expect(await call('stat_t_test', { x: [0, 1], mu: 0 })).toMatchObject({
      statistic: near(1),
      df: 1,
      p_value: near(0.5),
    });
    // Chi squared with 2 degrees of freedom is an exponential.
    expect(await call('stat_chi_square', { observed: [10, 20, 30] })).toMatchObject({
      statistic: near(10),
      p_value: near(Math.exp(-5)),
    });
    expect(await call('stat_rank_test', { x: [1, 2, 3], y: [4, 5, 6] })).toMatchObject({
      statistic: 0,
      p_value: near(0.1),
    });
    expect(
      await call('stat_regression', {
        data: { y: [1, 3, 5, 8], g: ['a', 'a', 'b', 'b'] },
        response: 'y',
        terms: ['g'],
      }),
    ).toMatchObject({
      coefficients: [
        { term: 'Intercept', estimate: near(2) },
        { term: 'gb', estimate: near(4.5) },
      ],
    });
    expect(
      await call('stat_meta', {
        effects: [
          { estimate: 1, se: 1 },
          { estimate: 3, se: 1 },
        ],
        method: 'fixed',
      }),
    ).toMatchObject({
      // prettier-ignore
      estimate: near(2),
      std_error: near(Math.SQRT1_2),
      q: near(2),
    });
  });

  test.each([
    [0, 1e-9],
    [1e6, 1e-6],
    [1e12, 1e-3],
  ])("TOOLBOX-20 NIST's SmLs with an offset of %d: F is 21", async (offset, tolerance) => {
    const groups = Object.fromEntries(
      [4, 3, 5, 3, 5, 3, 5, 3, 5].map((tenth, group) => [
        `g${group}`,
        Array.from({ length: 21 }, (_, at) => offset + 1 + (tenth + (at === 0 ? 0 : at % 2 === 1 ? -1 : 1)) / 10),
      ]),
    );
    const { statistic } = await call('stat_anova', { groups });
    expect(Math.abs(Number(statistic) / 21 - 1)).toBeLessThan(tolerance);
  });

  test.each([
    ['stat_t_test', { x: [1, 2], y: [1, 2, 3], paired: true }, 'y'],
    ['stat_anova', { groups: { a: [1, 1], b: [2, 2] } }, 'groups'],
    [
      'stat_regression',
      { data: { y: [1, 2, 4], a: [1, 2, 3], b: [2, 4, 6] }, response: 'y', terms: ['a', 'b'] },
      'terms',
    ],
    ['stat_anova', { data: { y: [1, 2, 3], a: ['p', 'q', 'q'] }, response: 'z', factors: ['a'] }, 'response'],
  ])('TOOLBOX-2 %s of %j: the field is named', async (name, input, field) => {
    expect(await call(name, input)).toEqual({ error: 'tool_input', field });
  });
});

test.each([
  "webr::eval_js('1 + 1')",
  ".Call('ffi_eval_js', '1 + 1', 1L)",
  "readLines('/etc/passwd')",
  "webr::mount('/mnt', '/etc', 'NODEFS')",
  "readLines(url('http://127.0.0.1:9'))",
  "download.file('http://127.0.0.1:9', tempfile())",
  "system('id', intern = TRUE)",
  "webr::install('cli')",
  "dyn.load('/etc/passwd')",
  "stopifnot(nzchar(Sys.getenv('PATH')), grepl('sbin', Sys.getenv('PATH')))",
])('TOOLBOX-12 R does not get through with %s', async (code) => {
  const program = `function(input) { got <- ${code}; list(got = "reached") }`;
  const answer = await cage.run({ runtime: 'r', program, data: {} }, { ...bounds, timeMs: 10_000 });
  expect(answer.ok ? answer.value.value : 'refused').toBe('refused');
});

test('TOOLBOX-11 TOOLBOX-12 a recipe without end is stopped, and a socket opens to nothing', async () => {
  const program = 'function(input) { try(socketConnection(port = 9)); repeat {} }';
  expect(await cage.run({ runtime: 'r', program, data: {} }, { ...bounds, timeMs: 500 })).toMatchObject({
    failure: { code: 'tool_timeout' },
  });
});
