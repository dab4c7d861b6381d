/** A figure of Vega-Lite in words. */
import { isRecord } from '../../agent/tools/tool.ts';

const MARKS: Readonly<Record<string, string>> = {
  ...{ bar: 'Bar chart', line: 'Line chart', point: 'Scatter plot', circle: 'Scatter plot', square: 'Scatter plot' },
  ...{
    area: 'Area chart',
    rect: 'Heat map',
    arc: 'Pie chart',
    boxplot: 'Box plot',
    tick: 'Strip plot',
    geoshape: 'Map',
  },
  ...{ rule: 'Lines', text: 'Text', trail: 'Line chart', errorbar: 'Error bars', errorband: 'Error band' },
};
const CHANNELS: Readonly<Record<string, string>> = {
  ...{ x: 'across', y: 'up', color: 'by colour', size: 'by size', shape: 'by shape', theta: 'by angle' },
  ...{ row: 'in rows', column: 'in columns', facet: 'in parts', opacity: 'by opacity' },
};
/** Ranges of numbers that are told. */
const MOST_TOLD = 3;

export function describePlot(spec: Readonly<Record<string, unknown>>): string {
  const title = titleOf(spec['title']);
  const kind = kindOf(spec);
  const encoding = isRecord(spec['encoding']) ? spec['encoding'] : {};
  const channels = Object.entries(encoding).flatMap(([channel, given]) => {
    const said = isRecord(given) ? fieldSaid(given) : null;
    return said === null || CHANNELS[channel] === undefined ? [] : [`${said} ${CHANNELS[channel]}`];
  });
  const rows =
    isRecord(spec['data']) && Array.isArray(spec['data']['values']) ? spec['data']['values'].filter(isRecord) : [];
  const shows = channels.length > 0 ? ` of ${channels.join(', ')}` : '';
  const count = rows.length > 0 ? ` ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.` : '';
  return `${title === null ? '' : `${title}. `}${kind}${shows}.${count}${rangesOf(encoding, rows)}`;
}

function kindOf(spec: Readonly<Record<string, unknown>>): string {
  const { mark, layer } = spec;
  if (Array.isArray(layer)) {
    const kinds = [...new Set(layer.filter(isRecord).map(kindOf))];
    return kinds.length === 0
      ? 'Figure'
      : kinds.join(' with ').replaceAll(/ with ([A-Z])/g, (_, letter: string) => ` with ${letter.toLowerCase()}`);
  }
  const type = isRecord(mark) ? mark['type'] : mark;
  return (typeof type === 'string' ? MARKS[type] : undefined) ?? 'Figure';
}

function fieldSaid(channel: Record<string, unknown>): string | null {
  const { field, aggregate } = channel;
  const name = typeof field === 'string' ? field : null;
  if (typeof aggregate === 'string') return name === null ? aggregate : `${aggregate} of ${name}`;
  return name;
}

function rangesOf(encoding: Readonly<Record<string, unknown>>, rows: readonly Record<string, unknown>[]): string {
  const fields = Object.values(encoding).flatMap((one) =>
    isRecord(one) && typeof one['field'] === 'string' ? [one['field']] : [],
  );
  const told = [...new Set(fields)].flatMap((field) => {
    const values = rows.map((row) => row[field]).filter((one) => typeof one === 'number');
    if (values.length === 0) return [];
    const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
    return [`${field} from ${low} to ${high}`];
  });
  return told.length === 0 ? '' : ` ${told.slice(0, MOST_TOLD).join(', ')}.`;
}

function titleOf(title: unknown): string | null {
  const text = isRecord(title) ? title['text'] : title;
  return typeof text === 'string' && text.trim() !== '' ? text.trim().replace(/\.$/, '') : null;
}
