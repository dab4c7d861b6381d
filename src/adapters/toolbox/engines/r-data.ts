/** JSON as webR takes it without guessing: an object a named list, a list of one kind a vector, any other list a list. */
import { isRecord } from '#core/agent/tools/tool.ts';

export type RData =
  | { type: 'null' }
  | { type: 'double' | 'character' | 'logical'; names: null; values: unknown[] }
  | { type: 'list'; names: string[] | null; values: RData[] };

const VECTORS = { number: 'double', string: 'character', boolean: 'logical' } as const;

export function toRData(value: unknown): RData {
  if (isRecord(value)) {
    const fields = Object.entries(value).filter(([, one]) => one !== undefined);
    return { type: 'list', names: fields.map(([name]) => name), values: fields.map(([, one]) => toRData(one)) };
  }
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const kind = typeof values[0];
  const plain = kind === 'number' || kind === 'string' || kind === 'boolean';
  if (plain && values.every((one) => typeof one === kind)) return { type: VECTORS[kind], names: null, values };
  if (!Array.isArray(value)) return { type: 'null' };
  return { type: 'list', names: null, values: value.map((one) => toRData(one)) };
}
