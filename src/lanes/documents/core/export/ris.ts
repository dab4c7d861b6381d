import { cslItemOf, type CslName } from '../cite/csl-item.ts';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';

const TYPES = { 'article-journal': 'JOUR', article: 'GEN', book: 'BOOK' } as const;

/** One reference of RIS (2011's tags). */
export function risOf(entry: ManifestEntry): string {
  const item = cslItemOf(entry, '');
  const [year, month, day] = item.issued?.['date-parts'][0] ?? [];
  const two = (value: number | undefined): string => (value === undefined ? '' : String(value).padStart(2, '0'));
  const lines: [tag: string, value: string][] = [
    ['TY', TYPES[item.type]],
    ['TI', entry.title],
    ...(item.author ?? []).map((name): [string, string] => ['AU', nameOf(name)]),
    [item.type === 'book' ? 'PB' : 'T2', entry.publication],
    ['PY', year === undefined ? '' : String(year)],
    ['DA', year === undefined ? '' : `${year}/${two(month)}/${two(day)}/`],
    ['DO', entry.doi],
    ['SN', entry.isbn],
    ['UR', entry.source_url],
    ['L1', entry.filename],
    ...entry.tags.map((tag): [string, string] => ['KW', tag]),
  ];
  const said = lines.flatMap(([tag, value]) =>
    value === '' ? [] : [`${tag}  - ${value.replaceAll(/\s+/g, ' ')}\r\n`],
  );
  return `${said.join('')}ER  - \r\n\r\n`;
}

function nameOf({ family = '', given, suffix, literal, 'non-dropping-particle': particle }: CslName): string {
  if (literal !== undefined) return literal;
  const whole = particle === undefined ? family : `${particle} ${family}`;
  return [whole, given, suffix].filter((part) => part !== undefined).join(', ');
}
