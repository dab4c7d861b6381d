/** Algebra, by compute-engine: each operation with its check by numbers (checks.ts). What does not hold is not said. */
import { ComputeEngine, type Expression } from '@cortex-js/compute-engine';
import { failed } from '#core/errors.ts';
import type { CasInput } from '#core/toolbox/cas.ts';
import type { Engine } from '#core/toolbox/engine.ts';
import { boundSize } from './size.ts';
import { integral } from './quadrature.ts';
import { isDerivative, near, sameValues, symbolsOf } from './checks.ts';
import { numericOf } from './numeric.ts';
import { determinant, eigenvalues, inverse } from './matrix.ts';
import { described, unsolved, valueOf, type Algebra } from './said.ts';
import { solve, solveSystem } from './solve.ts';

const VERSION = '0.140.0';

export async function openCas(): Promise<Engine> {
  const ce = new ComputeEngine();
  // The first call would otherwise pay for what is made when it is first needed.
  ce.parse('x^2+1').evaluate();
  return Promise.resolve({ versions: [`compute-engine ${VERSION}`], call: ({ data }) => run(ce, data as CasInput) });
}

function run(ce: ComputeEngine, input: CasInput): Record<string, unknown> {
  const algebra: Algebra = { ce, parse: (latex, field) => parsed(ce, latex, field) };
  const variable = input.var?.replace('\\', '');
  if (input.matrix !== undefined) return OF_MATRIX[input.op]?.(algebra, input.matrix) ?? unsolved(input.op);
  if (input.system !== undefined) return solveSystem(algebra, input.system, input.vars ?? []);
  const expr = algebra.parse(input.expr ?? '', 'expr');
  switch (input.op) {
    case 'solve':
      return solve(algebra, expr, variable ?? 'x');
    case 'integrate':
      return integrate(algebra, expr, variable ?? 'x', input);
    case 'differentiate':
      return differentiate(algebra, expr, variable ?? 'x', input);
    case 'limit':
      return limit(algebra, expr, variable ?? 'x', input);
    case 'series':
      return series(algebra, expr, variable ?? 'x', input);
    default:
      return rewrite(algebra, expr, input);
  }
}

const OF_MATRIX: Record<string, (algebra: Algebra, matrix: (number | string)[][]) => Record<string, unknown>> = {
  determinant,
  inverse,
  eigenvalues,
};

function parsed(ce: ComputeEngine, latex: string, field: string): Expression {
  const raw = ce.parse(latex, { form: 'raw' });
  boundSize(raw.json, field);
  const expr = ce.parse(latex);
  if (expr.isValid && !/"(?:Error|Nothing|Missing)"/.test(JSON.stringify(expr.json))) return expr;
  throw failed('tool_input', `${field}: is no expression that is understood`, { subject: field });
}

/** evaluate, simplify, expand, factor: the same function in another form. */
function rewrite({ ce, parse }: Algebra, expr: Expression, input: CasInput): Record<string, unknown> {
  const head = { expand: 'ExpandAll', factor: 'Factor' }[input.op as string];
  const result =
    head !== undefined
      ? ce.expr([head, expr.json]).evaluate()
      : input.op === 'simplify'
        ? expr.simplify()
        : expr.evaluate();
  if (head !== undefined && JSON.stringify(result.json).includes(`"${head}"`)) unsolved(input.op);
  const checked = sameValues(numericOf(expr.json), numericOf(result.json), symbolsOf(expr.json));
  if (checked === false) unsolved(input.op);
  return { ...described(result), ...valuesAt(parse, result, input), checked };
}

function differentiate({ ce, parse }: Algebra, expr: Expression, name: string, input: CasInput) {
  const result = ce.expr(['D', expr.json, name]).evaluate();
  if (/"(?:D|Derivative|Error)"/.test(JSON.stringify(result.json))) unsolved('differentiate');
  const checked = isDerivative(numericOf(expr.json), numericOf(result.json), name, symbolsOf(expr.json));
  if (checked === false) unsolved('differentiate');
  return { ...described(result), ...valuesAt(parse, result, input), checked };
}

function integrate({ ce, parse }: Algebra, expr: Expression, name: string, input: CasInput) {
  const whole = ce.expr(['Integrate', expr.json, name]).evaluate();
  const found = !/"(?:Integrate|Error)"/.test(JSON.stringify(whole.json));
  const f = numericOf(expr.json);
  const primitive = found ? numericOf(whole.json) : null;
  const holds = found ? isDerivative(primitive, f, name, symbolsOf(expr.json)) : null;
  if (input.from === undefined || input.to === undefined) {
    if (!found || holds === false) return unsolved('integrate');
    return { ...described(whole), ...valuesAt(parse, whole, input), checked: holds };
  }
  const [from, to] = [boundOf(parse, input.from, 'from'), boundOf(parse, input.to, 'to')];
  const area = f === null ? null : integral((x) => f({ [name]: x }), from, to);
  if (area === null) return unsolved('integrate');
  // The closed form is said only where it is the number that was summed up.
  const exact = holds === true ? between(ce, whole, name, input, area.value) : null;
  return {
    ...(exact === null ? { exact: false } : described(exact)),
    ...{ value: area.value, error_bound: area.error, checked: exact === null ? null : true },
  };
}

