/** The engines in the cage of Node: what they answer, and what they cannot reach. Each starts once, R in its own test file. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { USUAL_BOUNDS, type CageJob } from '#core/toolbox/cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { toolNamed } from '#core/toolbox/tools.ts';

const cage = openNodeCage();
const run = new ToolboxRun({ cage });
afterAll(() => cage.close());

const call = async (name: string, input: unknown): Promise<Record<string, unknown>> => {
  const answered = await run.call(toolNamed(name), input);
  return answered.ok ? answered.answer.whole : { error: answered.failure.code, field: answered.failure.subject };
};

describe('cas', () => {
  const near = (value: number) => expect.closeTo(value, 9);
  test.each([
    [
      { op: 'integrate', expr: '\\frac{1}{1+x^2}', var: 'x', from: '-\\infty', to: '\\infty' },
      { value: near(Math.PI) },
    ],
    [
      { op: 'integrate', expr: '\\sin(x^2)', var: 'x', from: 0, to: 3 },
      { value: near(0.773562526893769), checked: null },
    ],
    [{ op: 'integrate', expr: '\\frac{1}{\\sqrt{x}}', var: 'x', from: 0, to: 1 }, { value: expect.closeTo(2, 6) }],
    [{ op: 'integrate', expr: '\\frac{1}{x}', var: 'x', from: -1, to: 1 }, { error: 'cas_unsolved' }],
    [
      { op: 'differentiate', expr: '\\ln(x) x', var: 'x', at: [{ x: 1 }] },
      { values: [1], checked: true },
    ],
    [
      { op: 'solve', expr: 'x^2=2', var: 'x' },
      { roots: [near(-Math.SQRT2), near(Math.SQRT2)], exact: true, checked: true },
    ],
    [{ op: 'solve', expr: '\\cos x = x', var: 'x' }, { error: 'cas_unsolved' }],
    [
      { op: 'solve', system: ['x+y=3', 'x-y=1'], vars: ['x', 'y'] },
      { solution: { x: 2, y: 1 }, checked: true },
    ],
    [
      { op: 'factor', expr: 'x^2-5x+6', at: [{ x: 0 }, { x: 5 }] },
      { values: [6, 6], checked: true },
    ],
    [
      { op: 'limit', expr: '\\frac{\\sin x}{x}', var: 'x', to: 0 },
      { value: 1, checked: true },
    ],
    [
      { op: 'series', expr: '\\sin x', var: 'x', at: [{ x: 0.1 }] },
      { values: [near(Math.sin(0.1))], checked: true },
    ],
    [{ op: 'inverse', matrix: [[1, 2], [3, 4]] }, { matrix: [[-2, 1], [1.5, -0.5]], checked: true }], // prettier-ignore
    [{ op: 'inverse', matrix: [[1, 2], [2, 4]] }, { error: 'tool_input', field: 'matrix' }], // prettier-ignore
    [{ op: 'eigenvalues', matrix: [[2, 1], [1, 2]] }, { roots: [1, 3] }], // prettier-ignore
    [
      { op: 'evaluate', expr: '\\frac{1' },
      { error: 'tool_input', field: 'expr' },
    ],
  ])('TOOLBOX-21 %j', async (input, expected) => {
    expect(await call('cas', input)).toMatchObject(expected);
  });
});

describe('frame_query', () => {
  const tables = { t: 'id,day,x\n1,2024-01-02,9007199254740993\n2,2024-02-03,5\n' };
  test('TOOLBOX-22 dates, sums, decimals, large whole numbers', async () => {
    const sql = 'select sum(id) as s, sum(id*0.5) as h, max(x) as big, min(day) as d, null as n, true as b from t';
    expect(await call('frame_query', { tables, sql })).toMatchObject({
      columns: ['s', 'h', 'big', 'd', 'n', 'b'],
      rows: [[3, 1.5, '9007199254740993', '2024-01-02', null, true]],
      truncated: false,
      total: 1,
    });
  });

  test.each([
    "select * from read_csv_auto('/etc/passwd')",
    "select * from read_parquet('/etc/passwd')",
    "select * from '/etc/passwd'",
    "select * from 'https://127.0.0.1:9/x.parquet'",
    "select * from glob('/etc/*')",
    "copy t to '/tmp/accession-escaped.csv'",
    "export database '/tmp/accession-escaped'",
    "attach '/tmp/accession-escaped.db'",
    'load httpfs',
    'set enable_external_access=true',
    'select 1; select 2',
  ])('TOOLBOX-13 %s is refused', async (sql) => {
    expect(await call('frame_query', { tables, sql })).toEqual({ error: 'tool_refused', field: 'sql' });
  });

  test.each(["select getenv('HOME')", 'select nope from t', 'selec 1'])(
    'TOOLBOX-13 %s is no query of these tables',
    async (sql) => {
      expect(await call('frame_query', { tables, sql })).toEqual({ error: 'tool_input', field: 'sql' });
    },
  );

  test('TOOLBOX-13 no table outlives its call', async () => {
    await call('frame_query', { tables: { kept: 'a\n1\n' }, sql: 'select * from kept' });
    expect(await call('frame_query', { tables: {}, sql: 'select a from kept' })).toMatchObject({ error: 'tool_input' });
  });

  test('TOOLBOX-11 a query without end is stopped by time, one without bounds by memory; the next one works', async () => {
    const job = (sql: string): CageJob => ({ runtime: 'sql', program: 'query', data: { tables: {}, sql } });
    const endless = 'select count(*) from range(100000000) a, range(1000000) b where a.range % 7 = b.range % 11';
    expect(await cage.run(job(endless), { ...USUAL_BOUNDS, timeMs: 300 })).toMatchObject({
      failure: { code: 'tool_timeout' },
    });
    const wide = "select string_agg(repeat('x', 100000), '') from range(20000)";
    expect(await cage.run(job(wide), { ...USUAL_BOUNDS, memoryMb: 300 })).toMatchObject({
      failure: { code: 'tool_limit' },
    });
    expect(await cage.run(job('select 1 as a'), USUAL_BOUNDS)).toMatchObject({
      ok: true,
      value: { value: { rows: [[1]] } },
    });
  });

  test('TOOLBOX-11 cancelling kills the engine; the next call works', async () => {
    const stop = new AbortController();
    const job: CageJob = {
      runtime: 'sql',
      program: 'query',
      data: { tables: {}, sql: 'select count(*) from range(10000000000)' },
    };
    const running = cage.run(job, USUAL_BOUNDS, stop.signal);
    stop.abort();
    expect(await running).toMatchObject({ failure: { code: 'cancelled' } });
    expect(await call('frame_query', { tables, sql: 'select 1 as a' })).toMatchObject({ rows: [[1]] });
  });
});

/** Each is JavaScript that a way out of an engine would give to whoever found it. */
const ATTEMPTS = [
  "await fetch('http://127.0.0.1:9')",
  "new WebSocket('ws://127.0.0.1:9')",
  "(await import('node:net')).connect(9)",
  "(await import('node:net')).createServer().listen(0)",
  "new (await import('node:net')).Socket().connect(9)",
  "new (await import('node:net')).default.Socket()",
  "(await import('node:http')).get('http://127.0.0.1:9')",
  "(await import('node:https')).request('https://127.0.0.1:9')",
  "(await import('node:http2')).connect('http://127.0.0.1:9')",
  "(await import('node:tls')).connect(9)",
  "(await import('node:dgram')).createSocket('udp4')",
  "await (await import('node:dns/promises')).lookup('localhost')",
  "(await import('node:dns')).promises.lookup('localhost')",
  "process.getBuiltinModule('net').connect(9)",
  "process.binding('tcp_wrap')",
  "process._linkedBinding('tcp_wrap')",
  "(await import('node:module')).createRequire('/x/')('net').connect(9)",
  "(await import('node:fs')).readFileSync('/etc/passwd')",
  "(await import('node:fs')).writeFileSync('/tmp/accession-escaped', '')",
  "(await import('node:child_process')).spawnSync('id').stdout.toString()",
  "new (await import('node:worker_threads')).Worker('1', { eval: true })",
  'process.kill(process.ppid, 0)',
  "process.dlopen({ exports: {} }, '/x.node')",
  "(await import('node:inspector')).open(0)",
  "eval('1')",
  "new Function('return 1')()",
  "(await import('node:wasi')).WASI && new (await import('node:wasi')).WASI({ version: 'preview1' })",
  'process.env.PATH.length',
];

test('TOOLBOX-10 what runs in a child of the cage reaches nothing', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const flags = [
    '--permission',
    `--allow-fs-read=${root}src/adapters/toolbox`,
    '--disallow-code-generation-from-strings',
  ];
  const lock = `--import=${root}src/adapters/toolbox/node/lock.ts`;
  const tried = ATTEMPTS.map((code) => `async () => { return ${code}; }`).join(',\n');
  const script = `for (const attempt of [${tried}]) {
    try { await attempt(); console.log('reached'); } catch { console.log('refused'); }
  }`;
  const ran = spawnSync(process.execPath, [...flags, lock, '--input-type=module', '--eval', script], {
    env: {},
    encoding: 'utf8',
  });
  const ends = ran.stdout.trim().split('\n');
  expect(ends).toHaveLength(ATTEMPTS.length);
  expect(ATTEMPTS.filter((_, at) => ends[at] !== 'refused')).toEqual([]);
});
