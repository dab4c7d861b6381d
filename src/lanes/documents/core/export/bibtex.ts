import { cslItemOf, type CslName } from '../cite/csl-item.ts';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';

const TYPES = { 'article-journal': 'article', article: 'misc', book: 'book' } as const;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** One entry of BibTeX (UTF-8, which biber and BibTeX's successors read). */
export function bibtexOf(entry: ManifestEntry, key: string): string {
  const item = cslItemOf(entry, key);
  const [year, month] = item.issued?.['date-parts'][0] ?? [];
  const fields: [name: string, value: string][] = [
    // Twice in braces: no style changes its capitals.
    ['title', `{${latex(entry.title)}}`],
    ['author', (item.author ?? []).map(nameOf).join(' and ')],
    [
      item.type === 'book' ? 'publisher' : item.type === 'article' ? 'howpublished' : 'journal',
      latex(entry.publication),
    ],
    ['year', year === undefined ? '' : String(year)],
    ['doi', verbatim(entry.doi)],
    ['isbn', verbatim(entry.isbn)],
    ['url', verbatim(entry.source_url)],
    ['file', verbatim(entry.filename)],
    ['keywords', entry.tags.map(latex).join(', ')],
  ];
  const said = fields.flatMap(([name, value]) => (value === '' || value === '{}' ? [] : [`  ${name} = {${value}},\n`]));
  const monthLine = month === undefined ? '' : `  month = ${MONTHS[month - 1]},\n`;
  return `@${TYPES[item.type]}{${key},\n${said.join('')}${monthLine}}\n`;
}

/** `{World Health Organization}`, `van der Berg, Jr., Ana`. */
function nameOf({ family = '', given, suffix, literal, 'non-dropping-particle': particle }: CslName): string {
  if (literal !== undefined) return `{${latex(literal)}}`;
  const whole = particle === undefined ? family : `${particle} ${family}`;
  return [whole, suffix, given].flatMap((part) => (part === undefined ? [] : [latex(part)])).join(', ');
}

const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['\\', String.raw`\textbackslash{}`],
  ['{', String.raw`\{`],
  ['}', String.raw`\}`],
  ['~', String.raw`\textasciitilde{}`],
  ['^', String.raw`\textasciicircum{}`],
]);

const latex = (text: string): string =>
  text.replaceAll(/[\\{}~^$&#_%]/g, (sign) => SPECIAL.get(sign) ?? `\\${sign}`).replaceAll(/\s+/g, ' ');

/** Fields that are read as they stand; only a brace would end them. */
const verbatim = (text: string): string =>
  text.replaceAll(/[{}\\]/g, (sign) => encodeURIComponent(sign)).replaceAll(/\s+/g, ' ');
