/** The numbers of a calculation, and whether somebody said them. */
import { tokensOf } from '../../words/tokens.ts';
import { quantitiesOf } from '../../words/quantities.ts';
import type { Evidence } from '../../evidence/evidence.types.ts';
import type { Known } from '../ask-tool.ts';
import type { Expression } from './read-expression.ts';

type Operand = Extract<Expression, { kind: 'number' }>;

/** The first number that stands neither in the question nor in what was found; null: all do. Exponents and digits to round to are free. */
export function unsaidOperand(expression: Expression, known: Known): Operand | null {
  const said = saidBy(known);
  return operandsOf(expression).find((operand) => !said.some((amounts) => amounts.has(keyOf(operand)))) ?? null;
}

/** The same of plain numbers; their sign is not looked at. */
export function unsaidNumber(values: readonly number[], known: Known): number | null {
  const said = saidBy(known);
  return values.find((value) => !said.some((amounts) => amounts.has(short(Math.abs(value))))) ?? null;
}

const saidBy = ({ question, evidence }: Known): ReadonlySet<string>[] => [saidIn(question), ...evidence.map(saidOf)];

function operandsOf(one: Expression): Operand[] {
  switch (one.kind) {
    case 'number':
      return [one];
    case 'negative':
    case 'in':
      return operandsOf(one.of);
    case 'binary':
      return one.operator === '^' ? operandsOf(one.left) : [...operandsOf(one.left), ...operandsOf(one.right)];
    case 'call':
      return (one.name === 'round' ? one.of.slice(0, 1) : one.of).flatMap(operandsOf);
  }
}

/** `1.2 m` and `120 cm` are the same length; a bare number is the number alone, whatever it counts. */
const keyOf = ({ value, unit }: Pick<Operand, 'value' | 'unit'>): string =>
  unit === null ? short(value) : `${short(value * unit.factor)} ${unit.dimension}`;

const short = (value: number): string => String(Number(value.toPrecision(12)));

/** A source is never changed: it is replaced when it grows. */
const read = new WeakMap<Evidence, ReadonlySet<string>>();

function saidOf(evidence: Evidence): ReadonlySet<string> {
  let said = read.get(evidence);
  if (said === undefined) read.set(evidence, (said = saidIn(evidence.spans.map(({ text }) => text).join('\n'))));
  return said;
}

function saidIn(text: string): ReadonlySet<string> {
  const said = new Set<string>();
  for (const { value, unit } of quantitiesOf(tokensOf(text), text)) {
    if (unit === null) said.add(short(value));
    else {
      said.add(keyOf({ value: value / unit.factor, unit }));
      said.add(short(value / unit.factor));
    }
  }
  // What a table or a line of code holds, whatever it is.
  for (const [number] of text.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)/g)) said.add(short(Number(number)));
  return said;
}
