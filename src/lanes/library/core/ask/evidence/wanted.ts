/** Whether a sentence has what a question asks for. */
import type { SubQuestion } from '../question/question.types.ts';
import { keyOf } from '../words/lemma.ts';
import { quantitiesOf } from '../words/quantities.ts';
import { tokensOf } from '../words/tokens.ts';

const REASON =
  /\b(?:failed|fails|broke|broken|damaged|destroyed|because|since|due to|owing to|caused?|causes|causing|reasons?|so that|in order to|as a result|results? (?:in|from)|led to|leads to|therefore|thus|hence|thanks to|explains?|in an? (?:attempt|effort)|for fear|to avoid|to prevent|to (?!the\b|a\b|an\b|\d)\p{Ll}+)\b/iu;
const PLACE =
  /\b(?:in|at|on|near|from|to|behind|beside|under|above|between|within|north|south|east|west)\s+(?:the\s+)?\p{L}/iu;
const WEEKDAY = /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|christmas|easter|noon|midnight|weekends?)\b/i;
const MANY =
  /\b(?:no|none|some|several|many|few|most|all|both|every|each|once|twice|half|dozens?|hundreds|thousands|millions)\b/i;

/** 1 it has, 0 it has not, 0.5 nobody can say from its words. What the question itself says does not count. */
export function holdsWanted({ wants, text: question }: SubQuestion, text: string): number {
  switch (wants) {
    case 'person':
      return hasNewName(question, text) ? 1 : 0;
    case 'time':
      return timesIn(question, text) || WEEKDAY.test(text)
        ? 1
        : /\b(?:when|after|before|until|during|since|always|never|daily|every|at all times|once|now|today|ago|century|decade)\b/i.test(
              text,
            )
          ? 0.6
          : 0;
    case 'number':
      return measuresAnother(question, text) ? 0.2 * amountWanted(question, text) : amountWanted(question, text);
    case 'place':
      return hasNewName(question, text) ? 1 : PLACE.test(text) ? 0.7 : 0;
    case 'reason':
      return REASON.test(text) ? 1 : 0.3;
    case 'manner':
      return /\b(?:by|through|with|via|using|so|thus)\b/i.test(text) ? 0.7 : 0.5;
    case 'choice':
    case 'yes or no':
    case 'thing':
      return 0.5;
  }
}

/** Whether a word only names what is measured: an amount of the right kind says as much. */
export const isMeasureWord = (word: string): boolean => MEASURES.test(word);
const MEASURES =
  /^(?:costs?|price|prices|weighs?|weight|length|height|depth|width|draught|distance|altitude|elevation|diameter|temperature|percentage|share|proportion|duration|fee|amount|number|level|value)$/i;

/** "Propeller of the boat 1,840": what is measured is not the boat. */
function measuresAnother(question: string, text: string): boolean {
  const match = /^[^\p{L}\p{N}]*(?:the\s+)?(\p{L}+)\s+(?:of|for)\s/iu.exec(text);
  const head = match?.[1];
  return head !== undefined && !keysIn(question).has(keyOf(head.toLowerCase()));
}

const keysIn = (text: string): Set<string> => new Set(tokensOf(text).map(({ key }) => key));

/** What measures what a question asks for; null: anything. */
const DIMENSIONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(?:cost|costs|price|fee|wage|salary|budget|paid|pay|worth|earn|expensive)\b/i,
    ['crown', 'dollar', 'euro', 'pound', 'yen', 'franc', 'rupee', ''],
  ],
  [
    /\b(?:length|height|depth|width|draught|distance|altitude|elevation|diameter|how (?:high|tall|deep|wide|far))\b/i,
    ['length', ''],
  ],
  [/\b(?:weight|mass|weigh|weighs|how heavy)\b/i, ['mass', '']],
  [/\b(?:temperature|how (?:hot|cold|warm))\b/i, ['temperature', 'temperature_f', 'temperature_k', 'angle', '']],
  [/\b(?:percentage|percent|per cent|share|proportion)\b/i, ['percent', '']],
  [
    /\b(?:duration|how long (?:does|did|do|will|is|was|has|have|ago|before|after)|how old|age)\b/i,
    ['time', 'length', ''],
  ],
];

function amountWanted(question: string, text: string): number {
  const said = new Set(quantitiesIn(question).map((one) => `${one.kind} ${one.value}`));
  const allowed = DIMENSIONS.find(([pattern]) => pattern.test(question))?.[1] ?? null;
  const isMeasure = allowed !== null && !/\bhow many\b/i.test(question);
  const counts = countedWord(question);
  let found = 0;
  for (const { kind, value, unit, text: amount } of quantitiesIn(text)) {
    if (said.has(`${kind} ${value}`) || kind === 'ordinal') continue;
    if (kind !== 'amount') found = Math.max(found, 0.4);
    // `how many jackets`: jackets must be what is counted, here or before a list of names.
    else if (counts !== null) found = Math.max(found, isCounted(text, amount, counts) ? 1 : 0.6);
    // A bare number may count anything: it measures nothing where something else stands behind it.
    else if (!isMeasure) found = 1;
    else if (unit !== null && allowed.includes(unit.dimension)) found = 1;
    else if (unit === null && allowed.includes('') && !standsBefore(text, amount)) found = Math.max(found, 0.7);
  }
  if (found > 0) return found;
  if (counts !== null) return new RegExp(`${MANY.source}[^.;]{0,25}\\b${counts.slice(0, 5)}`, 'i').test(text) ? 0.4 : 0;
  return MANY.test(text) ? 0.4 : 0;
}

/** The noun of "how many ...": the last word before the verb, in its first letters. */
function countedWord(question: string): string | null {
  const match =
    /\bhow many ((?:[\p{L}-]+ ){0,3}?)([\p{L}-]+) (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|may|must|should|of|in|on|per|there)\b/iu.exec(
      question,
    );
  return match?.[2]?.toLowerCase().replace(/(?:ies|es|s)$/, '') ?? null;
}

/** A word that it counts follows. */
const standsBefore = (text: string, amount: string): boolean =>
  /^\s+\p{L}/u.test(text.slice(text.indexOf(amount) + amount.length));

function isCounted(text: string, amount: string, noun: string): boolean {
  const at = text.indexOf(amount);
  const behind = text.slice(at + amount.length, at + amount.length + 40).toLowerCase();
  return behind.includes(noun.slice(0, 5)) || amount.toLowerCase().includes(noun.slice(0, 5));
}

const timesIn = (question: string, text: string): boolean => {
  const said = new Set(quantitiesIn(question).map((one) => one.text));
  return quantitiesIn(text).some(
    (one) => !said.has(one.text) && (one.kind === 'date' || one.kind === 'time' || one.unit?.dimension === 'time'),
  );
};

const quantitiesIn = (text: string): ReturnType<typeof quantitiesOf> => {
  let known = kept.get(text);
  if (known === undefined) {
    if (kept.size > 20_000) kept.clear();
    kept.set(text, (known = quantitiesOf(tokensOf(text), text)));
  }
  return known;
};
const kept = new Map<string, ReturnType<typeof quantitiesOf>>();

/** A word with a capital that the question has not, and that no sentence begins with. */
function hasNewName(question: string, text: string): boolean {
  const said = question.toLowerCase();
  for (const { 0: name, index } of text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+/gu)) {
    const begins = /(?:^|[.!?:]\s*["“*_]*)$/u.test(text.slice(0, index));
    const isFull = /^\s+\p{Lu}\p{Ll}/u.test(text.slice(index + name.length));
    if ((!begins || isFull) && !said.includes(name.toLowerCase())) return true;
  }
  return false;
}
