/** Determinants, inverses and eigenvalues. */
import type { Expression } from '@cortex-js/compute-engine';
import { failed } from '#core/errors.ts';
import { near, symbolsOf } from './checks.ts';
import { described, partsOf, unsolved, valueOf, type Algebra } from './said.ts';

type Cells = (number | string)[][];

/** Rows of a matrix that has symbols: its determinant has as many terms as their factorial. */
const MOST_SYMBOLIC = 7;
const NUMBERS = new Set(['Pi', 'ExponentialE', 'Half', 'GoldenRatio']);

const hasSymbol = (json: unknown): boolean => [...symbolsOf(json)].some((name) => !NUMBERS.has(name));

function listOf({ ce, parse }: Algebra, matrix: Cells): Expression {
  const cells = matrix.map((row) =>
    row.map((one): unknown => (typeof one === 'number' ? one : parse(one, 'matrix').json)),
  );
  if (cells.length > MOST_SYMBOLIC && cells.flat().some(hasSymbol))
    throw failed('tool_limit', `matrix: with symbols in it, it may have ${MOST_SYMBOLIC} rows`, { subject: 'matrix' });
  return ce.expr(['List', ...cells.map((row) => ['List', ...row])] as never);
}

const applied = (algebra: Algebra, head: string, matrix: Cells): Expression =>
  algebra.ce.expr([head, listOf(algebra, matrix).json] as never).evaluate();

export function determinant(algebra: Algebra, matrix: Cells): Record<string, unknown> {
  const result = applied(algebra, 'Determinant', matrix);
  if (/"(?:Determinant|Error)"/.test(JSON.stringify(result.json))) unsolved('determinant');
  return { ...described(result), checked: null };
}

export function inverse(algebra: Algebra, matrix: Cells): Record<string, unknown> {
  const size = valueOf(applied(algebra, 'Determinant', matrix));
  if (size === 0) throw failed('tool_input', 'matrix: it has no inverse: its determinant is 0', { subject: 'matrix' });
  const result = applied(algebra, 'Inverse', matrix);
  if (/"(?:Inverse|Error)"/.test(JSON.stringify(result.json))) return unsolved('inverse');
  const rows = cellsOf(algebra, result);
  const given = cellsOf(algebra, listOf(algebra, matrix));
  const product = given.map((row) =>
    given.map((_, at) => row.reduce<number>((sum, one, k) => sum + (one ?? NaN) * (rows[k]?.[at] ?? NaN), 0)),
  );
  const holds = product.every((row, i) => row.every((one, j) => Number.isNaN(one) || near(one, i === j ? 1 : 0)));
  if (!holds) return unsolved('inverse');
  return { ...described(result), matrix: rows, checked: rows.flat().includes(null) ? null : true };
}

export function eigenvalues(algebra: Algebra, matrix: Cells): Record<string, unknown> {
  const result = applied(algebra, 'Eigenvalues', matrix);
  const { json } = result;
  if (!Array.isArray(json) || json[0] !== 'List') return unsolved('eigenvalues');
  const list = partsOf(json);
  const values = list.map((one) => valueOf(algebra.ce.expr(one as never)));
  const real = values.filter((one) => one !== null).sort((a, b) => a - b);
  return { ...described(result), values, roots: real, checked: null };
}

function cellsOf({ ce }: Algebra, expr: Expression): (number | null)[][] {
  return partsOf(expr.json).map((row) => partsOf(row).map((one) => valueOf(ce.expr(one as never))));
}
