/** `author:`, `year:` and `doi:` in what is looked for: which documents are wanted, beside the words. */
import { foldText } from '#core/text/fold.ts';
import type { DocumentFacts } from './document-facts.ts';

export interface AskedDocuments {
  /** What is left of the question. */
  words: string;
  /** Null where nothing is asked of documents. */
  fits: ((facts: DocumentFacts) => boolean) | null;
}

type Fits = NonNullable<AskedDocuments['fits']>;

/** `author:quist`, `author:"le guin"`, `year:2019`, `year:2015-2019`, `doi:10.1/x`; what follows a blank is words. */
const FIELD = /(?<=^|\s)(author|year|doi):(?:"([^"]*)"|([^\s"]+))(?=$|\s)/giu;

export function readAsked(question: string): AskedDocuments {
  const all: Fits[] = [];
  const words = question.replaceAll(FIELD, (whole: string, name: string, quoted?: string, plain?: string) => {
    const value = (quoted ?? plain ?? '').trim();
    const one = FIELDS[name.toLowerCase()]?.(value) ?? null;
    if (one !== null) all.push(one);
    return one === null ? whole : ' ';
  });
  if (all.length === 0) return { words: question, fits: null };
  return { words: words.trim(), fits: (facts) => all.every((one) => one(facts)) };
}

const FIELDS: Readonly<Record<string, (value: string) => Fits | null>> = { author, year, doi };

/** Every word of it begins a word of one author's name. */
function author(value: string): Fits | null {
  const wanted = foldText(value)
    .split(' ')
    .filter((word) => word !== '');
  if (wanted.length === 0) return null;
  return ({ authors }) =>
    authors.some((name) => {
      const own = foldText(name).split(' ');
      return wanted.every((word) => own.some((part) => part.startsWith(word)));
    });
}

function year(value: string): Fits | null {
  const read = /^(\d{4})?(-|–)?(\d{4})?$/.exec(value);
  const [, first, until, last] = read ?? [];
  if (first === undefined && last === undefined) return null;
  const [from, to] = [Number(first ?? 0), Number(until === undefined ? first : (last ?? 9999))];
  return (facts) => facts.year !== null && facts.year >= from && facts.year <= to;
}

/** All of it, or what comes before its blank end: `10.1000/`. */
function doi(value: string): Fits | null {
  const wanted = value.toLowerCase().replace(/^(?:https?:\/\/)?(?:dx\.)?doi\.org\//, '');
  if (!/^10\.\d/.test(wanted)) return null;
  const whole = wanted.includes('/') && !wanted.endsWith('/');
  return (facts) => (whole ? facts.doi.toLowerCase() === wanted : facts.doi.toLowerCase().startsWith(wanted));
}
