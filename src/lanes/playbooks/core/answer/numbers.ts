/**
 * Numbers of an answer, followed to where they come from: a result of a tool, the unit's input, the config. One is found where a
 * source, rounded to as many places, is that number; `40 %` is also 0.4. Numbers of the prompt and ordinals of lists are not looked up.
 */
import { fieldOf, isList, isMapping, type Value } from '../value.ts';
import { KnownNumbers } from './known-numbers.ts';
import { numbersIn, type Said } from './said-numbers.ts';

const REFERENCE = /\[\[(r\d+)((?:\.[\w-]+)*)(?:\|(\d))?\]\]/g;
/** Significant digits of a reference that says none. */
const DIGITS = 3;

/** Numbers of the answer that stand in none of the sources and not in the prompt, as they are written there. */
export function untracedIn(answer: string, prompt: string, sources: Iterable<Value>): string[] {
  const said = notAsked(numbersIn(answer), prompt);
  if (said.length === 0) return [];
  const known = Array.from(sources, (source) => KnownNumbers.of(source));
  return said.filter((one) => !known.some((numbers) => numbers.has(one))).map(({ text }) => text);
}

/** Without those that the prompt has. */
export function notAsked(said: readonly Said[], prompt: string): Said[] {
  if (said.length === 0) return [];
  const asked = new Set(numbersIn(prompt).map(({ value }) => value));
  return said.filter(({ value }) => !asked.has(value));
}

/** What holds for the numbers of one unit's answer. */
export interface NumberRules {
  /** `numbers: traced`: one that is in no source is no answer. */
  traced: boolean;
  prompt: string;
  /** Input and config. */
  given(): Iterable<Value>;
  /** Of the calls so far, by their handles. */
  results(): ReadonlyMap<string, Value>;
}

type Read = (text: string) => { ok: true; value: Value } | { ok: false; reason: string };

/** The reader, with references filled in and, where that is asked for, untraced numbers refused. */
export function numberReader(read: Read, { traced, prompt, given, results }: NumberRules): Read {
  return (text) => {
    const found = results();
    if (traced) {
      const left = untracedIn(text.replace(REFERENCE, ''), prompt, [...found.values(), ...given()]);
      const [first] = left;
      if (first !== undefined) {
        const more = left.length > 1 ? ` (and ${left.length - 1} more)` : '';
        return { ok: false, reason: `the number ${first}${more} stands in nothing that was given or computed` };
      }
    }
    if (found.size === 0) return read(text);
    const referred = withReferences(text, found);
    return referred.ok ? read(referred.text) : referred;
  };
}

/** Where a number was put in. */
export interface Reference {
  text: string;
  handle: string;
  /** `rows.0.2` */
  place: string;
}

export type Referred = { ok: true; text: string; references: Reference[] } | { ok: false; reason: string };

/** `[[r1.p_value]]` as the number there, of the results by their handles; `|5`: five significant digits. */
export function withReferences(text: string, results: ReadonlyMap<string, Value>): Referred {
  let wrong: string | null = null;
  const references: Reference[] = [];
  const replaced = text.replace(REFERENCE, (whole, handle: string, path: string, digits: string | undefined) => {
    let value: Value | undefined = results.get(handle);
    for (const key of path.split('.').slice(1)) {
      if (isList(value)) value = value[Number(key)];
      else value = isMapping(value) ? fieldOf(value, key) : undefined;
    }
    if (typeof value === 'number' && Number.isFinite(value)) {
      const said = String(Number(value.toPrecision(digits === undefined ? DIGITS : Number(digits) || 1)));
      references.push({ text: said, handle, place: path.slice(1) });
      return said;
    }
    wrong ??= `${whole} names no number that a call found`;
    return whole;
  });
  return wrong === null ? { ok: true, text: replaced, references } : { ok: false, reason: wrong };
}
