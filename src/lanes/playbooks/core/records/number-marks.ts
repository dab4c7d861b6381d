/**
 * The numbers of a step's answers, found again where a page shows its records: a number's text is looked up inside the text of
 * the answer that it stands in, in the records that its unit made.
 */
import { textsOf, type NumberSource, type TracedNumber } from '../answer/trace.ts';
import { divideAnswer } from '../division/divide.ts';
import type { Step } from '../read/playbook.types.ts';
import type { PastStep } from '../run/past.ts';
import type { Value } from '../value.ts';
import { templateOf } from './template.ts';

/** Where a number comes from. */
export interface NumberOf {
  /** Of the run, from 0. */
  step: number;
  /** Its unit; null: several units have it in the same text, and nothing says which is meant. */
  unit: number | null;
  /** Which of the unit's numbers, from 0. */
  n: number;
  /** null: untraced. */
  source: NumberSource | null;
}

/** Characters of a shown text, from and up to, that are a number of an answer. */
export interface Mark extends NumberOf {
  from: number;
  to: number;
}

export interface SaidNumber extends NumberOf {
  /** The number as it is written. */
  said: string;
  /** The text of the answer that it stands in, and where there. */
  text: string;
  at: number;
}

export interface NumbersOfStep {
  /** Of all units that are over, in their order: numbers, and how many records the unit made where nothing is grouped. */
  units: readonly { numbers: readonly SaidNumber[]; records: number }[];
  grouped: boolean;
  /** All of its records go to one file, so that a file that grows has the first of them. */
  oneFile: boolean;
}

/** Numbers that are looked for in a record of which it is not known whose it is, beside those whose whole text is a cell. */
const MOST_SOUGHT = 1000;
/** Characters of a text in which they are looked for, and numbers that may be in vain. */
const MOST_SEARCHED = 200_000;
const MOST_MISSES = 200;

/** @param past the step, or null where it was not reached */
export function numbersOfStep(
  step: Pick<Step, 'at' | 'raw' | 'answerDivision' | 'format' | 'groupBy'>,
  past: Pick<PastStep, 'answers' | 'numbers'>,
): NumbersOfStep {
  const together = step.format !== null && templateOf(step.format).repeats;
  const units = [...past.answers]
    .sort(([a], [b]) => a - b)
    .map(([unit, answer]) => ({
      numbers: saidIn(answer, past.numbers.get(unit) ?? [], { step: step.at, unit }),
      records: together ? 1 : outputsOf(answer, step.answerDivision),
    }));
  const output = step.raw['output'];
  const oneFile = typeof output === 'string' && !/\{(?!\s*config:)/.test(output);
  return { units, grouped: step.groupBy !== null, oneFile };
}

/** The listed numbers of an answer, with the texts that they stand in. */
function saidIn(answer: Value, listed: readonly TracedNumber[], of: { step: number; unit: number }): SaidNumber[] {
  if (listed.length === 0) return [];
  const texts = new Map<string, string>();
  for (const { place, text } of textsOf(answer, '')) texts.set(place, text);
  return listed.map(({ text: said, place, at, source }, n) => ({
    ...{ ...of, n, source, said, at },
    text: texts.get(place) ?? said,
  }));
}

function outputsOf(answer: Value, division: Step['answerDivision']): number {
  try {
    return divideAnswer(answer, division).length;
  } catch {
    return 1;
  }
}

/** Of each record of a file: its unit's, where that is known; otherwise those of all. */
export function numbersByRecord(
  { units, grouped, oneFile }: NumbersOfStep,
  records: number,
): (at: number) => readonly SaidNumber[] | SoughtNumbers {
  const made = units.reduce((sum, one) => sum + one.records, 0);
  const isKnown = !grouped && (made === records || (made > records && oneFile));
  if (isKnown) {
    const of = units.flatMap((one) => Array.from({ length: one.records }, () => one.numbers));
    return (at) => of[at] ?? [];
  }
  const all = new SoughtNumbers(units.flatMap(({ numbers }) => numbers));
  return () => all;
}

/** Numbers of all units: one that several of them have in the same text is of none of these. */
class SoughtNumbers {
  readonly #byText = new Map<string, SaidNumber[]>();
  readonly #first: readonly SaidNumber[];

  constructor(all: readonly SaidNumber[]) {
    for (const number of all) {
      const known = this.#byText.get(number.text);
      const same = known?.findIndex(({ at, said }) => at === number.at && said === number.said) ?? -1;
      if (known === undefined) this.#byText.set(number.text, [number]);
      else if (same < 0) known.push(number);
      else known[same] = { ...number, unit: null, source: known[same]?.source ?? null };
    }
    this.#first = [...this.#byText.values()].flat().slice(0, MOST_SOUGHT);
  }

  in(cells: readonly string[]): readonly SaidNumber[] {
    const whole = cells.flatMap((cell) => this.#byText.get(cell) ?? []);
    return [...whole, ...this.#first.filter((number) => !whole.includes(number))];
  }
}

/** Where they stand in the cells of one record, by column. */
export function marksIn(cells: readonly string[], found: readonly SaidNumber[] | SoughtNumbers): Mark[][] {
  const marks = cells.map((): Mark[] => []);
  for (const number of found instanceof SoughtNumbers ? found.in(cells) : found) {
    const same = cells.flatMap((cell, column) => (cell === number.text ? [column] : []));
    for (const column of same.length > 0 ? same : cells.keys()) {
      const mark = find(cells[column] ?? '', number, 0);
      const there = marks[column] ?? [];
      if (mark !== null && !there.some(({ from }) => from === mark.from)) there.push(mark);
    }
  }
  return marks.map((some) => some.sort((a, b) => a.from - b.from));
}

/** Where they stand in a text of all outputs, one after the other; those in its first characters. */
export function marksInText(whole: string, { units }: Pick<NumbersOfStep, 'units'>): Mark[] {
  const text = whole.slice(0, MOST_SEARCHED);
  const marks: Mark[] = [];
  let [from, misses] = [0, 0];
  for (const { numbers } of units) {
    let end = from;
    for (const number of numbers) {
      if (misses > MOST_MISSES) return sorted(marks);
      const mark = find(text, number, from);
      if (mark === null) {
        misses += 1;
        continue;
      }
      end = Math.max(end, mark.from - number.at + number.text.length);
      if (!marks.some((one) => one.from === mark.from)) marks.push(mark);
    }
    from = end;
  }
  return sorted(marks);
}

const sorted = (marks: Mark[]): Mark[] => marks.sort((a, b) => a.from - b.from);

/** Where the numbers of one answer stand in it, as it is printed. */
export function marksInAnswer(
  shown: string,
  answer: Value,
  listed: readonly TracedNumber[],
  of: { step: number; unit: number },
): Mark[] {
  return sorted(marksIn([shown], saidIn(answer, listed, of))[0] ?? []);
}

/** As it is, or as JSON prints it. */
function find(shown: string, { said, text, at, ...of }: SaidNumber, from: number): Mark | null {
  for (const form of [(part: string) => part, (part: string) => JSON.stringify(part).slice(1, -1)]) {
    const sought = form(text);
    for (let place = shown.indexOf(sought, from); place >= 0; place = shown.indexOf(sought, place + 1)) {
      // A number alone is not a part of a longer one.
      const end = place + sought.length;
      if (sought === said && (/[\w.]/.test(shown[place - 1] ?? '') || /^(?:\w|\.\d)/.test(shown.slice(end, end + 2))))
        continue;
      const begin = place + form(text.slice(0, at)).length;
      return { ...of, from: begin, to: begin + said.length };
    }
  }
  return null;
}
