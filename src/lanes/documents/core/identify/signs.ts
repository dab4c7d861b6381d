/** What speaks for or against an identifier being the document's own: where it stands, and the words before it. */
import type { FoundIdentifier } from './identifier.ts';
import { FRONT, type Layout } from './layout.ts';

export interface Sign {
  /** A sentence's part for a person. */
  text: string;
  /** Above 0: for it. */
  weight: number;
}

/** On so many pages stands what heads or foots each of them. */
const RUNNING = 3;
/** So far down stand the title, the authors and what is said of the whole. UTF-16 units. */
const HEAD = 1_500;
/** Words before a mention that are read. */
const BEFORE = 220;

/** Registrants who hold data and programs (datacite.org lists them). */
const DATA_REGISTRANT =
  /^10\.(?:5061|6084|5281|17605|17632|7910|1594|3334|15468|5067|5066|5878|17863|6073|6075|24433|18112|25387|13012|48321)\//;
/** A journal's own DOI: its ISSN, or nothing but the journal. */
export const JOURNAL = /\/\(?issn\)?|^10\.\d+\/\d{4}-\d{3}[\dx]$|\/issn\./;
/** Words for data and programs in running text, and what is said of where they are. */
const DATA =
  /\b(?:data(?:[ -]?sets?|bases?| records?)?|metadata|source code|code|software|scripts?|materials?|models?|Data Availability|DATA AVAILABILITY|Data availability|Code availability|[Zz]enodo|[Ff]igshare|[Dd]ryad|PANGAEA|Mendeley Data|Dataverse|OSF|GitHub)\b/;
const KEPT =
  /\b(?:available|availability|deposited|archived?|stored|repositor(?:y|ies)|accessed|downloaded|found (?:at|in|online)|published (?:at|in|on)|hosted|provided|released|zenodo|figshare|dryad|pangaea|mendeley|dataverse|osf|github)\b/i;
const OTHER =
  /\b(?:correct(?:s|ed|ion) (?:of|to|for)|correct(?:s|ed) (?:the |this )?article|corrigendum (?:to|for)|erratum (?:to|for|in)|original (?:article|publication|paper|version)|(?:the )?article (?:has been |was )?(?:corrected|retracted)|retract(?:s|ed|ion) (?:of|the)|(?:retraction|correction|corrigendum|erratum|addendum|expression of concern)(?: note)? (?:to|for)|comment(?:ary)? on|reply to|response to|rejoinder to|translat(?:ion of|ed from)|supersed(?:es|ed by)|supplement to|companion (?:article|paper)|preceding (?:article|paper)|previous (?:article|paper|version)|earlier (?:article|paper|version)|related (?:article|paper)|see also|protocol|this (?:article|paper) (?:relates|refers) to|editorial on|refers? to)\b/i;
/** Before an identifier on its own line: what it leads to is no article, or another one. */
const LEADS_ELSEWHERE =
  /\b(?:peer[ -]?reviews?(?: (?:reports?|history|files?))?|review(?:er)?s?'? (?:reports?|comments)|decision letter|author response|support(?:ing|ive) information|supplement(?:ary|al) (?:materials?|information|data|files?|tables?|figures?|videos?|methods|notes?)|supplements?|video abstracts?|posters?|slides|fund(?:ed by|er|ing)|grants?|(?:later|now|since|subsequently) published|published (?:later|since)|part (?:[ivx]+|\d+|one|two|three) (?:is|was|appears|appeared|can be found)|book reviews?)\b[^\n]*$/i;
/** Organisations that fund (Crossref's registry): never a document. */
const FUNDER = /^10\.13039\//;
const CITE =
  /\b(?:(?:how to )?cite (?:this|as)|to cite|please cite|cit(?:e|ation) (?:this )?(?:article|paper|chapter|as)|citation:|suggested citation|recommended citation|reference format|zitierweise|pour citer|c[oó]mo citar|come citare|how to cite)/i;
/** What publishers print beside the DOI of the article itself. */
const IMPRINT =
  /(?:received|accepted|published(?: online)?|revised|©|\(c\)|copyright|all rights|issn|open access|journal of|\bvol(?:ume)?\b|\bissn\b|licen[cs]e|preprint|posted)/i;
const LABELLED = /(?:doi[:\s.]*|doi\.\s?org\/|digital object identifier[:\s]*)\s*$/i;
/** Behind the number in arXiv's stamp: its class and the day. */
const STAMP =
  /^\s*(?:\[[a-z-]+(?:\.[a-z-]+)?\]\s*)?\d{1,2}\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\s+\d{4}/i;
/** Before a number that begins its line. */
const HEADS = /(?:^|\n)\s*(?:e-?print|preprint|available (?:as|at)|published as)?[\s:,]*arxiv\s*:\s*$/i;
/** The start of an entry of a list: number in brackets or with a full stop, then a name. */
const ENTRY = /^\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\d{1,3}[.)])\s*\p{Lu}/u;

