/** What speaks for or against an identifier being the document's own: where it stands, and the words before it. */
import { beginsBelow } from './article-begins.ts';
import type { FoundIdentifier } from './identifier.ts';
import { FRONT, type Layout } from './layout.ts';
import { endsOtherEntry } from './other-title.ts';

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
  /\b(?:correct(?:s|ed|ion) (?:of|to|for)|correct(?:s|ed) (?:the |this )?article|corrigendum (?:to|for)|erratum (?:to|for|in)|original (?:article|publication|paper|version)|(?:the )?article (?:has been |was )?(?:corrected|retracted)|retract(?:s|ed|ion) (?:of|the)|(?:retraction|correction|corrigendum|erratum|addendum|expression of concern)(?: note)? (?:to|for|on)|comment(?:ary)? on|reply to|response to|rejoinder to|translat(?:ion of|ed from)|supersed(?:es|ed by)|supplement to|companion (?:article|paper)|preceding (?:article|paper)|previous (?:article|paper|version)|earlier (?:article|paper|version)|related (?:article|paper)|see also|protocol|this (?:article|paper) (?:relates|refers) to|editorial on|refers? to|(?:the )?(?:following|above) (?:article|paper)|in the article by|(?:article|paper|notice|note) (?:corrects|retracts|updates|replaces|amends)|version of record|published version|(?:chapters?(?: \w{1,5})?|parts? of (?:this|the|chapter)[^.\n]{0,40}) (?:has|have|had|was|were|is|are) (?:been )?(?:previously )?(?:published|submitted|accepted|adapted|based)|(?:recent|above) (?:paper|note)|companion paper|cover:)\b/i;
/** Before an identifier on its own line: what it leads to is no article, or another one. */
/** A line that begins with what it leads to: data, a registration, an archive, where something else is from. */
const LABELS_ELSEWHERE =
  /(?:^|[\s•–-])(?:(?:underlying |supporting |research |materials? and )?data(?: citation(?: \d+)?| record)?|materials?(?: and data)?|code|software|archive|repository|review|pre-?registration|(?:trial )?registration|source|quelle|reading|also (?:available|published|by|from)|other titles?|paper)\s*:[^\n]*$/i;
/** What it leads to is this document. */
const THIS_ONE =
  /\bDOI of (?:this|the) (?:article|paper|note|reply|letter|report|book|chapter|thesis|volume)\s*:?\s*$|\b(?:these slides|this (?:presentation|poster|talk|deck|document))(?: (?:is|are) (?:available|archived|deposited) (?:at|as|under))?\s*:?\s*$/i;
