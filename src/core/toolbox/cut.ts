/** A result as a model may read it: within its bytes, and what is cut says so. */
import { isRecord } from '../agent/tools/tool.ts';
import { encodeUtf8 } from '../utf8.ts';

/** A list or a text that is not there in full: `{ field: 'rows', shown: 120, total: 5000 }`. */
export interface Cut {
  field: string;
  shown: number;
  total: number;
}

const sizeOf = (value: unknown): number => encodeUtf8(JSON.stringify(value) ?? '').length;

/** The longest list or text of the first level is halved until all fits; what is no list is kept whole. */
export function cutTo(
  output: Record<string, unknown>,
  bytes: number,
): { output: Record<string, unknown>; cuts: Cut[] } {
  const cuts = new Map<string, Cut>();
  let next = output;
  while (sizeOf(next) > bytes) {
    const sizes = Object.entries(next)
      .filter(([, value]) => lengthOf(value) > 1)
      .map(([field, value]) => ({ field, value, size: sizeOf(value) }))
      .sort((a, b) => b.size - a.size);
    const [largest] = sizes;
    if (largest === undefined) break;
    const { field, value } = largest;
    const shown = Math.floor(lengthOf(value) / 2);
    cuts.set(field, { field, shown, total: cuts.get(field)?.total ?? lengthOf(value) });
    next = { ...next, [field]: partOf(value, shown) };
  }
  return { output: next, cuts: [...cuts.values()] };
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 0;
}

function partOf(value: unknown, shown: number): unknown {
  if (typeof value === 'string' || Array.isArray(value)) return value.slice(0, shown);
  return Object.fromEntries(Object.entries(value as object).slice(0, shown));
}
