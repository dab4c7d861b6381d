/** Each number of an answer with where it comes from: a call with its input and version, the unit's input, the config; or nowhere. */
import { isList, isMapping, type Value } from '../value.ts';
import { KnownNumbers, placeOf } from './known-numbers.ts';
import { notAsked, type Reference } from './numbers.ts';
import { numbersIn, type Said } from './said-numbers.ts';

export type NumberSource =
  /** `handle`: `r1` is the first call of the unit. */
  | { of: 'call'; handle: string; tool: string; version: string; place: string }
  | { of: 'input'; file: string | null; place: string }
  | { of: 'config'; place: string };

export interface TracedNumber {
  text: string;
  /** Where it stands: the place in the answer (empty: it is a text), and the character there. */
  place: string;
  at: number;
  /** null: untraced. */
  source: NumberSource | null;
}

export interface AnswerNumbers {
  traced: number;
  untraced: number;
  /** The first of them. */
  list: TracedNumber[];
}

export interface NumberSources {
  prompt: string;
  /** Numbers that the answer has from a call by its handle. */
  references: readonly Reference[];
  results: readonly { handle: string; tool: string; version: string; output: Value }[];
  /** The unit, and those around it. */
  inputs: readonly { file: string | null; value: Value }[];
  config: Value;
}

/** Numbers of one answer that are listed one by one. */
const MOST_LISTED = 500;

/** null: it has none that are looked up. */
export function traceNumbers(answer: Value, sources: NumberSources): AnswerNumbers | null {
  const found: AnswerNumbers = { traced: 0, untraced: 0, list: [] };
  const left = [...sources.references];
  for (const { place, text } of textsOf(answer, ''))
    for (const said of notAsked(numbersIn(text), sources.prompt)) {
      const source = sourceOf(said, referenceOf(said, left), sources);
      if (source === null) found.untraced += 1;
      else found.traced += 1;
      if (found.list.length < MOST_LISTED) found.list.push({ text: said.text, place, at: said.at, source });
    }
  return found.traced + found.untraced === 0 ? null : found;
}

/** In their order: the last of those that came to the same text stands for what follows, too. */
function referenceOf(said: Said, left: Reference[]): Reference | undefined {
  const at = left.findIndex(({ text }) => text === said.text);
  const last = left.findLastIndex(({ text }) => text === said.text);
  return at < last ? left.splice(at, 1)[0] : left[at];
}

function sourceOf(said: Said, reference: Reference | undefined, sources: NumberSources): NumberSource | null {
  const { results, inputs, config } = sources;
  for (const { handle, tool, version, output } of results) {
    if (reference?.handle === handle) return { of: 'call', handle, tool, version, place: reference.place };
    if (reference === undefined && KnownNumbers.of(output).has(said))
      return { of: 'call', handle, tool, version, place: placeOf(said, output) };
  }
  for (const { file, value } of inputs)
    if (KnownNumbers.of(value).has(said)) return { of: 'input', file, place: placeOf(said, value) };
  return KnownNumbers.of(config).has(said) ? { of: 'config', place: placeOf(said, config) } : null;
}

/** Its texts, and its numbers as they are printed. */
export function* textsOf(answer: Value, place: string): Generator<{ place: string; text: string }> {
  if (typeof answer === 'string') yield { place, text: answer };
  else if (typeof answer === 'number') yield { place, text: String(answer) };
  else if (isList(answer) || isMapping(answer))
    for (const [key, one] of Object.entries(answer)) yield* textsOf(one, place === '' ? key : `${place}.${key}`);
}
