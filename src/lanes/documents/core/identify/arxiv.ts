/** Numbers of arXiv: `2104.07268` since April 2007, `hep-th/9901001` before (arxiv.org/help/arxiv_identifier). */

const NEW = String.raw`\d{4}\s?\.\s?\d{4,5}`;
const OLD = String.raw`[a-z]{2,10}(?:-[a-z]{2,5})?(?:\.[a-z]{2})?\s?/\s?\d{7}`;
const PATTERN = new RegExp(
  String.raw`(?:ar\s?xiv\s?(?:e-?prints?|preprint)?\s?[:.]\s?(?:ar\s?xiv\s?:\s?)?|arxiv\.org/(?:abs|pdf|html|format|ps)/|10\.48550/arxiv\.)` +
    String.raw`(?<number>${NEW}|${OLD})(?<version>v\d{1,2})?(?![\d/])`,
  'gi',
);

/** Of before 2007, where reports stood under it: an archive's number alone on its line, without a label. */
const BARE =
  /^[ ]*((?:hep-(?:th|ph|ex|lat)|gr-qc|astro-ph|cond-mat|quant-ph|nucl-(?:th|ex)|math(?:-ph)?(?:\.[a-z]{2})?|nlin(?:\.[a-z]{2})?|physics|cs(?:\.[a-z]{2})?|q-bio)\/\d{7})(v\d{1,2})?[ ]*$/gim;

/** The stamp on the left edge is turned: readers give its letters one by one, or from the end. */
const [A_PART, GAP] = [String.raw`[\s|]{1,3}`, String.raw`[\s|]{0,3}`];
const apart = (word: string, gap: string): string => [...word].join(gap);
const LETTERS = new RegExp(
  `${apart('arxiv', A_PART)}${GAP}:${GAP}(?<number>(?:[a-z]${GAP}){2,8}(?:-${GAP}(?:[a-z]${GAP}){2,5})?/${GAP}(?:\\d${GAP}){6}\\d|` +
    `(?:\\d${GAP}){4}\\.${GAP}(?:\\d${GAP}){3}\\d(?:${GAP}\\d)?)(?:${A_PART}(?<version>v${GAP}\\d))?`,
  'gi',
);
const BACKWARDS = new RegExp(
  `(?:(?<version>\\d${GAP}v)${GAP})?(?<number>\\d${GAP}(?:\\d${GAP}){3,4}\\.${GAP}(?:\\d${GAP}){4}):${GAP}${apart('viXra', GAP)}`,
  'g',
);

/** Since January 2015 a number has five figures behind its point, before it four. */
function turned(text: string): FoundArxiv[] {
  const found = (match: RegExpExecArray, turn: (piece: string) => string): FoundArxiv[] => {
    const given = match.groups?.['number'] ?? '';
    const number = turn(given.replaceAll(/[\s|]/g, '')).toLowerCase();
    const figures = Number(number.slice(0, 4)) >= 1501 ? 10 : 9;
    const value = number.includes('/') ? number : number.slice(0, figures);
    if (!isArxiv(value) || (!number.includes('/') && value.length < figures)) return [];
    const version = turn((match.groups?.['version'] ?? '').replaceAll(/[\s|]/g, ''));
    const start = match.index + match[0].indexOf(given);
    return [{ value: `${value}${version}`, start, end: start + given.trimEnd().length }];
  };
  return [
    ...[...text.matchAll(LETTERS)].flatMap((match) => found(match, (piece) => piece)),
    ...[...text.matchAll(BACKWARDS)].flatMap((match) => found(match, (piece) => [...piece].toReversed().join(''))),
  ];
}

export interface FoundArxiv {
  /** With its version, where one is given. */
  value: string;
  start: number;
  end: number;
}

/** Those with their label or address; a bare number says nothing. In the order of the text. */
export function findArxivs(text: string): FoundArxiv[] {
  const bare = [...text.matchAll(BARE)].flatMap((match): FoundArxiv[] => {
    const value = (match[1] ?? '').toLowerCase() + (match[2] ?? '');
    const start = match.index + match[0].search(/\S/);
    return isArxiv(match[1] ?? '') ? [{ value, start, end: start + value.length }] : [];
  });
  const labelled = [...text.matchAll(PATTERN)].flatMap((match) => {
    const number = (match.groups?.['number'] ?? '').replaceAll(/\s/g, '').toLowerCase();
    if (!isArxiv(number)) return [];
    const length = (match.groups?.['number'] ?? '').length + (match.groups?.['version'] ?? '').length;
    const end = match.index + match[0].length;
    return [{ value: `${number}${match.groups?.['version'] ?? ''}`, start: end - length, end }];
  });
  return [...labelled, ...bare, ...turned(text)].toSorted((a, b) => a.start - b.start);
}

/** Years and months that exist: `YYMM.` since 2007, `/YYMM` before. */
function isArxiv(number: string): boolean {
  const [, year = '', month = ''] = /(?:^|\/)(\d\d)(\d\d)/.exec(number) ?? [];
  return Number(month) >= 1 && Number(month) <= 12 && (number.includes('/') || Number(year) >= 7);
}
