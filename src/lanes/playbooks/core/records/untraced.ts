/**
 * The untraced numbers of a step's answers, found again where a page shows its records: a number's text is looked up inside the
 * text of the answer that it stands in, in the records that its unit made.
 */
import { textsOf } from '../answer/trace.ts';
import { divideAnswer } from '../division/divide.ts';
import type { Step } from '../read/playbook.types.ts';
import type { PastStep } from '../run/past.ts';
import { templateOf } from './template.ts';

/** Characters of a shown text, from and up to. */
export interface Mark {
  from: number;
  to: number;
}

export interface UntracedNumber {
  /** The number as it is written. */
  said: string;
  /** The text of the answer that it stands in, and where there. */
  text: string;
  at: number;
}

export interface UntracedOfStep {
  /** Of all units that are over, in their order: numbers, and how many records the unit made where nothing is grouped. */
  units: readonly { numbers: readonly UntracedNumber[]; records: number }[];
  grouped: boolean;
}

export function untracedOf(step: Pick<Step, 'answerDivision' | 'format' | 'groupBy'>, past: PastStep): UntracedOfStep {
  const together = step.format !== null && templateOf(step.format).repeats;
  const units = [...past.answers]
    .sort(([a], [b]) => a - b)
    .map(([unit, answer]) => {
      const texts = new Map<string, string>();
      const listed = past.untraced.get(unit) ?? [];
      if (listed.length > 0) for (const { place, text } of textsOf(answer, '')) texts.set(place, text);
      const numbers = listed.map(({ text: said, place, at }) => ({ said, text: texts.get(place) ?? said, at }));
      return { numbers, records: together ? 1 : outputsOf(answer, step.answerDivision) };
    });
  return { units, grouped: step.groupBy !== null };
}

function outputsOf(answer: Parameters<typeof divideAnswer>[0], division: Step['answerDivision']): number {
  try {
    return divideAnswer(answer, division).length;
  } catch {
    return 1;
  }
}

/** Of each record of a file: its unit's, where every unit is in it; otherwise those of all. */
export function untracedByRecord(
  { units, grouped }: UntracedOfStep,
  records: number,
): (at: number) => readonly UntracedNumber[] {
  const all = units.flatMap(({ numbers }) => numbers);
  const made = units.reduce((sum, one) => sum + one.records, 0);
  // A file of the step in hand has the first of them; one of several files has some.
  if (grouped || made < records || all.length === 0) return () => all;
  const of = units.flatMap((one) => Array.from({ length: one.records }, () => one.numbers));
  return made === records ? (at) => of[at] ?? [] : () => all;
}

/** Where they stand in the cells of one record, by column. */
export function marksIn(cells: readonly string[], numbers: readonly UntracedNumber[]): Mark[][] {
  const marks = cells.map((): Mark[] => []);
  for (const number of numbers) {
    const same = cells.flatMap((cell, column) => (cell === number.text ? [column] : []));
    for (const column of same.length > 0 ? same : cells.keys()) {
      const mark = find(cells[column] ?? '', number, 0);
      const there = marks[column] ?? [];
      if (mark !== null && !there.some(({ from }) => from === mark.from)) there.push(mark);
    }
  }
  return marks.map((some) => some.sort((a, b) => a.from - b.from));
}

/** Where they stand in a text of all outputs, one after the other. */
export function marksInText(text: string, { units }: UntracedOfStep): Mark[] {
  const marks: Mark[] = [];
  let from = 0;
  for (const { numbers } of units) {
    let end = from;
    for (const number of numbers) {
      const mark = find(text, number, from);
      if (mark === null) continue;
      end = Math.max(end, mark.from - number.at + number.text.length);
      if (!marks.some((one) => one.from === mark.from)) marks.push(mark);
    }
    from = end;
  }
  return marks.sort((a, b) => a.from - b.from);
}

/** As it is, or as JSON prints it. */
function find(shown: string, { said, text, at }: UntracedNumber, from: number): Mark | null {
  for (const form of [(part: string) => part, (part: string) => JSON.stringify(part).slice(1, -1)]) {
    const sought = form(text);
    for (let place = shown.indexOf(sought, from); place >= 0; place = shown.indexOf(sought, place + 1)) {
      // A number alone is not a part of a longer one.
      const end = place + sought.length;
      if (sought === said && (/[\w.]/.test(shown[place - 1] ?? '') || /^(?:\w|\.\d)/.test(shown.slice(end, end + 2))))
        continue;
      const begin = place + form(text.slice(0, at)).length;
      return { from: begin, to: begin + said.length };
    }
  }
  return null;
}