/** The text around the identifiers, and what is known of it. */
export interface Surroundings {
  source: string;
  /** Lists of references. */
  lists: readonly { start: number; end: number }[];
  /** Where each identifier of the text ends. */
  ends: readonly number[];
  layout: Layout;
}

/** `mentions`: those of the reading. */
export function signsOf(
  text: Surroundings,
  reading: { kind: FoundIdentifier['kind']; value: string; start: number; end: number },
  mentions: readonly FoundIdentifier[],
): Sign[] {
  const { source, ends, layout } = text;
  if (reading.kind === 'isbn') return isbnSigns(text, mentions);
  if (reading.kind === 'arxiv') return arxivSigns(text, mentions);
  const signs: Sign[] = [];
  const sign = (text: string, weight: number): number => signs.push({ text, weight });
  const whole = mentions.filter(({ value }) => value === reading.value);
  const places = whole.map(({ start }) => placeOf(text, start));
  const words = whole.map(({ start }) => wordsBefore(source, start, ends));
  if (places.includes('front')) sign('stands on the title page', 3);
  else if (places.includes('back') && words.some((text) => CITE.test(text))) sign('stands in how to cite it', 3);
  else if (places.includes('back') && words.some((text) => IMPRINT.test(text))) sign('stands in the imprint', 2);
  if (layout.running.has(reading.value)) sign('stands in the margin, page after page', 3);
  else if (whole.length >= RUNNING && spread(whole) > FRONT) sign(`stands ${whole.length} times, page after page`, 3);
  if (mentions.length > whole.length) sign('figures and tables carry it', 2);
  if (words.some((text) => CITE.test(text)) && places[0] !== 'back') sign('"cite this as" stands before it', 2);
  if (words.some((text) => LABELLED.test(text))) sign('is labelled', 0.5);
  if (DATA_REGISTRANT.test(reading.value) && !whole.some((one) => isReport(text, one)))
    sign('is of a registrant of data', -5);
  else if (words.every((text) => isData(sentenceOf(text)))) sign('is said to be data', -4);
  if (words.every((text) => OTHER.test(sentenceOf(text)))) sign('is another article that this one names', -4);
  if (FUNDER.test(reading.value)) sign('is a funder', -6);
  if (whole.every(({ start }) => LEADS_ELSEWHERE.test(lineBefore(source, start, ends))))
    sign('its line says that it is something else', -4);
  if (whole.every(({ start }) => isEntry(source, start, ends))) sign('stands in an entry of a list', -3);
  if (whole.every((one) => isInline(source, one))) sign('stands within a sentence', -3);
  return signs;
}

function arxivSigns({ source, layout }: Surroundings, mentions: readonly FoundIdentifier[]): Sign[] {
  const labelled = mentions.filter(({ start }) => /arxiv\s*:\s*$/i.test(source.slice(Math.max(0, start - 12), start)));
  if (labelled.some(({ end }) => STAMP.test(source.slice(end, end + 50))))
    return [{ text: 'is the stamp of arXiv', weight: 5 }];
  const heads = labelled.some(
    ({ start }) => start < layout.front && HEADS.test(source.slice(Math.max(0, start - 60), start)),
  );
  return heads ? [{ text: 'stands alone on the title page', weight: 3 }] : [];
}

