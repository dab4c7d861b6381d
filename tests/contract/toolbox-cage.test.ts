/** The engines in the cage of Node: what they answer, and what they cannot reach. Each starts once, R in its own test file. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { USUAL_BOUNDS, type CageJob } from '#core/toolbox/cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { TOOLS, toolNamed } from '#core/toolbox/tools.ts';

const cage = openNodeCage();
const MEAN = 'sum(data) / len(data)';
const agreed = new Set([createHash('sha256').update(MEAN).digest('hex')]);
const run = new ToolboxRun({ cage, agreed });
afterAll(() => cage.close());

const call = async (name: string, input: unknown, using = run): Promise<Record<string, unknown>> => {
  const answered = await using.call(toolNamed(name), input);
  return answered.ok ? answered.answer.whole : { error: answered.failure.code, field: answered.failure.subject };
};

test.each(TOOLS.filter(({ runtime }) => runtime !== 'r').map((tool) => ({ tool, name: tool.name })))(
  'TOOLBOX-1 the example of $name is answered',
  async ({ tool }) => {
    expect(await call(tool.name, tool.example)).not.toHaveProperty('error');
  },
);

describe('spice', () => {
  test('TOOLBOX-23 a low-pass at its corner; what is not there is named', async () => {
    const corner = 1 / (2 * Math.PI * 1e3 * 1e-7);
    const netlist = `rc\nV1 in 0 DC 0 AC 1\nR1 in out 1k\nC1 out 0 100n\n.ac dec 100 10 100k\n.end`;
    const measure = (['magnitude', 'phase_deg'] as const).map((as) => ({ vector: 'V(OUT)', at: corner, as }));
    const { measured = [], analysis } = (await call('spice', { netlist, measure })) as {
      measured?: number[];
      analysis?: string;
    };
    expect(analysis).toBe('ac');
    expect(measured[0]).toBeCloseTo(Math.SQRT1_2, 3);
    expect(measured[1]).toBeCloseTo(-45, 1);
    expect(await call('spice', { netlist, measure: [{ vector: 'v(x)' }] })).toEqual({
      error: 'tool_input',
      field: 'measure',
    });
  });

  test('TOOLBOX-23 a circuit that cannot be solved is spice_failed or warned of, never a number made up', async () => {
    const netlist = 'loop\nV1 a 0 1\nV2 a 0 2\n.op\n.end';
    expect(await call('spice', { netlist, measure: [{ vector: 'v(a)' }] })).toMatchObject({ error: 'spice_failed' });
  });
});

describe('figures', () => {
  test('TOOLBOX-24 the same figure is the same bytes, with no script, address or style of its own', async () => {
    const plot = toolNamed('plot');
    const example = plot.example as { spec: Record<string, unknown> };
    const hostile = { ...example.spec, title: '<script>alert(1)</script>', usermeta: {} };
    const [a, b] = [
      await call('plot', { spec: hostile }),
      await call('plot', { spec: { ...hostile, usermeta: undefined } }),
    ];
    expect(a['svg']).toBe(b['svg']);
    expect(a['svg']).not.toMatch(/<script|<foreignObject|<image|\son\w+=|href=/i);
    expect(await call('plot', { spec: { ...example.spec, mark: 'nonsense' } })).toMatchObject({ error: 'tool_input' });
    const loop = {
      ...example.spec,
      transform: [{ calculate: "datum.constructor.constructor('return process')()", as: 'c' }],
    };
    expect(await call('plot', { spec: loop })).toMatchObject({ error: 'tool_input' });
  });

  test('TOOLBOX-24 maps and graphs are drawn, light and dark', async () => {
    const choropleth = { by: 'iso', rows: [{ key: 'DE', value: 83 }, { key: 'FRA', value: 68 }] }; // prettier-ignore
    const europe = { layers: [{ choropleth }], bounds: [-10, 35, 30, 60], title: 'People', theme: 'dark' };
    const drawn = await call('map', europe);
    expect(drawn['svg']).toMatch(/^<svg /);
    expect(drawn['description']).toBe('People. Map with 2 countries by value, from 68 to 83.');
    expect(await call('map', { layers: [{ choropleth: { by: 'iso', rows: [{ key: 'ZZZ', value: 1 }] } }] })).toEqual({
      error: 'tool_input',
      field: 'layers',
    });
    const links = [{ source: 'a', target: 'b' }];
    expect(await call('graph', { nodes: [{ id: 'a' }, { id: 'b' }], links })).toMatchObject({
      exports: { vis_network: { edges: [{ from: 'a', to: 'b' }] } },
    });
    expect(await call('graph', { nodes: [{ id: 'a' }], links })).toEqual({ error: 'tool_input', field: 'links' });
  });

  test.each([
    '\\frac{a}{',
    '\\nope',
    '\\def\\a{\\a\\a}\\a',
    '\\href{javascript:alert(1)}{x}',
    '\\includegraphics{x}',
    '\\htmlStyle{a:b}{x}',
  ])('TOOLBOX-24 TeX %s is refused', async (tex) =>
    expect(await call('tex', { tex })).toEqual({ error: 'tool_input', field: 'tex' }),
  );
});

describe('python', () => {
  const job = (code: string): CageJob => ({ runtime: 'python', program: 'run', data: { code, data: [1] } });

  test('TOOLBOX-14 code runs only where its hash was agreed to', async () => {
    expect(await call('python_run', { code: `${MEAN} `, data: [1, 2] })).toEqual({
      error: 'tool_refused',
      field: 'code',
    });
    expect(await call('python_run', { code: MEAN, data: [1, 2] })).toMatchObject({ value: 1.5, output: '' });
  });

  test.each([
    'import js; js.fetch',
    'import sys; sys.modules.pop("js", None); import js; js.process',
    'import sys; sys.modules.pop("pyodide_js", None); import pyodide_js; pyodide_js.FS',
    'from pyodide.code import run_js; run_js("1")',
    'import sys; [sys.modules.pop(n) for n in list(sys.modules) if "pyodide" in n]; from pyodide.code import run_js; run_js("process")',
    'open("/etc/passwd").read()',
    'import urllib.request; urllib.request.urlopen("http://127.0.0.1:9")',
    'import socket; socket.create_connection(("127.0.0.1", 9))',
    'import subprocess; subprocess.run(["id"])',
    'import os; assert len(os.environ.get("PATH", "")) > 2; 1',
    'import os; os.system("id") == 0 or 1 / 0',
    'import ctypes; ctypes.CDLL(None).system(b"id") == 0 or 1 / 0',
  ])('TOOLBOX-14 Python does not get through with %s', async (code) => {
    const answer = await cage.run(job(code), { ...USUAL_BOUNDS, timeMs: 10_000 });
    expect(answer.ok ? answer.value.value : 'refused').toBe('refused');
  });

  test('TOOLBOX-11 after all of that the next call works', async () => {
    expect(await cage.run(job('data[0] + 1'), USUAL_BOUNDS)).toMatchObject({
      ok: true,
      value: { value: { value: 2 } },
    });
  });
});

describe('frame_verbs', () => {
  const rows = [{ id: 1, g: 'a', x: 1.5 }, { id: 2, g: 'b', x: null }, { id: 3, g: 'a', x: 4 }]; // prettier-ignore
  test.each([
    [[{ filter: "g == 'a' & x > 2" }, { select: { who: 'id' } }], ['who'], [[3]]],
    [
      [{ filter: '!is.na(x)' }, { group_by: 'g' }, { summarise: { m: 'mean(x)', n: 'n()' } }],
      ['g', 'm', 'n'],
      [['a', 2.75, 2]],
    ],
    [[{ mutate: { y: "'a & b' || g" } }, { select: ['y'] }, { head: 1 }], ['y'], null],
    [[{ join: { table: 'g,name\na,Ann\n', by: ['g'], type: 'inner' } }, { arrange: ['-id'] }, { select: ['id', 'name'] }], ['id', 'name'], [[3, 'Ann'], [1, 'Ann']]], // prettier-ignore
    [[{ select: ['id', 'g', 'x'] }, { pivot_wider: { names_from: 'g', values_from: 'x', names: ['a', 'b'] } }, { arrange: ['id'] }], ['id', 'a', 'b'], [[1, 1.5, null], [2, null, null], [3, 4, null]]], // prettier-ignore
    [[{ select: ['id', 'x'] }, { filter: 'id = 3' }, { pivot_longer: { cols: ['id', 'x'] } }], ['name', 'value'], [['id', 3], ['x', 4]]], // prettier-ignore
    [[{ distinct: ['g'] }, { arrange: ['g'] }], ['g'], [['a'], ['b']]],
  ])('TOOLBOX-26 %j', async (steps, columns, expected) => {
    const answer = await call('frame_verbs', { table: rows, steps });
    expect(answer).toMatchObject({ columns, ...(expected === null ? {} : { rows: expected }) });
    expect(answer['sql']).toMatch(/^WITH s0 AS /);
  });

  test.each([
    [[{ fly: 1 }], 'steps'],
    [[{ filter: 'x; drop table t' }], 'steps'],
    [[{ group_by: 'g' }, { mutate: { y: 'x' } }], 'steps'],
    [[{ join: { by: ['g'] } }], 'steps'],
    [[{ filter: 'nope > 1' }], 'sql'],
  ])('TOOLBOX-26 %j is refused', async (steps, field) => {
    expect(await call('frame_verbs', { table: rows, steps })).toEqual({ error: 'tool_input', field });
  });
});

describe('mine_classify', () => {
  test.each(['tree', 'forest', 'knn'])('TOOLBOX-25 %s tells two heaps apart, the same twice', async (method) => {
    const rows = Array.from({ length: 40 }, (_, at) => ({
      x: (at % 2) * 10 + (at % 7) / 7,
      noise: (at * 7) % 5,
      kind: at % 2 ? 'b' : 'a',
    }));
    const asked = { rows, label: 'kind', method, folds: 4, seed: 3 };
    const own = new ToolboxRun({ cage });
    const once = await call('mine_classify', asked, own);
    expect(once).toMatchObject({ accuracy: 1, classes: ['a', 'b'], confusion: [[20, 0], [0, 20]] }); // prettier-ignore
    expect((once['importance'] as Record<string, number>)['x']).toBeGreaterThan(0.2);
    expect(await own.verify()).toEqual([]);
  });
});

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

/** As DuckDB wrote it: three rows of n and name. */
const PARQUET =
  'UEFSMRUAFTwVLCwVBhUAFQYVBgAAHhgCAAAABgEADQERCRwCAAAAAAAAABUAFUIVPCwVBhUAFQYVBgAAITgCAAAABgEFAAAAcm93IDARCSQxBQAAAHJvdyAyFQIZPDUAGA1kdWNrZGJfc2NoZW1hFQQAFQQlAhgBbiUkABUMJQIYBG5hbWUlAAAWBhkcGSwmABwVBBkVABkYAW4VAhYGFl4WTiYIPBgIAgAAAAAAAAAYCAAAAAAAAAAAFgAoCAIAAAAAAAAAGAgAAAAAAAAAAAAAACYAHBUMGRUAGRgEbmFtZRUCFgYWZBZeJlY8GAVyb3cgMhgFcm93IDAWACgFcm93IDIYBXJvdyAwAAAAFoCIBhYGJggAKAZEdWNrREIAxgAAAFBBUjE=';

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

  test('TOOLBOX-32 tables in other forms, Parquet among them', async () => {
    const arff = '@relation r\n@attribute x numeric\n@data\n1\n?\n';
    const sql =
      'select (select sum(x) from a) as a, (select max(x) from j) as j, (select max(name) from p where n > 1) as p';
    const given = { a: arff, j: '{"x": 4}\n{"x": 5}\n', p: { parquet: PARQUET } };
    expect(await call('frame_query', { tables: given, sql })).toMatchObject({ rows: [[1, 5, 'row 2']] });
    const bad = { t: { parquet: btoa('no parquet') } };
    expect(await call('frame_query', { tables: bad, sql: 'select 1' })).toEqual({
      error: 'tool_input',
      field: 'tables',
    });
  });

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
