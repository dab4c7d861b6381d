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
  /\b(?:correct(?:s|ed|ion) (?:of|to|for)|correct(?:s|ed) (?:the |this )?article|corrigendum (?:to|for)|erratum (?:to|for|in)|original (?:article|publication|paper|version)|(?:the )?article (?:has been |was )?(?:corrected|retracted)|retract(?:s|ed|ion) (?:of|the)|(?:retraction|correction|corrigendum|erratum|addendum|expression of concern)(?: note)? (?:to|for)|comment(?:ary)? on|reply to|response to|rejoinder to|translat(?:ion of|ed from)|supersed(?:es|ed by)|supplement to|companion (?:article|paper)|preceding (?:article|paper)|previous (?:article|paper|version)|earlier (?:article|paper|version)|related (?:article|paper)|see also|protocol|this (?:article|paper) (?:relates|refers) to|editorial on|refers? to|(?:the )?(?:following|above) (?:article|paper)|in the article by|(?:article|paper|notice|note) (?:corrects|retracts|updates|replaces|amends)|version of record|published version|(?:recent|above) (?:paper|note)|companion paper|cover:)\b/i;
/** Before an identifier on its own line: what it leads to is no article, or another one. */
/** A line that begins with what it leads to: data, a registration, an archive, where something else is from. */
const LABELS_ELSEWHERE =
  /(?:^|[\s•–-])(?:(?:underlying |supporting |research |materials? and )?data(?: citation(?: \d+)?| record)?|materials?(?: and data)?|code|software|archive|repository|review|pre-?registration|(?:trial )?registration|source|quelle|reading)\s*:[^\n]*$/i;
/** What it leads to is this document. */
const THIS_ONE =
  /\bDOI of (?:this|the) (?:article|paper|note|reply|letter|report|book|chapter|thesis|volume)\s*:?\s*$/i;
const LEADS_ELSEWHERE =
  /\b(?:peer[ -]?reviews?(?: (?:reports?|history|files?))?|review(?:er)?s?'? (?:reports?|comments)|decision letter|author response|support(?:ing|ive) information|supplement(?:ary|al) (?:materials?|information|data|files?|tables?|figures?|videos?|methods|notes?)|supplements?|video abstracts?|posters?|slides|fund(?:ed by|er|ing)|grants?|(?:later|now|since|subsequently) published|published (?:later|since)|part (?:[ivx]+|\d+|one|two|three) (?:is|was|appears|appeared|can be found)|book reviews?)\b[^\n]*$/i;
/** A notice about another article says so in its heading. */
const NOTICE =
  /^[ ]*(?:statement of |notice of )?(?:retraction|errat(?:um|a)|corrigend(?:um|a)|correction|expression of concern|retraction notice)\b[^\n]{0,40}$/im;
/** `10.0021/4`: numbers of files, shelves and amendments look like it. */
const BARE_NUMBER = /^10\.\d{4}\/(?:\d{1,3}|[a-z])$/;
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
const HEADS = /(?:^|\n|\s{3})\s*(?:e-?print|preprint|available (?:as|at)|published as)?[\s:,]*arxiv\s*:\s*$/i;
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
  if (words.some((text) => THIS_ONE.test(text))) sign('is said to be of this document', 2);
  if (whole.some((one) => isAlone(source, one))) sign('stands alone on its line', 1);
  if (DATA_REGISTRANT.test(reading.value) && !whole.some((one) => isReport(text, one)))
    sign('is of a registrant of data', -5);
  else if (words.every((text) => isData(sentenceOf(text)))) sign('is said to be data', -4);
  if (words.every((text) => OTHER.test(sentenceOf(text)))) sign('is another article that this one names', -4);
  if (NOTICE.test(source.slice(0, HEAD)) && words.every((text) => OTHER.test(text)))
    sign('is what this notice is about', -4);
  if (BARE_NUMBER.test(reading.value) && !words.some((text) => LABELLED.test(text)))
    sign('is a bare number without a label', -2);
  if (FUNDER.test(reading.value)) sign('is a funder', -6);
  if (whole.every(({ start }) => leadsElsewhere(lineBefore(source, start, ends))))
    sign('its line says that it is something else', -4);
  if (whole.every(({ start }) => isEntry(source, start, ends))) sign('stands in an entry of a list', -3);
  if (whole.every((one) => isInline(source, one) || isProse(source, one))) sign('stands within a sentence', -3);
  return signs;
}

