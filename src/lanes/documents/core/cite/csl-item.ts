/** A record as CSL-JSON, for styles and for export. */
import type { DocumentRecord } from '#core/documents/record.ts';

export interface CslName {
  family?: string;
  given?: string;
  'non-dropping-particle'?: string;
  suffix?: string;
  /** A group, or a name of one word. */
  literal?: string;
}

export interface CslItem {
  id: string;
  type: 'article-journal' | 'article' | 'book';
  title?: string;
  author?: CslName[];
  'container-title'?: string;
  publisher?: string;
  issued?: { 'date-parts': [number, ...number[]][] };
  DOI?: string;
  ISBN?: string;
  URL?: string;
}

/** What has an ISBN of its own, or is listed as one, is a book, whose publication is its publisher; what stands in nothing is an article by itself. */
export function cslItemOf(record: DocumentRecord & { kind?: unknown }, id: string): CslItem {
  const { title, publication, date, year, doi, isbn, source_url: url } = record;
  const isBook = isbn !== '' || record.kind === 'book';
  const names = record.authors.flatMap((name) => (name.trim() === '' ? [] : [cslNameOf(name)]));
  const [first, ...rest] = date.split('-').map(Number).filter(Number.isInteger);
  const parts: [number, ...number[]] | null =
    first === undefined || first === 0 ? (year === null ? null : [year]) : [first, ...rest];
  return {
    id,
    type: isBook ? 'book' : publication === '' ? 'article' : 'article-journal',
    ...(title === '' ? {} : { title }),
    ...(names.length === 0 ? {} : { author: names }),
    ...(publication === '' ? {} : isBook ? { publisher: publication } : { 'container-title': publication }),
    ...(parts === null ? {} : { issued: { 'date-parts': [parts] } }),
    ...(doi === '' ? {} : { DOI: doi }),
    ...(isbn === '' ? {} : { ISBN: isbn }),
    ...(doi !== '' || url === '' ? {} : { URL: url }),
  };
}

const SUFFIX = /^(?:Jr|Sr|II|III|IV)\.?$/i;
/** They stand before a family name and are part of it. */
const PARTICLE = /^(?:v[ao]n|zu[mr]?|de[nrlsm]?|d[aoiu]s?|dal|della|l[aeo]s?|te[nr]|af|av|bin|ibn|el|al|y)$/;
/** Groups are cited as they are called. */
const GROUP =
  /\b(?:organi[sz]ation|universit\w+|institut\w*|consortium|collaboration|group|team|network|committee|council|commission|association|society|foundation|agency|ministry|department|centre|center|laborator\w+|initiative|project|task force|working group|investigators|members|union|bank|board|office|bureau|service|federation|academy|college|museum|library|press|inc|ltd|gmbh|corporation|company)\b/i;

/** `Ana van der Berg Jr.`, `Garcia, Ana`, `World Health Organization`. */
export function cslNameOf(name: string): CslName {
  const text = name.replaceAll(/\s+/g, ' ').trim();
  if (/\S,\s*\S/.test(text)) {
    const [family = '', ...rest] = text.split(/\s*,\s*/);
    const suffix = rest.find((part) => SUFFIX.test(part));
    const given = rest.filter((part) => part !== suffix).join(' ');
    if (!GROUP.test(text)) return named(family.split(' '), given, suffix);
  }
  const words = text.split(' ');
  const suffix = words.length > 2 && SUFFIX.test(words.at(-1) ?? '') ? words.pop() : undefined;
  if (words.length < 2 || GROUP.test(text)) return { literal: text };
  const particle = words.findIndex((word, i) => i > 0 && i < words.length - 1 && PARTICLE.test(word));
  const at = particle < 0 ? words.length - 1 : particle;
  return named(words.slice(at), words.slice(0, at).join(' '), suffix);
}

function named(words: readonly string[], given: string, suffix: string | undefined): CslName {
  const at = words.findIndex((word, i) => i === words.length - 1 || !PARTICLE.test(word));
  const particle = words.slice(0, at).join(' ');
  return {
    family: words.slice(at).join(' '),
    ...(given === '' ? {} : { given }),
    ...(particle === '' ? {} : { 'non-dropping-particle': particle }),
    ...(suffix === undefined ? {} : { suffix }),
  };
}
