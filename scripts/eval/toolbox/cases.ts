/** Our own cases of the toolbox: closed forms, counted by hand, and what must be refused. Nobody's data. */
export interface ToolCase {
  tool: string;
  input: unknown;
  /** Fields of the output, by path; numbers hold to a relative 1e-9. */
  expect?: Readonly<Record<string, unknown>>;
  refused?: { code: string; field?: string };
}

const wrong = (tool: string, input: unknown, field: string): ToolCase => ({
  tool,
  input,
  refused: { code: 'tool_input', field },
});
const refused = (tool: string, input: unknown): ToolCase => ({ tool, input, refused: { code: 'tool_refused' } });
const right = (tool: string, input: unknown, expect: Readonly<Record<string, unknown>>): ToolCase => ({
  tool,
  input,
  expect,
});

const circuit = (...lines: string[]): string => ['of our own', ...lines, '.end'].join('\n');

export const CASES: readonly ToolCase[] = [
  right('stat_t_test', { x: [0, 1] }, { statistic: 1, df: 1, p_value: 0.5 }),
  right(
    'stat_t_test',
    { x: [1, 2, 3], y: [2, 3, 4], var_equal: true },
    { statistic: -Math.sqrt(1.5), df: 4, estimate: -1, cohens_d: -1 },
  ),
  right('stat_z_test', { x: [1, 3], sigma: 1, mu: 2 }, { statistic: 0, p_value: 1, estimate: 2 }),
  right('stat_chi_square', { observed: [10, 20, 30] }, { statistic: 10, df: 2, p_value: Math.exp(-5) }),
  right('stat_chi_square', { table: [[10, 10], [10, 10]], correct: false }, { statistic: 0, p_value: 1, cramers_v: 0 }), // prettier-ignore
  right(
    'stat_anova',
    { groups: { a: [1, 2, 3], b: [2, 3, 4] } },
    { statistic: 1.5, df1: 1, df2: 4, between_sum_sq: 1.5, within_sum_sq: 4 },
  ),
  right(
    'stat_describe',
    { x: [4, 1, 3, 2] },
    { n: 4, mean: 2.5, q1: 1.75, median: 2.5, q3: 3.25, sd: Math.sqrt(5 / 3) },
  ),
  right('stat_correlation', { x: [1, 2, 3], y: [1, 3, 2] }, { estimate: 0.5, df: 1, p_value: 2 / 3 }),
  right('stat_rank_test', { x: [1, 2, 3], y: [4, 5, 6] }, { statistic: 0, p_value: 0.1 }),
  right('stat_regression', { data: { y: [1, 3, 2, 4], x: [1, 2, 3, 4] }, response: 'y', terms: ['x'] }, { r_squared: 0.64, 'coefficients.1.estimate': 0.8, 'coefficients.0.estimate': 0.5 }), // prettier-ignore
  right('stat_meta', { effects: [{ estimate: 1, se: 1 }, { estimate: 3, se: 1 }] }, { estimate: 2, q: 2, df: 1, tau_squared: 1, i_squared: 0.5 }), // prettier-ignore
  right('frame_query', { tables: { t: 'a,b\n1,x\n2,y\n3,x\n' }, sql: 'select b, sum(a) s from t group by b order by b' }, { rows: [['x', 4], ['y', 2]] }), // prettier-ignore
  right('frame_verbs', { table: 'a,b\n1,x\n2,y\n3,x\n', steps: [{ filter: "b == 'x' & a > 1" }, { mutate: { c: 'a * 2' } }] }, { rows: [[3, 'x', 6]] }), // prettier-ignore
  right(
    'cas',
    { op: 'integrate', expr: '\\frac{1}{1+x^2}', var: 'x', from: '-\\infty', to: '\\infty' },
    { value: Math.PI },
  ),
  right('cas', { op: 'solve', expr: 'x^2=2', var: 'x' }, { roots: [-Math.SQRT2, Math.SQRT2] }),
  right(
    'cas',
    { op: 'differentiate', expr: '\\tan x', var: 'x', at: [{ x: 0.5 }] },
    { values: [1 / Math.cos(0.5) ** 2] },
  ),
  right('cas', { op: 'evaluate', expr: '\\frac{2}{6}+1' }, { text: '4/3', exact: true }),
  right(
    'spice',
    { netlist: circuit('V1 a 0 9', 'R1 a b 1k', 'R2 b 0 2k', '.op'), measure: [{ vector: 'v(b)' }] },
    { measured: [6] },
  ),
  right(
    'spice',
    { netlist: circuit('V1 a 0 1', 'R1 a 0 1k', '.dc V1 0 4 1'), measure: [{ vector: 'i(v1)', at: 2.5 }] },
    { measured: [-0.0025] },
  ),
  right(
    'mine_cluster',
    { rows: [[0], [2], [10], [12]], k: 2 },
    { within_sum_sq: 4, sizes: [2, 2], labels: [1, 1, 2, 2] },
  ),
  right(
    'mine_cluster',
    { rows: [[0], [0.5], [1], [9]], method: 'dbscan', eps: 0.6, min_points: 2 },
    { labels: [1, 1, 1, 0] },
  ),
  right('mine_pca', { rows: [[1, 1], [2, 2], [3, 3]] }, { 'sdev.0': Math.SQRT2, 'loadings.0': [Math.SQRT1_2, Math.SQRT1_2] }), // prettier-ignore
  right('mine_rules', { baskets: [['a', 'b'], ['a', 'b'], ['a']], min_support: 0.6, min_confidence: 0.9 }, { 'rules.0.if': ['b'], 'rules.0.then': ['a'] }), // prettier-ignore
  right('tex', { tex: 'x^2' }, { tex: 'x^2' }),
  wrong('stat_t_test', { x: [1, '2'] }, 'x'),
  wrong('stat_t_test', { x: [1, 2, 3], paired: true }, 'y'),
  wrong('stat_z_test', { successes: [1, 2], trials: [1] }, 'trials'),
  wrong('stat_chi_square', { table: [[1, 2]] }, 'table'),
  wrong('stat_anova', { groups: { a: [1, 2], b: [] } }, 'groups'),
  wrong('stat_correlation', { x: [1, 1, 1], y: [1, 2, 3] }, 'x'),
  wrong('stat_regression', { data: { y: [1, 2, 3], x: [1, 2] }, response: 'y', terms: ['x'] }, 'x'),
  wrong(
    'stat_meta',
    {
      effects: [
        { estimate: 1, se: 1 },
        { estimate: 1, se: 0 },
      ],
    },
    'effects',
  ),
  wrong('frame_query', { tables: { t: 'a\n1\n' }, sql: 'select b from t' }, 'sql'),
  wrong('frame_verbs', { table: 'a\n1\n', steps: [{ fly: 'a' }] }, 'steps'),
  wrong('cas', { op: 'solve', expr: 'x=1' }, 'var'),
  wrong('spice', { netlist: circuit('V1 a 0 1', 'R1 a', '.op') }, 'netlist'),
  wrong('mine_cluster', { rows: [[1], [1]], k: 2 }, 'k'),
  wrong('mine_rules', { baskets: [['a']], min_support: 0, min_confidence: 1 }, 'min_support'),
  wrong('tex', { tex: '\\nope' }, 'tex'),
  wrong('plot', { spec: { data: { values: [{ a: 1 }] }, mark: 'bar', encoding: { x: { field: 'z' } } } }, 'z'),
  refused('plot', { spec: { data: { url: 'x.csv' }, mark: 'bar' } }),
  refused('frame_query', { tables: {}, sql: "copy (select 1) to '/tmp/x'" }),
  refused('spice', { netlist: circuit('.include x', 'R1 a 0 1', '.op') }),
  { tool: 'cas', input: { op: 'solve', expr: '\\cos x = x', var: 'x' }, refused: { code: 'cas_unsolved' } },
];
