/** A brief as lines of data that fit a number of tokens: texts get shorter first, then long sections, then options. */
import type { Brief, Choice } from '../workflow/definition.ts';
import { type CleanFlag, cleanText } from './clean.ts';

/** Plain data from outside as one line of JSON: every text cleaned, long lists and texts shortened until it fits. */

const OTHER = 0;
const LETTER = 1;
const DIGIT = 4;

/**
 * Tokens of a text, estimated so that it is rather too many: a prompt that is thought to fit must fit. Measured on
 * Llama 3's vocabulary (tests/unit/agent/envelope.test.ts): plain words 4 characters a token, JSON 3, other scripts 1.
 */
export function estimateTokens(text: string): number {
  // In tenths, over UTF-16 units: this runs over every line of every prompt.
  let tenths = 0;
  let before = OTHER;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code >= 0x61 && code <= 0x7a ? LETTER : code >= 0x30 && code <= 0x39 ? DIGIT : OTHER;
    if (kind === LETTER || code === 0x20) tenths += 3;
    else if (kind === DIGIT) tenths += 6;
    else if (code < 0x80) tenths += 5;
    else if (code < 0x3000) tenths += 11;
    else tenths += 17;
    // Letters and digits in turn (hashes, ids) make short tokens.
    if (kind + before === LETTER + DIGIT) tenths += 5;
    before = kind;
  }
  return Math.ceil(tenths / 10);
}

const MOST_DEPTH = 6;
/** Items of a list, code points of a text: from roomy to tight. */
const SIZES: readonly { items: number; length: number }[] = [
  { items: 60, length: 200 },
  { items: 30, length: 120 },
  { items: 15, length: 80 },
  { items: 6, length: 60 },
  { items: 2, length: 40 },
];

/** At most about `mostTokens`; what does not fit even at its shortest is left out with a sentence. */
export function shrinkToJson(value: unknown, mostTokens: number): string {
  for (const size of SIZES) {
    const text = JSON.stringify(shrunk(value, size, 0)) ?? 'null';
    if (estimateTokens(text) <= mostTokens) return text;
  }
  return JSON.stringify({ note: 'left out: too long to show' });
}

/** One row, its texts at most `length` code points. */
function rowToJson(
  row: Readonly<Record<string, string | number | null>>,
  length: number,
  flags: Set<CleanFlag>,
): string {
  const cells = Object.entries(row).map(([name, value]) => {
    if (typeof value === 'number') return [cleanText(name, 40).text, Number.isFinite(value) ? value : null];
    if (value === null) return [cleanText(name, 40).text, null];
    const cleaned = cleanText(value, length);
    for (const flag of cleaned.flags) flags.add(flag);
    return [cleanText(name, 40).text, cleaned.text];
  });
  return JSON.stringify(Object.fromEntries(cells));
}

function shrunk(value: unknown, size: { items: number; length: number }, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, size.length).text;
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth >= MOST_DEPTH) return '…';
  if (Array.isArray(value)) {
    const kept: unknown[] = value.slice(0, size.items).map((item: unknown) => shrunk(item, size, depth + 1));
    if (value.length > size.items) kept.push(`and ${value.length - size.items} more`);
    return kept;
  }
  const fields = Object.entries(value).slice(0, 40);
  return Object.fromEntries(fields.map(([name, inner]) => [cleanText(name, 40).text, shrunk(inner, size, depth + 1)]));
}

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

/** Where rows are passages: they are read in their own words, the last rows go before a text is cut. */
const TEXTS: Measure = { length: 1500, facts: true, rows: 6, options: MOST_OPTIONS };

/**
 * `choices` are best first. Where even the tightest measure is too long, `fits` is false. `texts`: rows are passages, not
 * names.
 */
export function fitBrief(brief: Brief, mostTokens: number, texts = false): FittedBrief {
  let last: FittedBrief | null = null;
  for (const measure of texts ? [TEXTS, ...MEASURES] : MEASURES) {
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
