/** The numbers of an input that are data: those in lists, and in tables that are text. A single number is a setting. */
import { isRecord } from '#core/agent/tools/tool.ts';

const TABLES = new Set(['table', 'tables']);

export function dataNumbers(input: Readonly<Record<string, unknown>>): number[] {
  return Object.entries(input).flatMap(([name, value]) =>
    Array.isArray(value) || isRecord(value) || TABLES.has(name) ? within(value, TABLES.has(name)) : [],
  );
}

function within(value: unknown, texts: boolean): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return texts ? numbersIn(value) : [];
  if (Array.isArray(value)) return value.flatMap((one) => within(one, texts));
  return isRecord(value) ? Object.values(value).flatMap((one) => within(one, texts)) : [];
}

const numbersIn = (text: string): number[] =>
  Array.from(text.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)/g), ([number]) => Number(number));
