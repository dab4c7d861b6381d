/** Numbers of a text with their units: `1,840 crowns`, `61 %`, `eight people`, `16:30`, `14 March 2031`, `the twelfth`. */
import type { Token } from './tokens.ts';
import { unitOf, type Unit } from './units.ts';

export interface Quantity {
  kind: 'amount' | 'ordinal' | 'time' | 'date';
  /** Of an amount in the base of its unit's dimension; of a time minutes since midnight; of a date its year, else 0. */
  value: number;
  /** What it measures; null: it counts something, or nothing is said. */
  unit: Unit | null;
  /** Of a date: what is said of it, null what is not. */
  date?: { day: number | null; month: number | null; year: number | null };
  /** Tokens, the last one included. */
  first: number;
  last: number;
  /** As it stands there. */
  text: string;
}

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const words = new Map<string, number>(SMALL.split(' ').map((word, value) => [word, value]));
for (const [at, word] of 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').entries())
  words.set(word, (at + 2) * 10);
const SCALES = new Map<string, number>([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
  ['trillion', 1_000_000_000_000],
  ['dozen', 12],
]);
const ORDINALS = new Map<string, number>(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
    .split(' ')
    .map((word, at) => [word, at + 1]),
);
const MONTHS = new Map<string, number>();
for (const [at, name] of 'january february march april may june july august september october november december'
  .split(' ')
  .entries()) {
  MONTHS.set(name, at + 1);
  if (name.length > 4) MONTHS.set(name.slice(0, 3), at + 1);
}
MONTHS.set('sept', 9);

/** The month that a word names; `may` and `march` only where they are written as names, and no sentence begins. */
function monthOf(tokens: readonly Token[], at: number): number | null {
  const token = tokens[at];
  if (token?.kind !== 'word' || !/^\p{Lu}/u.test(token.text)) return null;
  const month = MONTHS.get(token.lower) ?? null;
  const begins = at === 0 || /^[.!?:"“]$/.test(tokens[at - 1]?.text ?? '');
  if (begins && (token.lower === 'may' || token.lower === 'march') && tokens[at + 1]?.kind !== 'number') return null;
  return month;
}

/** In the order of the text; none is in another. */
export function quantitiesOf(tokens: readonly Token[], text: string): Quantity[] {
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const one = dateAt(tokens, at) ?? timeAt(tokens, at) ?? amountAt(tokens, at);
    if (one === null) continue;
    found.push({ ...one, text: text.slice(tokens[one.first]?.start ?? 0, tokens[one.last]?.end ?? 0) });
    at = one.last;
  }
  return found;
}

type Bare = Omit<Quantity, 'text'>;

const isYear = (token: Token | undefined): boolean =>
  token?.kind === 'number' && /^(?:1\d|20|21)\d\d$/.test(token.text);

function dayOf(token: Token | undefined): number | null {
  const day = Number(token?.kind === 'number' ? token.text : NaN);
  return Number.isInteger(day) && day >= 1 && day <= 31 ? day : null;
}

/** `14 March 2031`, `March 14, 2031`, `March 2031`, `2 March`, `May`, `2031-03-14`, `2031`. */
function dateAt(tokens: readonly Token[], at: number): Bare | null {
  const is = (last: number, day: number | null, month: number | null, year: number | null): Bare => ({
    ...{ kind: 'date', value: year ?? 0, unit: null, first: at, last },
    date: { day, month, year },
  });
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec([0, 1, 2, 3, 4].map((next) => tokens[at + next]?.text ?? '').join(''));
  if (iso !== null && areJoined(tokens, at, at + 4)) return is(at + 4, Number(iso[3]), Number(iso[2]), Number(iso[1]));
  const yearFrom = (next: number): number => {
    const place = tokens[next]?.text === ',' ? next + 1 : next;
    return isYear(tokens[place]) ? place : -1;
  };
  const day = dayOf(tokens[at]);
  if (day !== null) {
    // `2nd of March`
    let next = at + 1;
    if (/^(?:st|nd|rd|th)$/.test(tokens[next]?.lower ?? '')) next += 1;
    if (tokens[next]?.lower === 'of') next += 1;
    const month = monthOf(tokens, next);
    if (month !== null) {
      const year = yearFrom(next + 1);
      return year < 0 ? is(next, day, month, null) : is(year, day, month, Number(tokens[year]?.text));
    }
  }
  const month = monthOf(tokens, at);
  if (month !== null) {
    const behind = dayOf(tokens[at + 1]);
    if (behind !== null && !isYear(tokens[at + 1])) {
      const year = yearFrom(at + 2);
      return year < 0 ? is(at + 1, behind, month, null) : is(year, behind, month, Number(tokens[year]?.text));
    }
    const year = yearFrom(at + 1);
    if (year >= 0) return is(year, null, month, Number(tokens[year]?.text));
    return is(at, null, month, null);
  }
  if (isYear(tokens[at]) && unitBehind(tokens, at, true) === null && !isCounted(tokens, at))
    return is(at, null, null, Number(tokens[at]?.text));
  return null;
}

/** `2,000 people` has a comma; `2031 people` counts, `in 2031` does not. */
function isCounted(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  const before = tokens[at - 1];
  if (before !== undefined && /[$€£¥]/.test(before.text)) return true;
  return next?.kind === 'word' && /^\p{Ll}+s$/u.test(next.text) && !NOT_COUNTED.has(next.lower);
}
const NOT_COUNTED = new Set(['was', 'is', 'has', 'as', 'its', 'his', 'this', 'sees', 'towards', 'across', 'does']);

/** `16:30`, `07:00`, `4 pm`, `4.30 p.m.`. */
function timeAt(tokens: readonly Token[], at: number): Bare | null {
  const token = tokens[at];
  if (token?.kind !== 'number') return null;
  const clock = /^([01]?\d|2[0-4])[:.]([0-5]\d)$/.exec(token.text);
  const plain = /^(?:1[0-2]|[1-9])$/.test(token.text);
  const half = /^[ap]\.?m\.?$/.exec(
    (tokens[at + 1]?.lower ?? '') + (tokens[at + 2]?.text === '.' && tokens[at + 3]?.lower === 'm' ? '.m' : ''),
  );
  if (clock === null && !(plain && half !== null)) return null;
  if (clock !== null && token.text.includes('.') && half === null) return null;
  let minutes = clock === null ? Number(token.text) * 60 : Number(clock[1]) * 60 + Number(clock[2]);
  if (half !== null) {
    if (half[0].startsWith('p') && minutes < 720) minutes += 720;
    if (half[0].startsWith('a') && minutes >= 720) minutes -= 720;
  }
  const last = half === null ? at : half[0].length > 2 ? at + 3 : at + 1;
  return { kind: 'time', value: minutes, unit: null, first: at, last };
}

function amountAt(tokens: readonly Token[], at: number): Bare | null {
  const ordinal = ordinalAt(tokens, at);
  if (ordinal !== null) return ordinal;
  const number = numberAt(tokens, at);
  if (number === null) return null;
  const { value, digits } = number;
  let { last } = number;
  const before = tokens[at - 1];
  const coin = before === undefined || before.end !== tokens[at]?.start ? null : unitOf(before.text, true);
  if (coin !== null && /^[$€£¥]$/.test(before?.text ?? '')) return { ...amount(value, coin), first: at - 1, last };
  const isFraction = value < 1 && !digits;
  let next = last + 1;
  // `half a minute`, `half of the plots`
  if (isFraction && (tokens[next]?.lower === 'a' || tokens[next]?.lower === 'an')) next += 1;
  const unit = unitBehind(tokens, next - 1, digits);
  if (unit !== null) {
    last = unit.last;
    // `4 °C`: the mark is part of the unit; `a minute and a half` is not read.
    return { ...amount(value, unit.unit), first: at, last };
  }
  return { ...amount(value, null), first: at, last };
}

const amount = (value: number, unit: Unit | null): Pick<Quantity, 'kind' | 'value' | 'unit'> => ({
  kind: 'amount',
  value: unit === null ? value : value * unit.factor,
  unit,
});

function unitBehind(tokens: readonly Token[], at: number, digits: boolean): { unit: Unit; last: number } | null {
  const one = tokens[at + 1];
  if (one === undefined) return null;
  const two = tokens[at + 2];
  for (const [name, last] of [
    [`${one.lower} ${two?.lower ?? ''}`, at + 2],
    [`${one.lower}${two?.lower ?? ''}`, at + 2],
    [one.lower, at + 1],
  ] as const) {
    if (last === at + 2 && two === undefined) continue;
    const joined = last === at + 2 && !name.includes(' ');
    if (joined && one.end !== two?.start) continue;
    const unit = unitOf(name, digits);
    if (unit !== null) return { unit, last };
  }
  return null;
}

function ordinalAt(tokens: readonly Token[], at: number): Bare | null {
  const token = tokens[at];
  const is = (value: number, last: number): Bare => ({ kind: 'ordinal', value, unit: null, first: at, last });
  if (token?.kind === 'word') {
    const value = ORDINALS.get(token.lower);
    return value === undefined ? null : is(value, at);
  }
  const ending = tokens[at + 1];
  if (token?.kind === 'number' && ending?.start === token.end && /^(?:st|nd|rd|th)$/.test(ending.lower))
    return is(Number(token.text), at + 1);
  return null;
}

/** Digits, or words that make one number. */
function numberAt(tokens: readonly Token[], at: number): { value: number; last: number; digits: boolean } | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.kind === 'number') {
    const value = digitsOf(token.text);
    if (value === null) return null;
    const scale = SCALES.get(tokens[at + 1]?.lower ?? '');
    return scale === undefined
      ? { value, last: at, digits: true }
      : { value: value * scale, last: at + 1, digits: false };
  }
  if (token.kind !== 'word') return null;
  if (token.lower === 'half') return { value: 0.5, last: at, digits: false };
  if (token.lower === 'one' && !countsOne(tokens, at)) return null;
  return wordsAt(tokens, at);
}

