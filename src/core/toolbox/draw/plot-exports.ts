/**
 * A simple figure (one mark, columns across and up, kinds by colour) for other programs: Plotly's JSON, the option of ECharts, a
 * script for matplotlib. What is more than that has no export beside Vega-Lite.
 */
import { isRecord } from '../../agent/tools/tool.ts';

interface Series {
  name: string | null;
  x: unknown[];
  y: unknown[];
}

interface Simple {
  mark: 'bar' | 'line' | 'point' | 'area';
  x: string;
  y: string;
  title: string | null;
  series: Series[];
}

const MARKS: Readonly<Record<string, Simple['mark']>> = {
  ...{ bar: 'bar', line: 'line', point: 'point', circle: 'point', square: 'point', area: 'area' },
};

export function exportsOf(
  spec: Readonly<Record<string, unknown>>,
  rows: readonly Record<string, unknown>[],
): Record<string, unknown> {
  const simple = simpleOf(spec, rows);
  return simple === null ? {} : { plotly: plotly(simple), echarts: echarts(simple), matplotlib: matplotlib(simple) };
}

function simpleOf(spec: Readonly<Record<string, unknown>>, rows: readonly Record<string, unknown>[]): Simple | null {
  const { encoding, transform } = spec;
  const type = isRecord(spec['mark']) ? spec['mark']['type'] : spec['mark'];
  const mark = typeof type === 'string' ? MARKS[type] : undefined;
  if (mark === undefined || !isRecord(encoding) || transform !== undefined || rows.length === 0) return null;
  const [x, y, color] = [plainField(encoding['x']), plainField(encoding['y']), plainField(encoding['color'])];
  if (x === null || y === null) return null;
  if (Object.keys(encoding).some((channel) => !['x', 'y', 'color', 'tooltip'].includes(channel))) return null;
  const kinds = color === null ? [null] : [...new Set(rows.map((row) => row[color]))];
  const series = kinds.map((kind) => {
    const own = color === null ? rows : rows.filter((row) => row[color] === kind);
    return {
      name: kind === null ? null : String(kind),
      x: own.map((row) => row[x] ?? null),
      y: own.map((row) => row[y] ?? null),
    };
  });
  const title = isRecord(spec['title']) ? spec['title']['text'] : spec['title'];
  return { mark, x, y, title: typeof title === 'string' ? title : null, series };
}

function plainField(channel: unknown): string | null {
  if (!isRecord(channel) || typeof channel['field'] !== 'string') return null;
  return 'aggregate' in channel || 'bin' in channel || 'timeUnit' in channel ? null : channel['field'];
}

function plotly({ mark, x, y, title, series }: Simple): object {
  const kind = { bar: { type: 'bar' }, line: { type: 'scatter', mode: 'lines' }, point: { type: 'scatter', mode: 'markers' }, area: { type: 'scatter', mode: 'lines', fill: 'tozeroy' } }[mark]; // prettier-ignore
  return {
    data: series.map((one) => ({ ...kind, ...(one.name === null ? {} : { name: one.name }), x: one.x, y: one.y })),
    layout: {
      xaxis: { title: { text: x } },
      yaxis: { title: { text: y } },
      ...(title === null ? {} : { title: { text: title } }),
    },
  };
}

function echarts({ mark, x, y, title, series }: Simple): object {
  const kinds = [...new Set(series.flatMap((one) => one.x))];
  const byNumber = mark === 'point' || kinds.every((one) => typeof one === 'number');
  const type = { bar: 'bar', line: 'line', point: 'scatter', area: 'line' }[mark];
  return {
    ...(title === null ? {} : { title: { text: title } }),
    ...(series.some((one) => one.name !== null) ? { legend: {} } : {}),
    xAxis: byNumber ? { type: 'value', name: x } : { type: 'category', name: x, data: kinds },
    yAxis: { type: 'value', name: y },
    series: series.map((one) => ({
      ...{ type, ...(mark === 'area' ? { areaStyle: {} } : {}), ...(one.name === null ? {} : { name: one.name }) },
      data: one.x.map((value, at) => [value, one.y[at]]),
    })),
  };
}

function matplotlib({ mark, x, y, title, series }: Simple): string {
  const call = { bar: 'bar', line: 'plot', point: 'scatter', area: 'fill_between' }[mark];
  const drawn = series.map(
    (one) =>
      `ax.${call}(${inPython(one.x)}, ${inPython(one.y)}${one.name === null ? '' : `, label=${inPython(one.name)}`})`,
  );
  return [
    ...['import matplotlib.pyplot as plt', '', 'fig, ax = plt.subplots()', ...drawn],
    ...[`ax.set_xlabel(${inPython(x)})`, `ax.set_ylabel(${inPython(y)})`],
    ...(title === null ? [] : [`ax.set_title(${inPython(title)})`]),
    ...(series.some((one) => one.name !== null) ? ['ax.legend()'] : []),
    ...['fig.savefig("figure.svg")', ''],
  ].join('\n');
}

/** JSON is Python but for three words. */
function inPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`;
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}
