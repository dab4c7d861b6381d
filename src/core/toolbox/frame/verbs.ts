/** Verbs as dplyr has them, as one SELECT: each step is a part of it by name, in the order in which it was said. */
import { isRecord } from '../../agent/tools/tool.ts';
import { failed } from '../../errors.ts';

export type Step = Readonly<Record<string, unknown>>;

/** The names of the verbs. */
export const VERBS = [
  ...([
    'select',
    'filter',
    'mutate',
    'group_by',
    'summarise',
    'arrange',
    'join',
    'pivot_wider',
    'pivot_longer',
  ] as const),
  ...(['distinct', 'head'] as const),
] as const;
type Verb = (typeof VERBS)[number];

const JOINS: Readonly<Record<string, string>> = {
  ...{
    inner: 'INNER JOIN',
    left: 'LEFT JOIN',
    right: 'RIGHT JOIN',
    full: 'FULL JOIN',
    semi: 'SEMI JOIN',
    anti: 'ANTI JOIN',
  },
};

/** What dplyr writes otherwise than SQL, outside of quotes. */
const WORDS: readonly [RegExp, string][] = [
  [/==/g, '='],
  [/&&?/g, ' AND '],
  [/(?<!\|)\|(?!\|)/g, ' OR '],
  [/!(?!=)/g, ' NOT '],
  [/\bn\(\s*\)/g, 'count(*)'],
  [/\bn_distinct\(/g, 'count(DISTINCT '],
  [/\bsd\(/g, 'stddev_samp('],
  [/\bvar\(/g, 'var_samp('],
  [/\bmean\(/g, 'avg('],
  [/\bis\.na\(([^()]*)\)/g, '($1 IS NULL)'],
];

/** Throws AccessionError `tool_input` that names the step. @param tables names of what is joined, by the place of their step */
export function verbsAsSql(steps: readonly Step[], tables: ReadonlyMap<number, string>): string {
  let groups: string[] = [];
  const parts = ['s0 AS (SELECT * FROM "t")'];
  for (const [at, step] of steps.entries()) {
    const said = sayings(at, tables.get(at) ?? '');
    const [verb, given] = Object.entries(step)[0] as [Verb, unknown];
    if (verb === 'group_by') {
      groups = said.names(given);
      continue;
    }
    if (groups.length > 0 && verb !== 'summarise' && verb !== 'filter' && verb !== 'arrange')
      said.wrong(`${verb} does not follow group_by: summarise does`);
    const from = `s${parts.length - 1}`;
    parts.push(`s${parts.length} AS (${said[verb](given, from, groups)})`);
    if (verb === 'summarise') groups = [];
  }
  return `WITH ${parts.join(',\n     ')}\nSELECT * FROM s${parts.length - 1}`;
}

type Saying = (given: unknown, from: string, groups: readonly string[]) => string;
type Sayings = Record<Exclude<Verb, 'group_by'>, Saying> & {
  names(given: unknown): string[];
  wrong(message: string): never;
};

function sayings(at: number, table: string): Sayings {
  const wrong = (message: string): never => {
    throw failed('tool_input', `frame_verbs: steps: step ${at + 1}: ${message}`, { subject: 'steps' });
  };
  const names = (given: unknown): string[] => {
    const list = [given].flat();
    return list.length > 0 && list.every((one) => typeof one === 'string' && one !== '')
      ? (list as string[])
      : wrong('wants names of columns');
  };
  const text = (given: unknown): string =>
    typeof given === 'string' && given.trim() !== '' ? expression(given) : wrong('wants an expression');
  const record = (given: unknown): Record<string, unknown> =>
    isRecord(given) && Object.keys(given).length > 0 ? given : wrong('wants names with what they are');
  const assigned = (given: unknown): string =>
    Object.entries(record(given))
      .map(([name, value]) => `${text(value)} AS ${quoted(name)}`)
      .join(', ');
  const listed = (given: unknown): string => names(given).map(quoted).join(', ');
  return {
    ...{ names, wrong },
    select: (given, from) =>
      `SELECT ${
        isRecord(given)
          ? Object.entries(given)
              .map(([name, old]) => `${quoted(String(old))} AS ${quoted(name)}`)
              .join(', ')
          : listed(given)
      } FROM ${from}`,
    filter: (given, from) =>
      `SELECT * FROM ${from} WHERE ${[given]
        .flat()
        .map((one) => `(${text(one)})`)
        .join(' AND ')}`,
    mutate: (given, from) => `SELECT *, ${assigned(given)} FROM ${from}`,
    summarise: (given, from, groups) =>
      `SELECT ${[...groups.map(quoted), assigned(given)].join(', ')} FROM ${from}${groups.length > 0 ? ` GROUP BY ${groups.map(quoted).join(', ')} ORDER BY ${groups.map(quoted).join(', ')}` : ''}`,
    arrange: (given, from) =>
      `SELECT * FROM ${from} ORDER BY ${names(given)
        .map((one) => (one.startsWith('-') ? `${quoted(one.slice(1))} DESC` : quoted(one)))
        .join(', ')}`,
    join(given, from) {
      const { by, type = 'left' } = record(given);
      const join = JOINS[String(type)] ?? wrong(`"${String(type)}" is no kind of join`);
      return `SELECT * FROM ${from} ${join} ${quoted(table)} USING (${listed(by)})`;
    },
    pivot_wider(given, from) {
      const { names_from, values_from, names: wanted } = record(given);
      const [key = '', value = ''] = [...names(names_from), ...names(values_from)].map(quoted);
      const columns = names(wanted ?? wrong('wants names: the columns to make, [...]'));
      const made = columns.map(
        (one) => `max(${value}) FILTER (WHERE CAST(${key} AS VARCHAR) = ${literal(one)}) AS ${quoted(one)}`,
      );
      return `SELECT * EXCLUDE (${key}, ${value}), ${made.join(', ')} FROM ${from} GROUP BY ALL`;
    },
    pivot_longer(given, from) {
      const { cols, names_to = 'name', values_to = 'value' } = record(given);
      return `SELECT * FROM ${from} UNPIVOT (${quoted(String(values_to))} FOR ${quoted(String(names_to))} IN (${listed(cols)}))`;
    },
    distinct: (given, from) => `SELECT DISTINCT ${given === true ? '*' : listed(given)} FROM ${from}`,
    head: (given, from) =>
      Number.isInteger(given) && Number(given) >= 0
        ? `SELECT * FROM ${from} LIMIT ${Number(given)}`
        : wrong('head wants a whole number'),
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Texts in quotes stay as they are. */
function expression(said: string): string {
  return said
    .split(/('(?:[^']|'')*'|"(?:[^"]|"")*")/)
    .map((part, at) => (at % 2 === 1 ? part : WORDS.reduce((text, [from, to]) => text.replaceAll(from, to), part)))
    .join('');
}
