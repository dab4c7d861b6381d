/** Equations: each root is put into the equation before it is said. */
import type { Expression } from '@cortex-js/compute-engine';
import { near } from './checks.ts';
import { numericOf } from './numeric.ts';
import { isExact, partsOf, unsolved, valueOf, type Algebra } from './said.ts';

/** Two roots that are this near are one. */
const SAME = 1e-9;

export function solve({ ce }: Algebra, expr: Expression, name: string): Record<string, unknown> {
  const equation = expr.operator === 'Equal' ? expr : ce.expr(['Equal', expr.json, 0]);
  const found = equation.solve(name);
  if (!Array.isArray(found) || found.length === 0) return unsolved('solve');
  const solutions = found as unknown as Expression[];
  const [left, right] = partsOf(equation.json).map((side) => numericOf(side));
  const off = (x: number): number => (left?.({ [name]: x }) ?? Number.NaN) - (right?.({ [name]: x }) ?? 0);
  const roots: number[] = [];
  const others: Expression[] = [];
  for (const one of solutions) {
    const x = valueOf(one);
    if (x === null) others.push(one);
    else if (!roots.some((root) => Math.abs(root - x) <= SAME * Math.max(1, Math.abs(x)))) roots.push(x);
  }
  const misses = roots.map((x) => off(x));
  // A root that is none, as of an equation that was squared on the way, is left out.
  const kept = roots.filter(
    (x, at) => Number.isNaN(misses[at]) || near(misses[at] ?? 0, 0, 1e-6 * scaleAt(left ?? null, name, x)),
  );
  if (kept.length === 0 && others.length === 0) return unsolved('solve');
  const said = solutions.filter((one) => others.includes(one) || kept.some((x) => near(x, valueOf(one) ?? Number.NaN)));
  return {
    latex: said.map((one) => `${name} = ${one.latex}`).join(',\\ '),
    text: said.map((one) => one.toString()).join(', '),
    mathjson: ['List', ...said.map((one) => one.json)],
    exact: said.every((one) => isExact(one.json)),
    roots: kept.sort((a, b) => a - b),
    ...(others.length > 0 ? { other_solutions: others.map((one) => one.latex) } : {}),
    checked: kept.length > 0 && misses.every((miss) => !Number.isNaN(miss)) ? true : null,
  };
}

/** How large the terms are about the root: what rounding may leave there. */
function scaleAt(left: ReturnType<typeof numericOf>, name: string, x: number): number {
  const y = left?.({ [name]: x * 1.01 + 0.01 }) ?? 1;
  return Number.isFinite(y) ? Math.max(1, Math.abs(y)) : 1;
}

export function solveSystem(
  { ce, parse }: Algebra,
  system: readonly string[],
  vars: readonly string[],
): Record<string, unknown> {
  const names = vars.map((one) => one.replace('\\', ''));
  const equations = system.map((one) => parse(one, 'system'));
  const found: unknown = ce.expr(['List', ...equations.map((one) => one.json)] as never).solve(names);
  const first: unknown = Array.isArray(found) ? found[0] : found;
  if (typeof first !== 'object' || first === null) return unsolved('solve');
  const values = new Map<string, Expression>();
  for (const name of names) {
    const value = (first as Record<string, Expression | undefined>)[name];
    if (value === undefined) return unsolved('solve');
    values.set(name, value);
  }
  const solution = Object.fromEntries([...values].map(([name, value]) => [name, valueOf(value)]));
  if (Object.values(solution).includes(null)) return unsolved('solve');
  const holds = equations.every((one) => {
    const [left, right] = partsOf(one.json).map((side) => numericOf(side)?.(solution as Record<string, number>));
    return left === undefined || right === undefined || near(left, right);
  });
  if (!holds) return unsolved('solve');
  return {
    solution,
    latex: [...values].map(([name, value]) => `${name} = ${value.latex}`).join(',\\ '),
    text: [...values].map(([name, value]) => `${name} = ${value.toString()}`).join(', '),
    exact: [...values.values()].every((value) => isExact(value.json)),
    checked: true,
  };
}