function between(
  ce: ComputeEngine,
  whole: Expression,
  name: string,
  { from, to }: CasInput,
  area: number,
): Expression | null {
  const put = (bound: number | string | undefined): unknown =>
    typeof bound === 'string' ? ce.parse(bound).json : (bound ?? 0);
  const at = (bound: unknown): unknown => whole.subs({ [name]: ce.expr(bound as number) }).json;
  const result = ce.expr(['Subtract', at(put(to)), at(put(from))] as never).simplify();
  const value = valueOf(result);
  return value !== null && near(value, area, 1e-9) ? result : null;
}

function boundOf(parse: Algebra['parse'], bound: number | string, field: string): number {
  if (typeof bound === 'number') return bound;
  const value = numericOf(parse(bound, field).evaluate().json)?.({}) ?? Number.NaN;
  if (Number.isNaN(value)) throw failed('tool_input', `${field}: is no number`, { subject: field });
  return value;
}

function limit({ ce, parse }: Algebra, expr: Expression, name: string, input: CasInput) {
  const to = boundOf(parse, input.to ?? 0, 'to');
  const where = typeof input.to === 'string' ? parse(input.to, 'to').json : to;
  const result = ce.expr(['Limit', ['Function', expr.json, name], where] as never).evaluate();
  const value = numericOf(result.json)?.({}) ?? Number.NaN;
  if (Number.isNaN(value)) return unsolved('limit');
  const f = numericOf(expr.json);
  const steps = Number.isFinite(to) ? [to + 1e-5, to - 1e-5] : [Math.sign(to) * 1e5];
  const seen = f === null ? [] : steps.map((x) => f({ [name]: x })).filter((y) => Number.isFinite(y));
  const holds = Number.isFinite(value) && seen.some((y) => near(y, value, 1e-3));
  if (Number.isFinite(value) && seen.length > 0 && !holds) return unsolved('limit');
  return { ...described(result), checked: holds ? true : null };
}

function series({ ce, parse }: Algebra, expr: Expression, name: string, input: CasInput) {
  const about = input.from === undefined ? 0 : boundOf(parse, input.from, 'from');
  const order = input.order ?? 5;
  const result = ce.expr(['Series', expr.json, name, about, order]).evaluate();
  const json = JSON.stringify(result.json);
  if (/"(?:Series|Error)"/.test(json)) return unsolved('series');
  const terms = ce.expr(withoutRest(result.json) as never);
  const [f, g] = [numericOf(expr.json), numericOf(terms.json)];
  const [y, s] = [f?.({ [name]: about + 1e-3 }) ?? Number.NaN, g?.({ [name]: about + 1e-3 }) ?? Number.NaN];
  const holds = Number.isFinite(y) && Number.isFinite(s) ? near(y, s, 1e-5) : null;
  if (holds === false) return unsolved('series');
  return { ...described(result), ...valuesAt(parse, terms, input), checked: holds };
}

/** A series without its `O(x^n)`. */
function withoutRest(json: unknown): unknown {
  if (!Array.isArray(json) || json[0] !== 'Add') return json;
  const rest = json.slice(1).filter((one) => !(Array.isArray(one) && one[0] === 'BigO'));
  return rest.length === 1 ? rest[0] : ['Add', ...(rest as unknown[])];
}

/** The result at the points that were asked for, and the difference of the last and the first. */
function valuesAt(parse: Algebra['parse'], result: Expression, { at }: CasInput): Record<string, unknown> {
  if (at === undefined) return {};
  const f = numericOf(result.json);
  const values = at.map((point) => {
    const env = Object.fromEntries(Object.entries(point).map(([key, x]) => [key.replace('\\', ''), x]));
    const y = f === null ? numberOf(result.subs(env).N()) : f(env);
    return Number.isFinite(y) ? y : null;
  });
  const [first, last] = [values[0], values.at(-1)];
  const both = typeof first === 'number' && typeof last === 'number' && values.length > 1;
  return { values, ...(both ? { difference: last - first } : {}) };
}

const numberOf = (expr: Expression): number => valueOf(expr) ?? Number.NaN;