const LEADS_ELSEWHERE =
  /\b(?:peer[ -]?reviews?(?: (?:reports?|history|files?))?|review(?:er)?s?'? (?:reports?|comments)|decision letter|author response|support(?:ing|ive) information|supplement(?:ary|al) (?:materials?|information|data|files?|tables?|figures?|videos?|methods|notes?)|supplements?|video abstracts?|posters?|slides|fund(?:ed by|ing)|(?<!author\/)funder|grants?|(?:later|now|since|subsequently) published|published (?:later|since)|part (?:[ivx]+|\d+|one|two|three) (?:is|was|appears|appeared|can be found)|book reviews?|read (?:more|on|the (?:full )?(?:paper|article|study|story))|full (?:paper|text|story)|(?:latest|new) (?:paper|article|publication)|link to (?:the )?(?:paper|article))\b[^\n]*$/i;
/** What covers of repositories say of the manuscript behind them. */
const VERSION =
  /\bpublished in final (?:edited )?form (?:at|as|in)\b|\bcitation for (?:the )?(?:original )?published (?:paper|version|item|article)\b/i;
/** A notice about another article says so in its heading. */
const NOTICE =
  /^[ ]*(?:statement of |notice of )?(?:retraction|errat(?:um|a)|corrigend(?:um|a)|correction|expression of concern|retraction notice)(?:\b[^\n]{0,40}|:[^\n]*|\s(?:to|for|on)\b[^\n]*)$/im;
/** `10.0021/4`: numbers of files, shelves and amendments look like it. */
const BARE_NUMBER = /^10\.\d{4}\/(?:\d{1,3}|[a-z])$/;
/** Letters to members: what they name is news of others. */
const NEWS =
  /\b(?:newsletter|(?:news|research) digest|rundbrief|lettre d.information|bolet[ií]n informativo|dear (?:members|readers|colleagues|friends))\b/i;
/** Organisations that fund (Crossref's registry): never a document. */
const FUNDER = /^10\.13039\//;
const CITE =
  /\b(?:(?:how to )?cite (?:this|as)|to cite|please cite|cit(?:e|ation) (?:this )?(?:article|paper|chapter|as)|citation:|suggested citation|recommended citation|reference format|zitierweise|pour citer|c[oó]mo citar|come citare|how to cite|для цитирования|引用格式|引用本文)/i;
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
const ENTRY = /^\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\d{1,3}[.)])\s*[\p{Lu}\p{Lo}]/u;

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
  const begins = beginsBelow(source);
  if (mentions.every(({ start }) => start < begins) && ends.some((end) => end > begins && end < begins + HEAD))
    sign('stands above where this one begins', -2);
  if (layout.running.has(reading.value)) sign('stands in the margin, page after page', 3);
  else if (whole.length >= RUNNING && spread(whole) > FRONT) sign(`stands ${whole.length} times, page after page`, 3);
  if (isBeforeContents(text, whole)) sign('stands before the contents of a volume', 2);
  if (mentions.length > whole.length) sign('figures and tables carry it', 2);
  if (words.some((text) => CITE.test(text)) && places[0] !== 'back') sign('"cite this as" stands before it', 2);
  if (words.some((text) => LABELLED.test(text))) sign('is labelled', 0.5);
  const isThis = words.some((text) => THIS_ONE.test(text.replace(LABEL, '')));
  if (isThis) sign('is said to be of this document', 2);
  if (whole.some((one) => isAlone(source, one))) sign('stands alone on its line', 1);
  if (DATA_REGISTRANT.test(reading.value) && !isThis && !whole.some((one) => isReport(text, one)))
    sign('is of a registrant of data', -5);
  else if (words.every((text) => isData(sentenceOf(text)))) sign('is said to be data', -4);
  const isVersion = words.some((text) => VERSION.test(text));
  if (isVersion) sign('is said to be where this is published', 2);
  else if (words.every((text) => OTHER.test(sentenceOf(text)))) sign('is another article that this one names', -4);
  if (NOTICE.test(source.slice(0, HEAD)) && words.every((text) => OTHER.test(belowImprint(text))))
    sign('is what this notice is about', -4);
  if (BARE_NUMBER.test(reading.value) && !words.some((text) => LABELLED.test(text)))
    sign('is a bare number without a label', -2);
  if (NEWS.test(source.slice(0, HEAD)) && !isThis && !words.some((text) => CITE.test(text)))
    sign('is told among news', -3);
  if (FUNDER.test(reading.value)) sign('is a funder', -6);
  if (!isThis && whole.every(({ start }) => leadsElsewhere(lineBefore(source, start, ends))))
    sign('its line says that it is something else', -4);
  if (whole.every(({ start }) => isEntry(source, start, entriesFrom(text, start))))
    sign('stands in an entry of a list', -3);
  else if (whole.every(({ start }) => endsOtherEntry(source, start, entriesFrom(text, start))))
    sign('ends an entry with another title', -4);
  if (!isVersion && whole.every((one) => isInline(source, one) || isProse(source, one)))
    sign('stands within a sentence', -3);
  return signs;
}

