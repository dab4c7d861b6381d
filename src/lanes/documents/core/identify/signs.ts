/** What speaks for or against an identifier being the document's own: where it stands, and the words before it. */
import { CITE } from './cite.ts';
import type { FoundIdentifier } from './identifier.ts';
import { hasForeignLabel, leadsElsewhere, wordsIn } from './labels.ts';
import { FRONT } from './layout.ts';
import { entryOf, isEntry } from './other-title.ts';
import { isOfOtherWork } from './other-work.ts';
import { belowImprint, isInline, isProse, labelOn, sentenceOf } from './sentences.ts';
import { regionAt } from './spans.ts';
import { entriesFrom, HEAD, LABEL, placeOf, wordsBefore, type Surroundings } from './surroundings.ts';

export interface Sign {
  /** A sentence's part for a person. */
  text: string;
  /** Above 0: for it. */
  weight: number;
}

/** On so many pages stands what heads or foots each of them. */
const RUNNING = 3;
/** Of an identifier that stands in more places these first ones are read. */
const MOST_PLACES = 40;

/** Registrants who hold data and programs (datacite.org lists them). */
const DATA_REGISTRANT =
  /^10\.(?:5061|6084|5281|17605|17632|7910|1594|3334|15468|5067|5066|5878|17863|6073|6075|24433|18112|25387|13012|48321|25386)\//;
/** A journal's own DOI: its ISSN, or nothing but the journal. */
export const JOURNAL = /\/\(?issn\)?|^10\.\d+\/\d{4}-\d{3}[\dx]$|\/issn\./;
/** Words for data and programs in running text, and what is said of where they are. */
const DATA =
  /\b(?:data(?:[ -]?sets?|bases?| records?)?|metadata|source code|code|software|scripts?|materials?|models?|Data Availability|DATA AVAILABILITY|Data availability|Code availability|[Zz]enodo|[Ff]igshare|[Dd]ryad|PANGAEA|Mendeley Data|Dataverse|OSF|GitHub)\b/;
/** The same without names of places, where reports are kept, too. */
const DATA_ITSELF =
  /\b(?:data(?:[ -]?sets?|bases?| records?)?|source code|code|software|scripts?|materials?|models?)\b/i;
const KEPT =
  /\b(?:available|availability|deposited|archived?|stored|repositor(?:y|ies)|accessed|downloaded|found (?:at|in|online)|published (?:at|in|on)|hosted|provided|released|zenodo|figshare|dryad|pangaea|mendeley|dataverse|osf|github)\b/i;
/** What it leads to is this document. */
const THIS_ONE =
  /\bDOI of (?:this|the) (?:article|paper|note|reply|letter|report|book|chapter|thesis|volume)\s*:?\s*$|\b(?:these slides|this (?:presentation|poster|talk|deck|document))(?: (?:is|are) (?:available|archived|deposited) (?:at|as|under))?\s*:?\s*$/i;
/** What covers of repositories say of the manuscript behind them. */
const VERSION =
  /\bpublished in final (?:edited )?form (?:at|as|in)\b|\bcitation for (?:the )?(?:original )?published (?:paper|version|item|article)\b/i;
/** `10.0021/4`: numbers of files, shelves and amendments look like it. */
const BARE_NUMBER = /^10\.\d{4}\/(?:\d{1,3}|[a-z])$/;
/** Organisations that fund (Crossref's registry): never a document. */
const FUNDER = /^10\.13039\//;
/** What publishers print beside the DOI of the article itself. */
const IMPRINT =
  /(?:received|accepted|published(?: online)?|revised|©|\(c\)|copyright|all rights|issn|open access|journal of|\bvol(?:ume)?\b|\bissn\b|licen[cs]e|preprint|posted)/i;
const LABELLED = /(?:doi[:\s.]*|doi\.\s?org\/|digital object identifier[:\s]*)\s*$/i;
/** Behind the number in arXiv's stamp: its class and the day. */
const STAMP =
  /^\s*(?:\[[a-z-]+(?:\.[a-z-]+)?\]\s*)?\d{1,2}\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\s+\d{4}/i;
/** Before a number that begins its line. */
const HEADS = /(?:^|\n|\s{3})\s*(?:e-?print|preprint|available (?:as|at)|published as)?[\s:,]*arxiv\s*:\s*$/i;

