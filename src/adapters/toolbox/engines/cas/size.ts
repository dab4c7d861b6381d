/**
 * What an expression would grow to when it is multiplied out, before anything is: a browser gives no bound for the memory of plain
 * JavaScript.
 */
import { failed } from '#core/errors.ts';

const MOST_TERMS = 20_000;
/** Of the text of a number. */
const MOST_DIGITS = 5000;
/** Functions that make lists as long as they are told. */
const MAKING = new Set(['Range', 'Linspace', 'Fill', 'Repeat', 'Tabulate', 'Table', 'Iterate', 'Cycle', 'Permutations', 'Combinations', 'PowerSet', 'CartesianProduct']); // prettier-ignore

/** Throws AccessionError `tool_limit` at the field. */
export function boundSize(json: unknown, field: string): void {
  if (!(sizeOf(json) <= MOST_TERMS))
    throw failed('tool_limit', `${field}: written out it would have more than ${MOST_TERMS} terms`, { subject: field });
}

/** Terms when it is multiplied out; Infinity: no end can be told. */
function sizeOf(json: unknown): number {
  if (!Array.isArray(json)) return 1;
  const [head, ...parts] = json as [unknown, ...unknown[]];
  if (typeof head === 'string' && MAKING.has(head)) return Infinity;
  const sizes = parts.map(sizeOf);
  if (head === 'Multiply' || head === 'InvisibleOperator') return sizes.reduce((all, one) => all * one, 1);
  if (head === 'Power') return powered(sizes[0] ?? 1, parts[0], parts[1]);
  if (head === 'Factorial' || head === 'Factorial2') return Number(numberIn(parts[0]) ?? 1) > 2000 ? Infinity : 1;
  return sizes.reduce((all, one) => all + one, 0);
}

/** C(n + k - 1, k - 1) terms of a sum of k to the n; of a number its digits are bounded. */
function powered(terms: number, base: unknown, exponent: unknown): number {
  const n = numberIn(exponent);
  const of = numberIn(base);
  if (of !== null) {
    if (n === null) return Array.isArray(exponent) ? 1 + sizeOf(exponent) : 1;
    return Math.abs(n) * Math.log10(Math.abs(of) + 1) > MOST_DIGITS ? Infinity : 1;
  }
  if (n === null || n < 2 || !Number.isInteger(n) || terms < 2) return terms;
  let count = 1;
  for (let k = 1; k < terms && count <= MOST_TERMS; k++) count = (count * (n + k)) / k;
  return count;
}

function numberIn(json: unknown): number | null {
  if (typeof json === 'number') return json;
  if (typeof json === 'object' && json !== null && 'num' in json) return Number(json.num);
  if (Array.isArray(json) && json[0] === 'Power' && json.length === 3) {
    const [base, exponent] = [numberIn(json[1]), numberIn(json[2])];
    return base === null || exponent === null ? null : base ** exponent;
  }
  return Array.isArray(json) && json[0] === 'Delimiter' ? numberIn(json[1]) : null;
}
