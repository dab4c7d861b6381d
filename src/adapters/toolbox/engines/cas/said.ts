/** An expression as the tool says it. */
import type { ComputeEngine, Expression } from '@cortex-js/compute-engine';
import { failed } from '#core/errors.ts';
import { numericOf } from './numeric.ts';

export interface Algebra {
  ce: ComputeEngine;
  /** Throws AccessionError `tool_input` that names the field. */
  parse(latex: string, field: string): Expression;
}

export function described(expr: Expression): Record<string, unknown> {
  const { json } = expr;
  return { latex: expr.latex, text: expr.toString(), mathjson: json, exact: isExact(json), value: valueOf(expr) };
}

/** Null where it is no real number. */
export function valueOf(expr: Expression): number | null {
  const direct = numericOf(expr.json)?.({});
  if (direct !== undefined && Number.isFinite(direct)) return direct;
  const { re, im } = expr.N();
  return Number.isFinite(re) && im === 0 ? re : null;
}

/** Whether no rounded number stands in it. */
export function isExact(json: unknown): boolean {
  if (typeof json === 'number') return Number.isInteger(json);
  if (Array.isArray(json)) return json.slice(1).every(isExact);
  if (typeof json === 'object' && json !== null && 'num' in json) return !/[.eE]/.test(String(json.num));
  return true;
}

/** What a function of MathJSON is applied to. */
export const partsOf = (json: unknown): unknown[] => (Array.isArray(json) ? json.slice(1) : []);

export function unsolved(op: string): never {
  throw failed('cas_unsolved', `cas: ${op} was not solved: no result that holds was found.`);
}
