/**
 * What of a figure could ask for memory without end: a browser gives no bound for plain JavaScript, so that rows, ticks and texts
 * that a specification makes out of nothing are counted before it is drawn.
 */
import { isRecord } from '../../agent/tools/tool.ts';
import type { Fault } from '../tool.ts';

/** Of a sequence, ticks, steps. */
const MOST_MADE = 10_000;
const COUNTS = new Set(['tickCount', 'maxbins', 'steps', 'minsteps', 'maxsteps', 'nice']);
/** Functions of Vega's expressions that make lists and texts as long as they are told. */
const MAKING = /\b(?:sequence|pad|repeat)\s*\(/i;
const TEXTS = new Set(['calculate', 'filter', 'test', 'expr', 'signal', 'labelExpr', 'update', 'init', 'value']);

export function sizeFault(spec: unknown): Fault | null {
  return within(spec, '');
}

function within(value: unknown, key: string): Fault | null {
  if (typeof value === 'number' && COUNTS.has(key) && value > MOST_MADE)
    return tooMany(`"${key}" is more than ${MOST_MADE}`);
  if (typeof value === 'string' && TEXTS.has(key) && MAKING.test(value))
    return tooMany(`"${key}" has a function that makes lists or texts of any length`);
  if (Array.isArray(value)) return firstOf(value, (one) => within(one, key));
  if (!isRecord(value)) return null;
  const made = sequenceOf(value);
  if (made > MOST_MADE) return tooMany(`a sequence makes more than ${MOST_MADE} values`);
  return firstOf(Object.entries(value), ([name, one]) => (name === 'values' ? null : within(one, name)));
}

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