function arxivSigns({ source, layout }: Surroundings, mentions: readonly FoundIdentifier[]): Sign[] {
  const labelled = mentions.filter(({ start }) => /arxiv\s*:\s*$/i.test(source.slice(Math.max(0, start - 12), start)));
  if (
    mentions.some(
      ({ start, end }) => start < layout.front && isTurned(source.slice(start, end), source.slice(end, end + 20)),
    )
  )
    return [{ text: 'is the turned stamp of arXiv', weight: 5 }];
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

/** Letter by letter, or from the end. */
const isTurned = (given: string, behind: string): boolean =>
  (given.match(/[\s|]/g) ?? []).length >= 4 || /^\s*:\s*v\s*i\s*X\s*r\s*a/.test(behind);

function isbnSigns({ source, layout }: Surroundings, mentions: readonly FoundIdentifier[]): Sign[] {
  const front = mentions.filter(({ start }) => start < layout.front);
  const signs: Sign[] = [];
  if (front.length > 0) signs.push({ text: 'stands on the title pages', weight: 2 });
  if (front.some(({ end }) => COPY_CODE.test(source.slice(end, end + 12))))
    signs.push({ text: 'is in the code for copies', weight: 1 });
  if (
    front.some(({ start }) => /isbn[^\n]{0,30}$/i.test(source.slice(Math.max(0, start - 60), start).normalize('NFKC')))
  )
    signs.push({ text: 'is labelled', weight: 1 });
  if (mentions.every((one) => one.start > offersFrom(source)))
    signs.push({ text: 'is of a book that is offered', weight: -3 });
  if (REVIEWS.test(source.slice(0, HEAD))) signs.push({ text: 'is of a book that is reviewed', weight: -3 });
  if (mentions.every((one) => isProse(source, one))) signs.push({ text: 'stands within a sentence', weight: -3 });
  if (mentions.every(({ start }) => isEntry(source, start, 0)))
    signs.push({ text: 'stands in an entry of a list', weight: -3 });
  return signs;
}

/** Behind an ISBN of proceedings: year and fee (`/20/$31.00`). */
const COPY_CODE = /^\/(?:19|20)?\d\d\/(?:\$|\d\d)/;
/** A page of reviews: their books' ISBNs are not its own. */
const REVIEWS =
  /^[ ]*(?:book )?reviews?[ ]*$|^[ ]*(?:rezension(?:en)?|buchbesprechungen|comptes? rendus?|recensioni|reseñas)[ ]*$/im;
/** Other books of the press. */
const OFFERS =
  /^[^\n]{0,30}\b(?:also (?:from|by|available)|other (?:titles|books)|forthcoming|in the (?:museum )?shop|by the same author|weitere titel|lesetipp|du même auteur)\b/gim;
const offersFrom = (source: string): number => [...source.matchAll(OFFERS)][0]?.index ?? Infinity;

const CONTENTS =
  /^[ ]*(?:table of contents|contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|sumário|indice|目 ?次)[ ]*$/im;
/** So many identifiers behind its contents make a volume. */
const PARTS = 3;

/** Before the contents of a volume whose parts have identifiers of their own. */
function isBeforeContents({ source, ends, layout }: Surroundings, whole: readonly FoundIdentifier[]): boolean {
  const at = source.slice(0, layout.front).search(CONTENTS);
  const [first] = whole;
  return (
    first !== undefined && first.start < at && ends.filter((end) => end > at && end < layout.front).length >= PARTS
  );
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
  return source.slice(Math.max(lastBefore(ends, start), start - BEFORE), start).normalize('NFKC');
}

/** What of its line stands before it, back to the identifier before; where that is its label alone, with the line that runs into it. */
function lineBefore(source: string, start: number, ends: readonly number[]): string {
  const from = Math.max(lastBefore(ends, start), start - BEFORE);
  const at = source.lastIndexOf('\n', start - 1) + 1;
  const line = source.slice(Math.max(from, at), start);
  if (at <= from || line.replace(LABEL, '').trim() !== '') return line;
  const above = source.slice(Math.max(from, source.lastIndexOf('\n', at - 2) + 1), at - 1);
  return /[:,]$/.test(above.trimEnd()) || CALL.test(above) ? `${above} ${line}` : line;
}

/** A line that calls upon its reader to follow the next. */
const CALL = /^\s*(?:read|see|full|link to|more|latest|new|find)\b[^.\n]{0,50}$/i;

/** Where the identifier before ends; 0 without one. */
const lastBefore = (ends: readonly number[], start: number): number => ends.findLast((end) => end <= start) ?? 0;

/** "Okafor et al. (2019), River Res, doi:": a work as text names it. */
const NAMED = /\bet al\.?,? \(?(?:19|20)\d\d[a-z]?\)?[^\n]*$/;
const leadsElsewhere = (line: string): boolean =>
  LEADS_ELSEWHERE.test(line) || LABELS_ELSEWHERE.test(line) || (NAMED.test(line) && !CITE.test(line));

/** Signs of a line's label and address before an identifier. */
const LABEL = /(?:digital object identifier|doi|isbn)?[\s:.]*(?:https?:\/\/)?(?:(?:dx\.)?doi\.org\/)?$/i;

/** No label is longer, with what may stand around it. UTF-16 units. */
const LABELS = 200;
/** Without its label and the brackets around both. */
const wordsIn = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(LABEL, '')
    .replaceAll(/[\p{Ps}\p{Pe}]/gu, '')
    .trim();

/** Nothing but its label on its line, and the line before does not run into it. */
function isAlone(source: string, { start, end }: { start: number; end: number }): boolean {
  const at = source.lastIndexOf('\n', start - 1) + 1;
  if (start - at > LABELS) return false;
  const rest = /^[^\n]*/.exec(source.slice(end, end + LABELS))?.[0] ?? '';
  if (wordsIn(source.slice(at, start)) !== '' || wordsIn(rest) !== '') return false;
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
  const rest = /^[^\n]*/.exec(source.slice(end, end + LABELS))?.[0] ?? '';
  const isAlone = rest.trim() === '' && /^\s*(?:doi\s*:?\s*)?(?:https?:\/\/(?:dx\.)?doi\.org\/)?$/i.test(line);
  return isAlone && !DATA.test(sentenceOf(wordsBefore(source, start, ends)));
}

/** A line of the imprint ends what a heading above it says. */
const IMPRINT_LINE = /^\s*(?:received|accepted|published|revised|©|\(c\)|copyright)/gim;
/** What kind of article it is, above its title. */
const KIND_LINE = /^[^\n]{0,40}\boriginal (?:article|paper|research|contribution)s?[ ]*$/gim;
const belowImprint = (words: string): string => {
  const plain = words.replaceAll(KIND_LINE, '');
  return plain.slice([...plain.matchAll(IMPRINT_LINE)].at(-1)?.index ?? 0);
};

/** `Phys. Rev.`, `Res. Lett.`: one short word behind another, each with its full stop, is a journal's name. */
const ABBREVIATED = /\b\p{Lu}\p{Ll}{0,5}\.\s+\p{Lu}\p{Ll}{0,5}\.$/u;

/** The sentence that is under way: behind the last full stop with a capital after it that ends no initial and no abbreviation. */
function sentenceOf(words: string): string {
  const before = belowImprint(words);
  const stops = [...before.matchAll(/(?<!\b\p{Lu})[.!?]\s+(?=\p{Lu})/gu)];
  const at = stops.findLast(({ index }) => {
    const next = /^[.!?]\s+\p{Lu}\p{Ll}{0,5}\./u.exec(before.slice(index))?.[0];
    return next === undefined || !ABBREVIATED.test(before.slice(Math.max(0, index - 8), index) + next);
  });
  return at ? before.slice(at.index) : before;
}

/** A footnote, or a book of a reading list: its mark, and the words of the entry on the line before it. */
const NOTE = /^\s*(?:\[[\p{L}\d]{1,3}\]|\d{1,3}|[*†‡§¹²³⁴-⁹])\s+\S/u;

/** Where an entry may begin that it ends: behind the identifier and the list of references before it. */
const entriesFrom = ({ ends, lists }: Surroundings, start: number): number =>
  Math.max(lastBefore(ends, start), lists.findLast(({ end }) => end <= start)?.end ?? 0);

/** Whether the line, or one of the three before it, begins as an entry of a list does. */
function isEntry(source: string, start: number, after: number): boolean {
  const lines = source
    .slice(Math.max(after, start - 500), start)
    .normalize('NFKC')
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
  return /(?:\p{Ll}{3,}|\bet al\.)[\s\n]+[([]\s*$/u.test(before) && /^\s*[)\]]/.test(source.slice(end, end + 3));
}
