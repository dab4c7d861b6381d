/** What of an output is shown how: a sentence, facts, tables, a picture, a formula, texts to copy; the rest as JSON. */
import { isRecord } from '#core/agent/tools/tool.ts';
import { fromBase64 } from '#core/toolbox/base64.ts';

export interface ShownTable {
  name: string;
  columns: string[];
  rows: unknown[][];
  /** Of all that there are. */
  total: number;
}

export interface Shown {
  sentence: string | null;
  facts: { name: string; value: string }[];
  tables: ShownTable[];
  svg: string | null;
  description: string;
  mathml: string | null;
  warnings: string[];
  /** Scripts and texts of several lines, by name. */
  texts: { name: string; text: string }[];
  /** What the figure is in the form of other programs, by name. */
  exports: { name: string; text: string; file: string }[];
  /** Files that were asked for, or that code drew. */
  files: { name: string; content: string | Uint8Array<ArrayBuffer> }[];
}

/** Digits that a person reads; the rest is in the JSON. */
const DIGITS = 6;

export function said(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number')
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(DIGITS)));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(said).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const LABELS: Readonly<Record<string, string>> = { vega_lite: 'Vega-Lite', echarts: 'ECharts', matplotlib: 'matplotlib script', vis_network: 'vis-network', geojson: 'GeoJSON', kml: 'KML', tex: 'TeX', latex: 'LaTeX', mathjson: 'MathJSON', table: 'Data', r_script: 'R script', p_value: 'p', df: 'Degrees of freedom', sql: 'SQL', conf_low: 'Interval from', conf_high: 'to', p_adj: 'p adjusted', std_error: 'Standard error', cohens_d: "Cohen's d" }; // prettier-ignore

function words(name: string): string {
  return LABELS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}
const APART = new Set(['sources', 'sentence', 'svg', 'description', 'mathml', 'warnings', 'exports', 'columns', 'types', 'rows', 'total', 'truncated', 'file', 'figures']); // prettier-ignore

export function shownOf(output: Readonly<Record<string, unknown>>): Shown {
  const shown: Shown = {
    ...{
      sentence: textOrNull(output['sentence']),
      svg: textOrNull(output['svg']),
      mathml: textOrNull(output['mathml']),
    },
    ...{ description: textOrNull(output['description']) ?? '', facts: [], tables: [], texts: [] },
    warnings: Array.isArray(output['warnings']) ? output['warnings'].map(String) : [],
    exports: exportsOf(output['exports']),
    files: [...fileOf(output['file']), ...figuresOf(output['figures'])],
  };
  const whole = tableOf('rows', output);
  if (whole !== null) shown.tables.push(whole);
  for (const [name, value] of Object.entries(output)) if (!APART.has(name)) put(shown, name, value);
  return shown;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function put(shown: Shown, name: string, value: unknown): void {
  if (typeof value === 'string' && value.includes('\n'))
    return void shown.texts.push({ name: words(name), text: value });
  if (Array.isArray(value) && value.length > 0) return putList(shown, name, value as unknown[]);
  if (!isRecord(value))
    return void shown.facts.push({ name: words(name), value: said(Array.isArray(value) ? null : value) });
  const table = tableOf(name, value);
  if (table !== null) return void shown.tables.push(table);
  const columns = Object.entries(value).filter(([, list]) => Array.isArray(list)) as [string, unknown[]][];
  if (columns.length > 0 && columns.length === Object.keys(value).length)
    return void shown.tables.push(byColumns(name, columns));
  for (const [inner, one] of Object.entries(value)) put(shown, `${name}: ${inner.replaceAll('_', ' ')}`, one);
}

function putList(shown: Shown, name: string, list: readonly unknown[]): void {
  const tables = list.map((one) => (isRecord(one) ? tableOf(String(one['caption'] ?? name) || name, one) : null));
  if (tables.every((one) => one !== null)) shown.tables.push(...tables);
  else if (list.every(isRecord)) {
    const columns = [...new Set(list.flatMap((row) => Object.keys(row)))];
    const rows = list.map((row) => columns.map((column) => row[column]));
    shown.tables.push({ name: words(name), columns, rows, total: rows.length });
  } else if (list.every(Array.isArray)) {
    const rows = list as unknown[][];
    const width = Math.max(...rows.map((row) => row.length));
    const columns = Array.from({ length: width }, (_, at) => String(at + 1));
    shown.tables.push({ name: words(name), columns, rows, total: rows.length });
  } else shown.facts.push({ name: words(name), value: list.map(said).join(', ') });
}

function tableOf(name: string, value: Readonly<Record<string, unknown>>): ShownTable | null {
  const { columns, rows, total } = value;
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return null;
  return {
    name: words(name),
    columns: columns.map(String),
    rows,
    total: typeof total === 'number' ? total : rows.length,
  };
}

function byColumns(name: string, columns: readonly [string, unknown[]][]): ShownTable {
  const length = Math.max(...columns.map(([, list]) => list.length));
  const rows = Array.from({ length }, (_, at) => columns.map(([, list]) => list[at]));
  return { name: words(name), columns: columns.map(([column]) => column), rows, total: length };
}

const FILES: Readonly<Record<string, string>> = { matplotlib: 'figure.py', geojson: 'map.geojson', kml: 'map.kml', tex: 'formula.tex' }; // prettier-ignore

function exportsOf(given: unknown): Shown['exports'] {
  return Object.entries(isRecord(given) ? given : {}).map(([name, value]) => ({
    ...{ name: words(name), file: FILES[name] ?? `${name}.json` },
    text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  }));
}

const figuresOf = (value: unknown): Shown['files'] =>
  (Array.isArray(value) ? value : []).flatMap((one) =>
    isRecord(one) && typeof one['base64'] === 'string'
      ? [{ name: String(one['name']), content: fromBase64(one['base64']) }]
      : [],
  );

function fileOf(value: unknown): Shown['files'] {
  if (!isRecord(value)) return [];
  const { text, base64 } = value;
  if (typeof base64 === 'string') return [{ name: 'result.parquet', content: fromBase64(base64) }];
  if (typeof text !== 'string') return [];
  return [{ name: text.startsWith('@relation') ? 'result.arff' : 'result.csv', content: text }];
}