function arxivSigns({ source, layout }: Surroundings, mentions: readonly FoundIdentifier[]): Sign[] {
  const labelled = mentions.filter(({ start }) => /arxiv\s*:\s*$/i.test(source.slice(Math.max(0, start - 12), start)));
  if (labelled.some(({ end }) => STAMP.test(source.slice(end, end + 50))))
    return [{ text: 'is the stamp of arXiv', weight: 5 }];
  const isBare = mentions.some(
    ({ start, end }) =>
      start < layout.front && isAlone(source, { start, end }) && source.slice(start, end).includes('/'),
  );
  if (isBare) return [{ text: 'stands alone on the title page', weight: 3 }];
  const heads = labelled.some(
    ({ start }) => start < layout.front && HEADS.test(source.slice(Math.max(0, start - 60), start)),
  );
  return heads ? [{ text: 'stands alone on the title page', weight: 3 }] : [];
}

function isbnSigns({ source, layout }: Surroundings, mentions: readonly FoundIdentifier[]): Sign[] {
  const front = mentions.filter(({ start }) => start < layout.front);
  const signs: Sign[] = [];
  if (front.length > 0) signs.push({ text: 'stands on the title pages', weight: 2 });
  if (
    front.some(({ start }) => /isbn[^\n]{0,30}$/i.test(source.slice(Math.max(0, start - 60), start).normalize('NFKC')))
  )
    signs.push({ text: 'is labelled', weight: 1 });
  if (mentions.every((one) => one.start > offersFrom(source)))
    signs.push({ text: 'is of a book that is offered', weight: -3 });
  if (REVIEWS.test(source.slice(0, HEAD))) signs.push({ text: 'is of a book that is reviewed', weight: -3 });
  if (mentions.every((one) => isProse(source, one))) signs.push({ text: 'stands within a sentence', weight: -3 });
  if (mentions.every(({ start }) => isEntry(source, start, [])))
    signs.push({ text: 'stands in an entry of a list', weight: -3 });
  return signs;
}

/** A page of reviews: their books' ISBNs are not its own. */
const REVIEWS =
  /^[ ]*(?:book )?reviews?[ ]*$|^[ ]*(?:rezension(?:en)?|buchbesprechungen|comptes? rendus?|recensioni|reseñas)[ ]*$/im;
/** Other books of the press. */
const OFFERS =
  /^[^\n]{0,30}\b(?:also (?:from|by|available)|other (?:titles|books)|forthcoming|in the (?:museum )?shop|by the same author|weitere titel|lesetipp|du même auteur)\b/gim;
const offersFrom = (source: string): number => [...source.matchAll(OFFERS)][0]?.index ?? Infinity;

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

/** What of its line stands before it, back to the identifier before; where that is its label alone, with the line that runs into it. */
function lineBefore(source: string, start: number, ends: readonly number[]): string {
  const from = Math.max(lastBefore(ends, start), start - BEFORE);
  const at = source.lastIndexOf('\n', start - 1) + 1;
  const line = source.slice(Math.max(from, at), start);
  if (at <= from || line.replace(LABEL, '').trim() !== '') return line;
  const above = source.slice(Math.max(from, source.lastIndexOf('\n', at - 2) + 1), at - 1);
  return above.trimEnd().endsWith(':') ? `${above} ${line}` : line;
}

/** Where the identifier before ends; 0 without one. */
const lastBefore = (ends: readonly number[], start: number): number => ends.findLast((end) => end <= start) ?? 0;

const leadsElsewhere = (line: string): boolean => LEADS_ELSEWHERE.test(line) || LABELS_ELSEWHERE.test(line);

/** Signs of a line's label and address before an identifier. */
const LABEL = /(?:digital object identifier|doi|isbn)?[\s:.]*(?:https?:\/\/)?(?:(?:dx\.)?doi\.org\/)?$/i;

