/**
 * What a figure of Vega-Lite may not have: addresses of any kind, and fields that its data lack. A loader that refuses would draw an
 * empty chart: it is said before.
 */
import { isRecord } from '../../agent/tools/tool.ts';
import type { Fault } from '../tool.ts';

/** Keys whose text is fetched or followed. */
const ADDRESSES = new Set(['url', 'href', 'baseURL']);
/** Nesting of a specification. */
const MOST_DEPTH = 40;

export function addressFault(spec: unknown, depth = 0): Fault | null {
  if (depth > MOST_DEPTH) return { field: 'spec', message: 'is nested too deeply' };
  if (Array.isArray(spec)) return first(spec, (one) => addressFault(one, depth + 1));
  if (!isRecord(spec)) return null;
  return first(Object.entries(spec), ([key, value]) => {
    if (key === 'values' || key === 'datasets' || key === '$schema') return null;
    if (ADDRESSES.has(key))
      return { field: 'spec', message: `"${key}" is not allowed: a figure reaches no address`, code: 'tool_refused' };
    return addressFault(value, depth + 1);
  });
}

/** Columns by what a view and those above it say; null: they cannot be told before it is computed. */
type Columns = ReadonlySet<string> | null;

/** Transforms whose columns are named by the data. */
const BY_DATA = new Set(['pivot', 'lookup', 'flatten']);
/** Columns that a transform makes where no `as` says otherwise. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  ...{ fold: ['key', 'value'], density: ['value', 'density'], quantile: ['prob', 'value'] },
};

export function fieldFault(spec: unknown, above: Columns = new Set(), datasets: unknown = null): Fault | null {
  if (!isRecord(spec)) return null;
  const named = isRecord(spec['datasets']) ? spec['datasets'] : datasets;
  const columns = transformed(spec['transform'], columnsOf(spec['data'], named, above));
  if (columns !== null) {
    const encodings = [spec['encoding'], isRecord(spec['facet']) ? { facet: spec['facet'] } : null];
    for (const encoding of encodings) {
      const missing = isRecord(encoding) ? missingField(encoding, columns) : null;
      if (missing !== null) return { field: missing, message: `the data have no field "${missing}"` };
    }
  }
  const parts = ['layer', 'concat', 'hconcat', 'vconcat'].flatMap((key) => (Array.isArray(spec[key]) ? spec[key] : []));
  return first([...(parts as unknown[]), spec['spec']], (part) => fieldFault(part, columns, named));
}

function columnsOf(data: unknown, datasets: unknown, above: Columns): Columns {
  if (data === undefined) return above;
  if (!isRecord(data)) return null;
  const given: unknown =
    typeof data['name'] === 'string' && isRecord(datasets) ? datasets[data['name']] : data['values'];
  if (!Array.isArray(given) || given.length === 0) return null;
  if (!given.every(isRecord)) return new Set(['data']);
  return new Set(given.flatMap((row) => Object.keys(row)));
}

function transformed(transforms: unknown, columns: Columns): Columns {
  if (!Array.isArray(transforms) || columns === null) return columns;
  const all = new Set(columns);
  for (const one of transforms.filter(isRecord)) {
    if (Object.keys(one).some((key) => BY_DATA.has(key))) return null;
    for (const [key, made] of Object.entries(MADE))
      if (key in one && !('as' in one)) for (const name of made) all.add(name);
    for (const name of asNames(one)) all.add(name);
  }
  return all;
}

/** Names under `as`, also within `aggregate`, `window` and the like. */
function asNames(transform: unknown): string[] {
  if (Array.isArray(transform)) return transform.flatMap(asNames);
  if (!isRecord(transform)) return [];
  return Object.entries(transform).flatMap(([key, value]) =>
    key === 'as' ? [value].flat().filter((one) => typeof one === 'string') : asNames(value),
  );
}

function missingField(encoding: unknown, columns: ReadonlySet<string>): string | null {
  if (Array.isArray(encoding)) return first(encoding, (one) => missingField(one, columns));
  if (!isRecord(encoding)) return null;
  return first(Object.entries(encoding), ([key, value]) => {
    if (key !== 'field' || typeof value !== 'string') return missingField(value, columns);
    // `a.b` and `a[0]` look into a column; a dot that belongs to its name is escaped.
    const own = value.replaceAll('\\', '');
    const outer = /^[^.[]*/.exec(value)?.[0] ?? value;
    return columns.has(own) || columns.has(outer) ? null : own;
  });
}

function first<T, Found>(items: Iterable<T>, find: (item: T) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