/** `one hour` does, `a new one` and `one may` do not. */
function countsOne(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  if (next?.kind !== 'word') return next?.text === '-';
  return (
    !/^(?:a|an|the|this|that|another|new|old|other|each|every|which|no|any)$/.test(tokens[at - 1]?.lower ?? '') &&
    !/^(?:may|can|must|is|was|has|who|that|which|and|or|another)$/.test(next.lower)
  );
}

/** `twenty-four`, `three hundred and five`, `two million`. */
function wordsAt(tokens: readonly Token[], at: number): { value: number; last: number; digits: boolean } | null {
  let total = 0;
  let part = 0;
  let last = -1;
  for (let next = at; next < tokens.length; next++) {
    const token = tokens[next];
    const joins = token?.text === '-' || (token?.lower === 'and' && part >= 100);
    if (joins && last >= 0 && words.has(tokens[next + 1]?.lower ?? '')) continue;
    const value = words.get(token?.lower ?? '');
    const scale = SCALES.get(token?.lower ?? '');
    if (value !== undefined && (part % 10 === 0 || last < 0) && (last < 0 || value < 10 || part % 100 === 0))
      part += value;
    else if (scale !== undefined && last >= 0) {
      if (scale === 100 || scale === 12) part *= scale;
      else {
        total += part * scale;
        part = 0;
      }
    } else break;
    last = next;
  }
  return last < 0 ? null : { value: total + part, last, digits: false };
}

/** `1,840`, `3_600_000`, `3.4`; null for what is no number: `1.2.3`. */
function digitsOf(text: string): number | null {
  const plain = text.replaceAll('_', '');
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)) return Number(plain.replaceAll(',', ''));
  if (/^\d+(?:\.\d+)?$/.test(plain)) return Number(plain);
  return null;
}

const areJoined = (tokens: readonly Token[], from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (tokens[at]?.end !== tokens[at + 1]?.start) return false;
  return true;
};

/** Whether both say the same amount, in whatever unit of the same dimension; a date that says less is the same as one that says more. */
export function sameQuantity(said: Quantity, source: Quantity): boolean {
  if (said.kind === 'date' || source.kind === 'date') {
    if (said.kind !== source.kind || said.date === undefined || source.date === undefined) return false;
    for (const part of ['day', 'month', 'year'] as const)
      if (said.date[part] !== null && said.date[part] !== source.date[part]) return false;
    return true;
  }
  if (said.kind !== source.kind) return false;
  const near = Math.abs(said.value - source.value) <= 1e-9 * Math.max(1, Math.abs(source.value));
  return near && said.unit?.dimension === source.unit?.dimension;
}
