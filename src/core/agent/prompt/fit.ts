/** A brief as lines of data that fit a number of tokens: texts get shorter first, then long sections, then options. */
import type { Brief, Choice } from '../workflow/definition.ts';
import type { CleanFlag } from './clean.ts';
import { rowToJson } from './shrink.ts';
import { estimateTokens } from './tokens.ts';

export interface FittedBrief {
  sections: { heading: string; lines: string[]; left_out: number }[];
  /** As JSON, in the order of `choices`; those beyond were left out, the weakest first. */
  options: string[];
  /** What was taken out of the texts. */
  flags: CleanFlag[];
  fits: boolean;
}

/** Options on one ballot: a letter each. */
export const MOST_OPTIONS = 20;

interface Measure {
  /** Code points of a text. */
  length: number;
  facts: boolean;
  /** Rows that each section keeps at least. */
  rows: number;
  options: number;
}
const MEASURES: readonly Measure[] = [
  { length: 400, facts: true, rows: 24, options: MOST_OPTIONS },
  { length: 200, facts: true, rows: 12, options: MOST_OPTIONS },
  { length: 100, facts: true, rows: 6, options: MOST_OPTIONS },
  { length: 60, facts: true, rows: 3, options: 10 },
  { length: 40, facts: true, rows: 2, options: 6 },
  { length: 40, facts: false, rows: 1, options: 4 },
];

/** `choices` are best first. Where even the tightest measure is too long, `fits` is false. */
export function fitBrief(brief: Brief, mostTokens: number): FittedBrief {
  let last: FittedBrief | null = null;
  for (const measure of MEASURES) {
    last = measured(brief, measure, mostTokens);
    if (last.fits) return last;
  }
  return last ?? { sections: [], options: [], flags: [], fits: false };
}

function measured(brief: Brief, measure: Measure, mostTokens: number): FittedBrief {
  const flags = new Set<CleanFlag>();
  const options = brief.choices.slice(0, measure.options).map((choice) => optionLine(choice, measure, flags));
  const sections = brief.sections.map((section) => {
    const lines = section.rows.map((row) => rowToJson(row, measure.length, flags));
    return { heading: section.heading, lines, costs: lines.map(cost), left_out: 0 };
  });
  let total = sum(options.map(cost)) + sum(sections.map((section) => 14 + sum(section.costs)));

  while (total > mostTokens) {
    const longest = sections
      .filter((section) => section.lines.length > measure.rows)
      .sort((a, b) => sum(b.costs) - sum(a.costs))[0];
    if (!longest) break;
    // Halving steps: an album of a thousand rows is not walked row by row.
    const drop = Math.max(1, Math.min(longest.lines.length - measure.rows, Math.floor(longest.lines.length / 8)));
    total -= sum(longest.costs.splice(-drop));
    longest.lines.splice(-drop);
    longest.left_out += drop;
  }
  return {
    sections: sections.map(({ heading, lines, left_out }) => ({ heading, lines, left_out })),
    options,
    flags: [...flags],
    fits: total <= mostTokens,
  };
}

function optionLine(choice: Choice, measure: Measure, flags: Set<CleanFlag>): string {
  const facts = measure.facts ? choice.facts : {};
  return rowToJson({ option: choice.label, ...facts }, measure.length, flags);
}

/** Tokens of a line with its letter or handle and its end. */
function cost(line: string): number {
  return estimateTokens(line) + 4;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
