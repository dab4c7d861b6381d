/**
 * What a figure's data grow to while it is drawn: rows and ticks that Vega is about to make are counted right before, texts that
 * expressions make are summed up. A browser gives plain JavaScript no bound of memory (docs/decisions/144).
 */
import * as vega from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { isRecord } from '#core/agent/tools/tool.ts';
import { failed, type AccessionError } from '#core/errors.ts';

/** Rows that one transform makes, ticks of an axis. */
const MOST_ROWS = 1_000_000;
const MOST_TICKS = 10_000;
/** Parts of a figure that stand side by side. */
const MOST_PARTS = 5_000;
/** Characters that expressions make in one figure. */
const MOST_TEXT = 32_000_000;
/** The highest power of a regression. */
const MOST_ORDER = 20;

type Row = Record<string, unknown>;
type Get = (row: Row) => unknown;
interface Given {
  fields?: Get[];
  field?: Get;
  key?: Get;
  groupby?: Get[];
  keyvals?: unknown[];
  probs?: number[];
  extent?: [number, number];
  ops?: string[];
  start?: number;
  stop?: number;
  steps?: number;
  maxsteps?: number;
  order?: number;
  cross?: boolean;
  precision?: number;
  count?: unknown;
  scale?: { type?: string; domain(): unknown[] };
  step?: number | [number, number];
  stepMinor?: [number, number];
  stepMajor?: [number, number];
}
type Transform = (this: unknown, given: Given, pulse: { source?: Row[]; add: Row[] }) => unknown;

/** The one that was come to since `beginFigure`: Vega says only that something failed. */
let exceeded: AccessionError | null = null;
let characters = 0;

export function beginFigure(): void {
  exceeded = null;
  characters = 0;
}

/** Null: nothing was too much. */
export const figureExceeded = (): AccessionError | null => exceeded;

function tooMuch(said: string): AccessionError {
  exceeded = failed('tool_limit', `spec: ${said}`, { subject: 'spec' });
  return exceeded;
}

const distinct = (rows: readonly Row[], get: Get | undefined): number =>
  get === undefined ? 1 : new Set(rows.map((row) => String(get(row)))).size;
const groups = (rows: readonly Row[], by: readonly Get[] = []): number =>
  by.length === 0 ? 1 : new Set(rows.map((row) => by.map((get) => String(get(row))).join('\0'))).size;
const numberOf = (step: Given['step'], usual: number): number => (typeof step === 'number' ? step : usual);

/** What each transform makes, by its name in Vega, and how much of it may be. */
const GUARDS: Readonly<Record<string, readonly [most: number, count: (given: Given, rows: readonly Row[]) => number]>> =
  {
    sequence: [MOST_ROWS, ({ start = 0, stop = 0, step }) => Math.abs((stop - start) / numberOf(step, 1))],
    fold: [MOST_ROWS, ({ fields = [] }, rows) => rows.length * fields.length],
    flatten: [MOST_ROWS, ({ fields = [] }, rows) => rows.reduce((sum, row) => sum + longest(fields, row), 0)],
    impute: [MOST_ROWS, ({ groupby, key, keyvals = [] }, rows) => groups(rows, groupby) * (keyvals.length + distinct(rows, key))], // prettier-ignore
    kde: [MOST_ROWS, ({ groupby, steps, maxsteps = 200 }, rows) => groups(rows, groupby) * (steps ?? maxsteps)],
    density: [MOST_ROWS, ({ steps, maxsteps = 200 }) => steps ?? maxsteps],
    quantile: [MOST_ROWS, ({ groupby, probs, step }, rows) => groups(rows, groupby) * (probs?.length ?? 1 / numberOf(step, 0.01))], // prettier-ignore
    pivot: [MOST_ROWS, ({ groupby, field }, rows) => groups(rows, groupby) * distinct(rows, field)],
    aggregate: [MOST_ROWS, ({ groupby = [], cross }, rows) => (cross === true ? groupby.reduce((all, get) => all * distinct(rows, get), 1) : 1)], // prettier-ignore
    window: [MOST_ROWS, ({ ops = [] }, rows) => (ops.includes('values') ? rows.length ** 2 : 1)],
    bin: [MOST_TICKS, ({ extent = [0, 1], step }) => Math.abs(extent[1] - extent[0]) / numberOf(step, Infinity)],
    regression: [MOST_ORDER, ({ order = 1 }) => order],
    facet: [MOST_PARTS, ({ key }, rows) => distinct(rows, key)],
    graticule: [MOST_ROWS, ({ step, stepMinor = [10, 10], stepMajor = [90, 360], precision = 2.5 }) => [typeof step === 'object' ? step : stepMinor, stepMajor].reduce((sum, [x, y]) => sum + 360 / x + 180 / y, 0) * (360 / precision)], // prettier-ignore
    axisticks: [MOST_TICKS, ticksOf],
    legendentries: [MOST_TICKS, ticksOf],
  };

const longest = (fields: readonly Get[], row: Row): number =>
  fields.reduce((most, get) => Math.max(most, Number((get(row) as { length?: number } | null)?.length ?? 0)), 0);

const DAY = 86_400_000;
/** Milliseconds of the intervals that Vega knows. */
const INTERVALS: Readonly<Record<string, number>> = { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000, day: DAY, week: 7 * DAY, month: 28 * DAY, year: 365 * DAY }; // prettier-ignore

/** Ticks at each so many days, minutes, ... of the scale. */
function ticksOf({ count, scale }: Given): number {
  const { interval, step } = isRecord(count) ? count : { interval: count, step: 1 };
  if (typeof interval === 'number') return interval;
  const length = typeof interval === 'string' ? INTERVALS[interval] : undefined;
  const [first = 0, last = 0] = [scale?.domain()[0], scale?.domain().at(-1)].map(Number);
  return length === undefined ? 1 : Math.abs(last - first) / length / (typeof step === 'number' ? step : 1);
}

/** Puts the guards in front of Vega's transforms, once for the engine. */
export function guardTransforms(): void {
  const { transforms } = vega as unknown as { transforms: Record<string, { prototype: { transform: Transform } }> };
  for (const [name, [most, count]] of Object.entries(GUARDS)) {
    const prototype = transforms[name]?.prototype;
    if (prototype === undefined) throw new Error(`Vega has no transform ${name}.`);
    const { transform } = prototype;
    prototype.transform = function guarded(given, pulse) {
      if (count(given, pulse.source ?? pulse.add) > most) throw tooMuch(`"${name}" would make more than ${most}`);
      return transform.call(this, given, pulse);
    };
  }
}

type Compile = (this: unknown, ...given: unknown[]) => ((...values: unknown[]) => unknown) | undefined;

/** Vega's interpreter of expressions, whose texts are summed up. */
export const guardedInterpreter = Object.fromEntries(
  Object.entries(expressionInterpreter as unknown as Record<string, Compile>).map(([name, compile]) => [
    name,
    function compiled(this: unknown, ...given: unknown[]) {
      const run = compile.apply(this, given);
      if (typeof run !== 'function') return run;
      return (...values: unknown[]) => {
        const value = run(...values);
        if (typeof value === 'string' && (characters += value.length) > MOST_TEXT)
          throw tooMuch(`expressions make more than ${MOST_TEXT} characters of text`);
        return value;
      };
    },
  ]),
);