/** Nothing but its label on its line, and the line before does not run into it. */
function isAlone(source: string, { start, end }: { start: number; end: number }): boolean {
  const at = source.lastIndexOf('\n', start - 1) + 1;
  const rest = /^[^\n]*/.exec(source.slice(end))?.[0] ?? '';
  if (source.slice(at, start).replace(LABEL, '').trim() !== '' || rest.trim() !== '') return false;
  const above = source.slice(source.lastIndexOf('\n', at - 2) + 1, Math.max(0, at - 1)).trim();
  return (
    !/(?:[,:;(]|(?<=\s)(?:in|by|of|from|with|see|at|as|to|and|the|than|von|aus|bei|de|du|par|en))$/iu.test(above) ||
    THIS_ONE.test(above)
  );
}

/** Words of a sentence that is under way: most begin with a small letter. */
function isRunning(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}’'-]*/gu) ?? [];
  return words.length >= 4 && words.filter((word) => /^\p{Ll}/u.test(word)).length >= words.length * 0.6;
}
/** What says that the document itself is there. */
const ITSELF =
  /\b(?:this (?:article|paper|work|document|report|book)|(?:the )?(?:article|paper|version) online|online version|available (?:online|at|from)|published as|appear(?:s|ed)|cite|citation)\b/i;

/** "…, as was argued before (Ostrow 2012, 10.5555/a)", "the index computed in 10.5555/a". */
function isProse(source: string, { start, end }: { start: number; end: number }): boolean {
  const at = source.lastIndexOf('\n\n', start) + 1;
  const before = source.slice(Math.max(at, start - 240), start).replace(LABEL, '');
  if (ITSELF.test(before)) return false;
  const open = Math.max(before.lastIndexOf('('), before.lastIndexOf('['));
  const isOpen = open >= 0 && !/[)\]]/.test(before.slice(open).replaceAll(/\([^()]*\)/g, ''));
  if (isOpen && /^[^\n([]{0,40}\n?[^\n([]{0,40}[)\]]/.test(source.slice(end, end + 90)))
    return isRunning(before.slice(Math.max(0, open - 90), open));
  const line = before.slice(-90);
  return /\b(?:in|by|of|from|with|see|to|as|than|after|and|at)\s*$/.test(line) && isRunning(line);
}

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

/** A footnote, or a book of a reading list: its mark, and the words of the entry on the line before it. */
const NOTE = /^\s*(?:\[[\p{L}\d]{1,3}\]|\d{1,3}|[*†‡§¹²³⁴-⁹])\s+\S/u;

/** Whether the line, or one of the three before it, begins as an entry of a list does. */
function isEntry(source: string, start: number, ends: readonly number[]): boolean {
  const lines = source
    .slice(Math.max(lastBefore(ends, start), start - 500), start)
    .split('\n')
    .slice(-4);
  if (lines.some((line, i) => ENTRY.test(line) && /\b(?:1[89]|20)\d\d\b/.test(lines.slice(i).join(' ')))) return true;
  // Marks without brackets head affiliations, too: words of the entry stand before it on its own line, or run into it.
  const entry = lines.slice(lines.findLastIndex((line) => line.trim() === '') + 1);
  const from = entry.findLastIndex((line) => NOTE.test(line));
  const own = (entry.at(-1) ?? '').replace(LABEL, '');
  // What heads or foots the page stands beneath affiliations.
  if (from < 0 || MASTHEAD.test(own)) return false;
  if (from === entry.length - 1 && CITES.test(own)) return true;
  const runsInto = own.trim().length > 8 || /[,;]\s*$/.test(entry.at(-2) ?? '');
  return runsInto && /\b(?:1[89]|20)\d\d\b/.test(entry.slice(from).join(' '));
}
const MASTHEAD = /^\s*(?:received|accepted|published|revised|vol\b|©|\(c\)|copyright)/i;
/** A footnote that names a work without its year. */
const CITES = /\bibid\b|\b(?:see|cf|vgl|siehe|voir|zie)\b|['"‘“”»«„]/i;

/** "(doi:...) In the trial": in brackets, behind words and before words. */
function isInline(source: string, { start, end }: { start: number; end: number }): boolean {
  const before = source
    .slice(Math.max(0, start - 80), start)
    .replace(/(?:https?:\/\/)?(?:dx\.)?doi(?:\.org)?[:/\s]*$/i, '');
  return /\p{Ll}{3,}[\s\n]+[([]\s*$/u.test(before) && /^\s*[)\]]/.test(source.slice(end, end + 3));
}
