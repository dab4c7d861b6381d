/** What a calculation comes to. */
import { failed } from '#core/errors.ts';
import type { Unit } from '../../words/units.ts';
import type { Expression, FunctionName } from './read-expression.ts';

export interface Amount {
  value: number;
  /** null: a bare number. */
  unit: Unit | null;
  unitName: string;
}

const MOST_EXPONENT = 64;
const MOST_DIGITS = 12;
const PERCENT: Unit = { dimension: 'percent', factor: 1 };

/** Throws AccessionError `invalid` where units do not go together or no number comes of it. */
export function evaluate(expression: Expression): Amount {
  const amount = amountOf(expression);
  if (!Number.isFinite(amount.value)) throw failed('invalid', 'No number comes of it.');
  return amount;
}

/** Without what binary fractions leave behind: 0.1 + 0.2 is 0.3. */
export function spoken({ value, unitName }: Amount): string {
  const number = String(Number(value.toPrecision(MOST_DIGITS)));
  if (unitName === '') return number;
  return /^[$€£¥]$/.test(unitName) ? `${unitName}${number}` : `${number} ${unitName}`;
}

function amountOf(one: Expression): Amount {
  switch (one.kind) {
    case 'number':
      return { value: one.value, unit: one.unit, unitName: one.unitName };
    case 'negative': {
      const amount = amountOf(one.of);
      return { ...amount, value: -amount.value };
    }
    case 'binary':
      return ofTwo(one.operator, amountOf(one.left), amountOf(one.right));
    case 'call':
      return ofMany(one.name, one.of.map(amountOf));
    case 'in': {
      const amount = amountOf(one.of);
      if (amount.unit === null && one.unit.dimension === 'percent') return { ...one, value: amount.value * 100 };
      if (amount.unit?.dimension !== one.unit.dimension) throw apart(amount, one);
      return { value: (amount.value * amount.unit.factor) / one.unit.factor, unit: one.unit, unitName: one.unitName };
    }
  }
}

function ofTwo(operator: Extract<Expression, { kind: 'binary' }>['operator'], left: Amount, right: Amount): Amount {
  switch (operator) {
    case '+':
    case '-': {
      const other = asIn(right, left);
      return { ...left, value: operator === '+' ? left.value + other : left.value - other };
    }
    case '*':
    case 'of': {
      if (isPercent(left)) return { ...right, value: (left.value / 100) * right.value };
      if (isPercent(right)) return { ...left, value: (right.value / 100) * left.value };
      if (left.unit !== null && right.unit !== null)
        throw failed('invalid', `${left.unitName} times ${right.unitName} is not known here.`);
      const { unit, unitName } = left.unit === null ? right : left;
      return { value: left.value * right.value, unit, unitName };
    }
    case '/': {
      if (right.value === 0) throw failed('invalid', 'Nothing can be divided by 0.');
      if (right.unit === null) return { ...left, value: left.value / right.value };
      if (isPercent(right)) return { ...left, value: left.value / (right.value / 100) };
      if (left.unit === null) throw failed('invalid', `A number divided by ${right.unitName} is not known here.`);
      return { value: left.value / asIn(right, left), unit: null, unitName: '' };
    }
    case '^': {
      if (left.unit !== null || right.unit !== null) throw failed('invalid', 'Powers are of numbers without units.');
      if (Math.abs(right.value) > MOST_EXPONENT) throw failed('invalid', `Powers go to ${MOST_EXPONENT}.`);
      return { value: left.value ** right.value, unit: null, unitName: '' };
    }
  }
}

function ofMany(name: FunctionName, of: readonly Amount[]): Amount {
  const [first, second] = of;
  if (first === undefined) throw failed('invalid', `${name} needs a number.`);
  if (name === 'round') {
    const digits = second?.value ?? 0;
    if (of.length > 2 || second?.unit || !Number.isInteger(digits) || digits < 0 || digits > MOST_DIGITS)
      throw failed('invalid', `round takes a number and how many digits stay behind the point, 0 to ${MOST_DIGITS}.`);
    return { ...first, value: rounded(first.value, digits) };
  }
  const values = of.map((one) => asIn(one, first));
  const sum = values.reduce((total, value) => total + value, 0);
  switch (name) {
    case 'sum':
      return { ...first, value: sum };
    case 'mean':
      return { ...first, value: sum / values.length };
    case 'min':
      return { ...first, value: Math.min(...values) };
    case 'max':
      return { ...first, value: Math.max(...values) };
  }
}

/** Half goes away from zero, by the digits as they are written: 1.005 to two digits is 1.01. */
function rounded(value: number, digits: number): number {
  const written = String(Number(Math.abs(value).toPrecision(MOST_DIGITS)));
  // So large or so small that it is written with an exponent: there is nothing behind its point to round.
  if (written.includes('e')) return Math.abs(value) < 1 ? 0 : value;
  return Math.sign(value) * Number(`${Math.round(Number(`${written}e${digits}`))}e-${digits}`);
}

const isPercent = ({ unit }: Amount): boolean => unit?.dimension === PERCENT.dimension;

/** The value in the other's unit. */
function asIn(one: Amount, other: Amount): number {
  if (one.unit === null && other.unit === null) return one.value;
  if (one.unit === null || other.unit === null || one.unit.dimension !== other.unit.dimension) throw apart(one, other);
  return (one.value * one.unit.factor) / other.unit.factor;
}

const apart = (one: Pick<Amount, 'unitName'>, other: Pick<Amount, 'unitName'>): Error =>
  failed('invalid', `${nameOf(other)} and ${nameOf(one)} do not go together.`);

const nameOf = ({ unitName }: Pick<Amount, 'unitName'>): string => (unitName === '' ? 'a bare number' : unitName);