/** `all`: the mentions of the reading. */
export function signsOf(
  text: Surroundings,
  reading: { kind: FoundIdentifier['kind']; value: string; start: number; end: number },
  all: readonly FoundIdentifier[],
): Sign[] {
  if (reading.kind === 'isbn') return isbnSigns(text, all.slice(0, MOST_PLACES));
  if (reading.kind === 'arxiv') return arxivSigns(text, all.slice(0, MOST_PLACES));
  const { source, ends, layout, begins } = text;
  const signs: Sign[] = [];
  const sign = (text: string, weight: number): number => signs.push({ text, weight });
  const everywhere = all.filter(({ value }) => value === reading.value);
  const whole = everywhere.length <= MOST_PLACES ? everywhere : firstAndLast(everywhere);
  const places = whole.map(({ start }) => placeOf(text, start));
  const words = whole.map(({ start }) => wordsBefore(text, start));
  const isCited = words.some((text) => CITE.test(text));
  if (places.includes('front')) sign('stands on the title page', 3);
  else if (places.includes('back') && isCited) sign('stands in how to cite it', 3);
  else if (places.includes('back') && words.some((text) => IMPRINT.test(text))) sign('stands in the imprint', 2);
  if (all.every(({ start }) => start < begins) && ends.some((end) => end > begins && end < begins + HEAD))
    sign('stands above where this one begins', -2);
  const isRunning = layout.running.has(reading.value);
  if (isRunning) sign('stands in the margin, page after page', 3);
  else if (everywhere.length >= RUNNING && spread(everywhere) > FRONT)
    sign(`stands ${everywhere.length} times, page after page`, 3);
  if (text.contents >= 0 && (whole[0]?.start ?? Infinity) < text.contents)
    sign('stands before the contents of a volume', 2);
  if (all.length > everywhere.length) sign('figures and tables carry it', 2);
  if (isCited && places[0] !== 'back') sign('"cite this as" stands before it', 2);
  if (words.some((text) => LABELLED.test(text))) sign('is labelled', 0.5);
  const isThis = words.some((text) => THIS_ONE.test(text.replace(LABEL, '')));
  if (isThis) sign('is said to be of this document', 2);
  if (whole.some((one) => isAlone(source, one))) sign('stands alone on its line', 1);
  const isWork = isThis || words.some(citesWork) || whole.some((one) => isReport(text, one));
  const said = whole.map((one, i) => saidOf(text, one, words[i] ?? ''));
  if (DATA_REGISTRANT.test(reading.value) && !isWork) sign('is of a registrant of data', -5);
  else if (!isWork && said.every(({ words }) => isData(words))) sign('is said to be data', -4);
  const isVersion = words.some((text) => VERSION.test(text));
  if (isVersion) sign('is said to be where this is published', 2);
  else if (said.every((one) => isOfOtherWork(one.words, { ...one, isNotice: text.isNotice })))
    sign('is another article that this one names', -4);
  if (text.isNotice && words.every((text) => isOfOtherWork(belowImprint(text), { isNotice: true, isHeading: false })))
    sign('is what this notice is about', -4);
  if (BARE_NUMBER.test(reading.value) && !words.some((text) => LABELLED.test(text)))
    sign('is a bare number without a label', -2);
  if (text.tellsOfOthers && !isThis && !isCited) sign('is told among news, or of the work of others', -3);
  if (FUNDER.test(reading.value)) sign('is a funder', -6);
  const entries = whole.map(({ start }) => entryOf(text, start, entriesFrom(text, start)));
  if (entries.includes('own')) sign('stands in an entry with its own title', 1);
  const isElsewhere = !isThis && whole.every(({ start }) => leadsElsewhere(text, start));
  if (isElsewhere) sign('its line says that it is something else', -4);
  else if (!isThis && !isVersion && whole.every(({ start }) => hasForeignLabel(text, start)))
    sign('its line calls it something else', -2);
  if (whole.every(({ start }) => regionAt(text.ofOthers, start) !== undefined))
    sign('stands below a heading over works of others', -4);
  if (whole.every(({ start }) => isEntry(source, start, entriesFrom(text, start))))
    sign('stands in an entry of a list', -3);
  else if (entries.every((entry) => entry === 'other')) sign('ends an entry with another title', -4);
  if (!isVersion && whole.every((one) => isInline(source, one) || isProse(source, one)))
    sign('stands within a sentence', -3);
  return signs;
}

/** The first and the last of many places. */
function firstAndLast<T>(all: readonly T[]): T[] {
  return [...all.slice(0, MOST_PLACES / 2), ...all.slice(-MOST_PLACES / 2)];
}

/** "Cite as: Okafor (2019). A report. Zenodo", and not how to cite data. */
const citesWork = (words: string): boolean => CITE.test(words) && !DATA_ITSELF.test(words.slice(words.search(CITE)));

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

