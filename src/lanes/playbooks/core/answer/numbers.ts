/**
 * Numbers of an answer, followed to where they come from: a result of a tool, the unit's input, the config. One is found where a
 * source, rounded to as many places, is that number; `40 %` is also 0.4. Numbers of the prompt and ordinals of lists are not looked up.
 */
import { fieldOf, isList, isMapping, type Value } from '../value.ts';

const NUMBER = /(?<![\p{L}\d_.])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\d)(\s?%)?/gu;
const ORDINAL = /^[ \t]*\d+[.)][ \t]/gmu;
const REFERENCE = /\[\[(r\d+)((?:\.[\w-]+)*)(?:\|(\d))?\]\]/g;
/** Significant digits of a reference that says none. */
const DIGITS = 3;

interface Said {
  text: string;
  value: number;
  /** Digits behind the point; null: it is written with an exponent. */
  places: number | null;
  percent: boolean;
}

function numbersIn(text: string): Said[] {
  return [...text.replace(ORDINAL, '').matchAll(NUMBER)].map(([whole, percent]) => {
    const plain = whole.replace(/\s?%$/, '').replaceAll(',', '').replace('−', '-');
    const places = /e/i.test(plain) ? null : (plain.split('.')[1]?.length ?? 0);
    return { text: whole, value: Number(plain), places, percent: percent !== undefined };
  });
}

/** Every number in a value, those in its texts with them. */
function* numbersOf(value: Value): Generator<number> {
  if (typeof value === 'number') yield value;
  else if (typeof value === 'string') for (const { value: said } of numbersIn(value)) yield said;
  else if (isList(value)) for (const one of value) yield* numbersOf(one);
  else if (isMapping(value)) for (const one of Object.values(value)) yield* numbersOf(one);
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

function isSaid({ value, places, percent }: Said, source: number): boolean {
  const holds = (of: number): boolean =>
    near(of, value) || (places !== null && places <= 15 && near(Number(of.toFixed(places)), value));
  return holds(source) || (percent && holds(source * 100));
}

/** Numbers of the answer that stand in none of the sources and not in the prompt, as they are written there. */
export function untracedIn(answer: string, prompt: string, sources: Iterable<Value>): string[] {
  const asked = new Set(numbersIn(prompt).map(({ value }) => value));
  let left = numbersIn(answer).filter(({ value }) => !asked.has(value));
  for (const source of sources) {
    if (left.length === 0) break;
    for (const number of numbersOf(source)) left = left.filter((said) => !isSaid(said, number));
  }
  return left.map(({ text }) => text);
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

export type Referred = { ok: true; text: string } | { ok: false; reason: string };

/** `[[r1.p_value]]` as the number there, of the results by their handles; `|5`: five significant digits. */
export function withReferences(text: string, results: ReadonlyMap<string, Value>): Referred {
  let wrong: string | null = null;
  const replaced = text.replace(REFERENCE, (whole, handle: string, path: string, digits: string | undefined) => {
    let value: Value | undefined = results.get(handle);
    for (const key of path.split('.').slice(1)) {
      if (isList(value)) value = value[Number(key)];
      else value = isMapping(value) ? fieldOf(value, key) : undefined;
    }
    if (typeof value === 'number' && Number.isFinite(value))
      return String(Number(value.toPrecision(digits === undefined ? DIGITS : Number(digits) || 1)));
    wrong ??= `${whole} names no number that a call found`;
    return whole;
  });
  return wrong === null ? { ok: true, text: replaced } : { ok: false, reason: wrong };
}
