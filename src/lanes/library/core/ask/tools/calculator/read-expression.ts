/**
 * The calculator's language, which knows nothing but this:
 *
 *   whole   = sum [ "in" unit ]
 *   sum     = product { ( "+" | "-" ) product }
 *   product = sign { ( "*" | "×" | "/" | "÷" | "of" ) sign }
 *   sign    = "-" sign | power
 *   power   = atom [ ( "^" | "**" ) sign ]
 *   atom    = number [ unit ] | "(" sum ")" | name "(" sum { "," sum } ")"
 *
 *   ASK-73 numbers, units and five functions: no name of the program can be said
 */
import { failed } from '#core/errors.ts';
import { unitOf, type Unit } from '../../words/units.ts';

export const FUNCTIONS = ['mean', 'sum', 'min', 'max', 'round'] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

export type Expression =
  | { kind: 'number'; value: number; unit: Unit | null; unitName: string; text: string }
  | { kind: 'binary'; operator: '+' | '-' | '*' | '/' | '^' | 'of'; left: Expression; right: Expression }
  | { kind: 'negative'; of: Expression }
  | { kind: 'call'; name: FunctionName; of: Expression[] }
  | { kind: 'in'; unit: Unit; unitName: string; of: Expression };

/** Characters, numbers and brackets within brackets. */
const MOST_LENGTH = 500;
const MOST_NUMBERS = 64;
const MOST_DEPTH = 24;

interface Mark {
  kind: 'number' | 'word' | 'mark';
  text: string;
  end: number;
}

/** A unit may hold a blank (`square metres`) or a stroke (`km/h`): it is tried whole before it is tried as a word. */
const MARK = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|(\*\*|[-+*×/÷^(),−])|([%°$€£¥]|°?\p{L}[\p{L}²³]*))/uy;

/** Throws AccessionError `invalid` that says what cannot be read, and where. */
export function readExpression(text: string): Expression {
  if (text.length > MOST_LENGTH) throw failed('invalid', `It is longer than ${MOST_LENGTH} characters.`);
  return new Reader(text).whole();
}

class Reader {
  readonly #text: string;
  readonly #marks: Mark[];
  #at = 0;
  #depth = 0;
  #numbers = 0;

  constructor(text: string) {
    this.#text = text;
    this.#marks = marksOf(text);
  }

  whole(): Expression {
    let one = this.#sum();
    if (this.#takes('in')) {
      const unit = this.#unit(false);
      if (unit === null) throw this.#wrong('a unit');
      one = { kind: 'in', ...unit, of: one };
    }
    if (this.#at < this.#marks.length) throw this.#wrong('the end');
    return one;
  }

  #sum(): Expression {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) throw failed('invalid', `Its brackets go deeper than ${MOST_DEPTH}.`);
    let left = this.#product();
    for (;;) {
      const operator = this.#takes('+') ? '+' : this.#takes('-') || this.#takes('−') ? '-' : null;
      if (operator === null) break;
      left = { kind: 'binary', operator, left, right: this.#product() };
    }
    this.#depth -= 1;
    return left;
  }

  #product(): Expression {
    let left = this.#sign();
    for (;;) {
      const times = this.#takes('*') || this.#takes('×');
      const operator = times ? '*' : this.#takes('/') || this.#takes('÷') ? '/' : this.#takes('of') ? 'of' : null;
      if (operator === null) return left;
      left = { kind: 'binary', operator, left, right: this.#sign() };
    }
  }

  #sign(): Expression {
    let signs = 0;
    while (this.#takes('-') || this.#takes('−')) signs += 1;
    const one = this.#power();
    return signs % 2 === 1 ? { kind: 'negative', of: one } : one;
  }

  #power(): Expression {
    const left = this.#atom();
    if (!this.#takes('^') && !this.#takes('**')) return left;
    return { kind: 'binary', operator: '^', left, right: this.#sign() };
  }

  #atom(): Expression {
    const mark = this.#marks[this.#at];
    if (this.#takes('(')) {
      const one = this.#sum();
      if (!this.#takes(')')) throw this.#wrong('")"');
      return one;
    }
    const before = mark?.kind === 'word' && /^[$€£¥]$/.test(mark.text) ? this.#unit(false) : null;
    const number = this.#marks[this.#at];
    if (number?.kind === 'number') {
      this.#at += 1;
      this.#numbers += 1;
      if (this.#numbers > MOST_NUMBERS) throw failed('invalid', `It has more than ${MOST_NUMBERS} numbers.`);
      const unit = before ?? this.#unit(true);
      const named = { unit: unit?.unit ?? null, unitName: unit?.unitName ?? '' };
      return { kind: 'number', value: Number(number.text), text: number.text, ...named };
    }
    const name = FUNCTIONS.find((one) => mark?.kind === 'word' && mark.text.toLowerCase() === one);
    if (name === undefined) throw this.#wrong('a number');
    this.#at += 1;
    if (!this.#takes('(')) throw this.#wrong('"("');
    const of = [this.#sum()];
    while (this.#takes(',')) of.push(this.#sum());
    if (!this.#takes(')')) throw this.#wrong('")"');
    return { kind: 'call', name, of };
  }

  /** The longest unit that stands here. */
  #unit(behindDigits: boolean): { unit: Unit; unitName: string } | null {
    const words: string[] = [];
    let found: { unit: Unit; unitName: string } | null = null;
    let taken = this.#at;
    for (let at = this.#at; at < this.#marks.length && at < this.#at + 3; at++) {
      const mark = this.#marks[at];
      if (mark === undefined || (mark.kind !== 'word' && mark.text !== '/') || /^(?:of|in)$/i.test(mark.text)) break;
      words.push(mark.text);
      const unitName = words.join(' ').replaceAll(' / ', '/');
      const unit = unitOf(unitName.toLowerCase(), behindDigits) ?? unitOf(unitName.toLowerCase(), true);
      if (unit === null) continue;
      found = { unit, unitName };
      taken = at + 1;
    }
    this.#at = taken;
    return found;
  }

  #takes(text: string): boolean {
    const mark = this.#marks[this.#at];
    if (mark === undefined || mark.kind === 'number' || mark.text.toLowerCase() !== text) return false;
    this.#at += 1;
    return true;
  }

  #wrong(wanted: string): Error {
    const mark = this.#marks[this.#at];
    const found = mark === undefined ? 'the end' : `"${mark.text.slice(0, 40)}"`;
    const before = this.#text.slice(0, this.#marks[this.#at - 1]?.end ?? 0).slice(-40);
    return failed(
      'invalid',
      `There is ${found} where ${wanted} must stand${before === '' ? '' : `, behind "${before}"`}.`,
    );
  }
}

function marksOf(text: string): Mark[] {
  const marks: Mark[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    MARK.lastIndex = at;
    const match = MARK.exec(text);
    if (match === null) throw failed('invalid', `"${text.slice(at).trim().slice(0, 1)}" is no part of a calculation.`);
    const [whole, number, mark, word] = match;
    at += whole.length;
    marks.push({
      kind: number === undefined ? (mark === undefined ? 'word' : 'mark') : 'number',
      text: number ?? mark ?? word ?? '',
      end: at,
    });
  }
  return marks;
}
