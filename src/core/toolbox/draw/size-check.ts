/**
 * What of a figure could ask for memory without end: a browser gives no bound for plain JavaScript, so that rows, ticks and texts
 * that a specification makes out of nothing are counted before it is drawn.
 */
import { isRecord } from '../../agent/tools/tool.ts';
import type { Fault } from '../tool.ts';

/** Of a sequence, ticks, steps. */
const MOST_MADE = 10_000;
/** Figures beside each other. */
const MOST_PARTS = 1_000;
const COUNTS = new Set(['tickCount', 'maxbins', 'steps', 'minsteps', 'maxsteps', 'nice']);
/** Functions of Vega's expressions that make lists and texts as long as they are told. */
const MAKING = /\b(?:sequence|pad|repeat)\s*\(/i;
/** A width that a number is filled up to: `010000000d`. */
const WIDE = /\d{4}/;
const TEXTS = new Set(['calculate', 'filter', 'test', 'expr', 'signal', 'labelExpr', 'update', 'init', 'value']);

export function sizeFault(spec: unknown): Fault | null {
  return isRecord(spec) && facetsOf(spec) > MOST_PARTS
    ? tooMany(`its rows, columns and facets make more than ${MOST_PARTS} figures`)
    : within(spec, '');
}

/** Figures beside each other that rows, columns and facets make of the data, each of which has its axes. */
function facetsOf({ data, encoding, facet }: Record<string, unknown>): number {
  const given = isRecord(data) && Array.isArray(data['values']) ? data['values'].filter(isRecord) : [];
  const parts = [encoding, facet, { facet }].flatMap((one) =>
    isRecord(one) ? ['row', 'column', 'facet'].map((channel) => one[channel]) : [],
  );
  return parts
    .map((one) => (isRecord(one) && typeof one['field'] === 'string' ? one['field'] : null))
    .map((field) => (field === null ? 1 : new Set(given.map((row) => row[field])).size || 1))
    .reduce((all, one) => all * one, 1);
}

function within(value: unknown, key: string): Fault | null {
  if (typeof value === 'number' && COUNTS.has(key) && value > MOST_MADE)
    return tooMany(`"${key}" is more than ${MOST_MADE}`);
  if (typeof value === 'string' && key.endsWith('ormat') && WIDE.test(value))
    return tooMany(`"${key}" fills numbers up to more than 999 characters`);
  if (typeof value === 'string' && TEXTS.has(key) && MAKING.test(value))
    return tooMany(`"${key}" has a function that makes lists or texts of any length`);
  if (Array.isArray(value)) return firstOf(value, (one) => within(one, key));
  if (!isRecord(value)) return null;
  if (partsOf(value['repeat']) > MOST_PARTS) return tooMany(`"repeat" makes more than ${MOST_PARTS} figures`);
  const made = sequenceOf(value);
  if (made > MOST_MADE) return tooMany(`a sequence makes more than ${MOST_MADE} values`);
  return firstOf(Object.entries(value), ([name, one]) => (name === 'values' ? null : within(one, name)));
}

/** Figures that `repeat` makes: a list, or one for each of rows, columns and layers. */
const partsOf = (repeat: unknown): number =>
  [Array.isArray(repeat) ? repeat : [], ...(isRecord(repeat) ? Object.values(repeat) : [])]
    .map((list) => (Array.isArray(list) && list.length > 0 ? list.length : 1))
    .reduce((all, one) => all * one, 1);

/** How many values `{ start, stop, step }` makes. */
function sequenceOf({ start = 0, stop, step = 1 }: Record<string, unknown>): number {
  if (typeof stop !== 'number' || typeof start !== 'number' || typeof step !== 'number') return 0;
  return step === 0 ? Infinity : Math.abs((stop - start) / step);
}

const tooMany = (message: string): Fault => ({ field: 'spec', message, code: 'tool_limit' });

function firstOf<One>(all: readonly One[], find: (one: One) => Fault | null): Fault | null {
  for (const one of all) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}
