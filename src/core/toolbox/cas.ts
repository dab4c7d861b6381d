/** `cas`: algebra over compute-engine; what it cannot do is `cas_unsolved`, what can be checked by numbers is. */
import * as v from 'valibot';
import { fault, firstFault, number } from './fields.ts';
import { toolboxTool, type Fault } from './tool.ts';

export const CAS_OPS = [
  ...(['evaluate', 'simplify', 'expand', 'factor', 'solve', 'differentiate', 'integrate', 'limit', 'series'] as const),
  ...(['determinant', 'inverse', 'eigenvalues'] as const),
] as const;

const text = v.pipe(v.string('must be LaTeX'), v.trim(), v.nonEmpty('is empty'), v.maxLength(5000, 'is too long'));
const variable = v.pipe(v.string(), v.regex(/^\\?[A-Za-z]+(_\w+)?$/, 'must be a name of letters'), v.maxLength(40));
const bound = v.union([number, text], 'must be a number or LaTeX');

export const CasInputSchema = v.strictObject({
  op: v.picklist(CAS_OPS, `must be one of ${CAS_OPS.join(', ')}`),
  expr: v.exactOptional(text),
  var: v.exactOptional(variable),
  from: v.exactOptional(bound),
  to: v.exactOptional(bound),
  at: v.exactOptional(v.pipe(v.array(v.record(variable, number)), v.minLength(1, 'is empty'), v.maxLength(100))),
  order: v.exactOptional(v.pipe(number, v.integer(), v.minValue(1), v.maxValue(20))),
  matrix: v.exactOptional(v.pipe(v.array(v.array(v.union([number, text]))), v.minLength(1), v.maxLength(20))),
  system: v.exactOptional(v.pipe(v.array(text), v.minLength(1, 'is empty'), v.maxLength(20))),
  vars: v.exactOptional(v.pipe(v.array(variable), v.minLength(1, 'is empty'), v.maxLength(20))),
});
export type CasInput = v.InferOutput<typeof CasInputSchema>;

/** Operations of one matrix. */
const OF_MATRIX = new Set<string>(['determinant', 'inverse', 'eigenvalues']);
/** Operations that are about one variable. */
const OF_VARIABLE = new Set<string>(['solve', 'differentiate', 'integrate', 'limit', 'series']);

function check({ op, expr, matrix, system, vars, from, to, ...rest }: CasInput): Fault | null {
  if (OF_MATRIX.has(op)) {
    if (matrix === undefined) return fault('matrix', 'is missing');
    const width = matrix[0]?.length ?? 0;
    return firstFault(
      expr !== undefined && fault('expr', 'is not of a matrix'),
      matrix.some((row) => row.length !== width) && fault('matrix', 'its rows are not of one length'),
      matrix.length !== width && fault('matrix', 'must have as many rows as columns'),
    );
  }
  if (system !== undefined)
    return firstFault(
      op !== 'solve' && fault('system', 'is of solve alone'),
      vars === undefined && fault('vars', 'is missing'),
      expr !== undefined && fault('expr', 'give expr or system, not both'),
    );
  return firstFault(
    matrix !== undefined && fault('matrix', `is not of ${op}`),
    expr === undefined && fault('expr', 'is missing'),
    vars !== undefined && fault('vars', 'is of a system alone'),
    OF_VARIABLE.has(op) && rest.var === undefined && fault('var', 'is missing'),
    op === 'limit' && to === undefined && fault('to', 'is missing: where the variable goes'),
    op === 'integrate' && from === undefined && to !== undefined && fault('from', 'is missing'),
    op === 'integrate' && to === undefined && from !== undefined && fault('to', 'is missing'),
  );
}

export const cas = toolboxTool<CasInput>({
  name: 'cas',
  description: `Algebra. op: ${CAS_OPS.join(', ')}; expr in LaTeX, var; from and to for integrate, to for limit ("\\infty"); at [{ x: 1 }] for values; matrix; system with vars. Answers latex, text, exact, value, roots, solution.`,
  runtime: 'cas',
  input: CasInputSchema,
  output: v.looseObject({
    ...{ latex: v.optional(v.string()), text: v.optional(v.string()), exact: v.optional(v.boolean()) },
    ...{ value: v.optional(v.nullable(v.number())), values: v.optional(v.array(v.nullable(v.number()))) },
    ...{ roots: v.optional(v.array(v.number())), checked: v.optional(v.nullable(v.boolean())) },
  }),
  example: { op: 'solve', expr: 'x^3-6x^2+11x-6=0', var: 'x' },
  check,
});