function isbnSigns({ source, layout }: Surroundings, mentions: readonly FoundIdentifier[]): Sign[] {
  const front = mentions.filter(({ start }) => start < layout.front);
  const signs: Sign[] = [];
  if (front.length > 0) signs.push({ text: 'stands on the title pages', weight: 2 });
  if (front.some(({ start }) => /isbn[^\n]{0,30}$/i.test(source.slice(Math.max(0, start - 60), start))))
    signs.push({ text: 'is labelled', weight: 1 });
  if (mentions.every(({ start }) => isEntry(source, start, [])))
    signs.push({ text: 'stands in an entry of a list', weight: -3 });
  return signs;
}

function placeOf({ source, lists, layout }: Surroundings, start: number): 'front' | 'body' | 'back' {
  if (start < layout.front) return 'front';
  const end = lists.at(-1)?.end ?? 0;
  return start >= layout.back || (end > 0 && start >= end && start > source.length / 2) ? 'back' : 'body';
}

const spread = (mentions: readonly FoundIdentifier[]): number =>
  (mentions.at(-1)?.start ?? 0) - (mentions[0]?.start ?? 0);

/** The words before it, back to the identifier before. `ends`: where each identifier of the text ends. */
function wordsBefore(source: string, start: number, ends: readonly number[]): string {
  return source.slice(Math.max(lastBefore(ends, start), start - BEFORE), start);
}

/** What of its line stands before it, back to the identifier before. */
function lineBefore(source: string, start: number, ends: readonly number[]): string {
  return source.slice(
    Math.max(lastBefore(ends, start), source.lastIndexOf('\n', start - 1) + 1, start - BEFORE),
    start,
  );
}

/** Where the identifier before ends; 0 without one. */
const lastBefore = (ends: readonly number[], start: number): number => ends.findLast((end) => end <= start) ?? 0;

const isData = (sentence: string): boolean => DATA.test(sentence) && KEPT.test(sentence);

/** Early on the title page, alone on its line, and no word of data before it: reports are kept where data are. */
function isReport({ source, ends, layout }: Surroundings, { start, end }: FoundIdentifier): boolean {
  if (start >= Math.min(layout.front, HEAD)) return false;
  const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
  const rest = /^[^\n]*/.exec(source.slice(end))?.[0] ?? '';
  const isAlone = rest.trim() === '' && /^\s*(?:doi\s*:?\s*)?(?:https?:\/\/(?:dx\.)?doi\.org\/)?$/i.test(line);
  return isAlone && !DATA.test(wordsBefore(source, start, ends));
}

/** `Phys. Rev.`, `Res. Lett.`: one short word behind another, each with its full stop, is a journal's name. */
const ABBREVIATED = /\b\p{Lu}\p{Ll}{0,5}\.\s+\p{Lu}\p{Ll}{0,5}\.$/u;

/** The sentence that is under way: behind the last full stop with a capital after it that ends no initial and no abbreviation. */
function sentenceOf(before: string): string {
  const stops = [...before.matchAll(/(?<!\b\p{Lu})[.!?]\s+(?=\p{Lu})/gu)];
  const at = stops.findLast(({ index }) => {
    const next = /^[.!?]\s+\p{Lu}\p{Ll}{0,5}\./u.exec(before.slice(index))?.[0];
    return next === undefined || !ABBREVIATED.test(before.slice(Math.max(0, index - 8), index) + next);
  });
  return at ? before.slice(at.index) : before;
}

/** Whether the line, or one of the three before it, begins as an entry of a list does. */
function isEntry(source: string, start: number, ends: readonly number[]): boolean {
  const lines = source
    .slice(Math.max(lastBefore(ends, start), start - 500), start)
    .split('\n')
    .slice(-4);
  return lines.some((line, i) => ENTRY.test(line) && /\b(?:1[89]|20)\d\d\b/.test(lines.slice(i).join(' ')));
}

/** "(doi:...) In the trial": in brackets, behind words and before words. */
function isInline(source: string, { start, end }: { start: number; end: number }): boolean {
  const before = source
    .slice(Math.max(0, start - 80), start)
    .replace(/(?:https?:\/\/)?(?:dx\.)?doi(?:\.org)?[:/\s]*$/i, '');
  return /\p{Ll}{3,}[\s\n]+[([]\s*$/u.test(before) && /^\s*[)\]]/.test(source.slice(end, end + 3));
}