function isbnSigns(text: Surroundings, mentions: readonly FoundIdentifier[]): Sign[] {
  const { source, layout } = text;
  const front = mentions.filter(({ start }) => start < layout.front);
  const signs: Sign[] = [];
  if (front.length > 0) signs.push({ text: 'stands on the title pages', weight: 2 });
  if (front.some(({ end }) => COPY_CODE.test(source.slice(end, end + 12))))
    signs.push({ text: 'is in the code for copies', weight: 1 });
  if (
    front.some(({ start }) => /isbn[^\n]{0,30}$/i.test(source.slice(Math.max(0, start - 60), start).normalize('NFKC')))
  )
    signs.push({ text: 'is labelled', weight: 1 });
  if (mentions.every(({ start }) => start > text.offersFrom))
    signs.push({ text: 'is of a book that is offered', weight: -3 });
  if (text.isReviews) signs.push({ text: 'is of a book that is reviewed', weight: -3 });
  else if (text.tellsOfOthers) signs.push({ text: 'is told of the work of others', weight: -3 });
  else if (mentions.every(({ start }) => REVIEWED.test(source.slice(Math.max(0, start - REVIEWED_WITHIN), start))))
    signs.push({ text: 'stands behind the pages or the price of a book', weight: -3 });
  if (mentions.every((one) => isProse(source, one))) signs.push({ text: 'stands within a sentence', weight: -3 });
  if (mentions.every(({ start }) => isEntry(source, start, 0)))
    signs.push({ text: 'stands in an entry of a list', weight: -3 });
  return signs;
}

/** As reviews and lists name a book: `Port Helier: Quay Press, 2016. Pp. xiv + 300. $107.00 (cloth). ISBN`. */
const REVIEWED = /\b(?:19|20)\d\d\b[^]{0,60}(?:\b[Pp]p\.? ?(?:[ivxlc]+\b[ ,+]*)?\d|\b\d+ ?pp\b|[$£€¥] ?\d)[^]{0,60}$/u;
/** UTF-16 units. */
const REVIEWED_WITHIN = 160;

/** Behind an ISBN of proceedings: year and fee (`/20/$31.00`). */
const COPY_CODE = /^\/(?:19|20)?\d\d\/(?:\$|\d\d)/;

const spread = (mentions: readonly FoundIdentifier[]): number =>
  (mentions.at(-1)?.start ?? 0) - (mentions[0]?.start ?? 0);

/** No label is longer, with what may stand around it. UTF-16 units. */
const LABELS = 200;

/** Nothing but its label on its line, and the line before does not run into it. */
function isAlone(source: string, { start, end }: { start: number; end: number }): boolean {
  const label = labelOn(source, start, LABELS);
  if (label === null) return false;
  const rest = /^[^\n]*/.exec(source.slice(end, end + LABELS))?.[0] ?? '';
  if (wordsIn(label) !== '' || wordsIn(rest) !== '') return false;
  const above = source.slice(Math.max(0, start - label.length - 1 - LABELS), Math.max(0, start - label.length - 1));
  const last = above.slice(above.lastIndexOf('\n') + 1).trim();
  return (
    !/(?:[,:;(]|(?<=\s)(?:in|by|of|from|with|see|at|as|to|and|the|than|von|aus|bei|de|du|par|en))$/iu.test(last) ||
    THIS_ONE.test(last)
  );
}

const isData = (sentence: string): boolean => DATA.test(sentence) && KEPT.test(sentence);

interface Said {
  words: string;
  /** They stand above it, on a line of their own. */
  isHeading: boolean;
}

/** So few words make a heading. */
const HEADING = 4;

/**
 * What is said of an identifier: the sentence before it, or where it stands alone the short line above, as a heading; a title
 * above it says nothing of it (`Response to heat`). A notice says whose it is in any line.
 */
function saidOf(text: Surroundings, one: FoundIdentifier, words: string): Said {
  if (text.isNotice || !isAlone(text.source, one)) return { words: sentenceOf(words), isHeading: false };
  const above = words.replace(LABEL, '').trimEnd();
  const line = above.slice(above.lastIndexOf('\n') + 1);
  const isHeading = (line.match(/\p{L}+/gu) ?? []).length <= HEADING;
  return { words: isHeading ? belowImprint(line) : '', isHeading: true };
}

/** Early on the title page, alone on its line, and no word of data before it: reports are kept where data are. */
function isReport(text: Surroundings, { start, end }: FoundIdentifier): boolean {
  const { source, layout } = text;
  if (start >= Math.min(layout.front, HEAD)) return false;
  const line = labelOn(source, start, HEAD) ?? '';
  const rest = /^[^\n]*/.exec(source.slice(end, end + LABELS))?.[0] ?? '';
  const isAlone = rest.trim() === '' && /^\s*(?:doi\s*:?\s*)?(?:https?:\/\/(?:dx\.)?doi\.org\/)?$/i.test(line);
  return isAlone && !DATA.test(sentenceOf(wordsBefore(text, start)));
}
