import { articleInList } from './article-begins.ts';
import type { FoundIdentifier } from './identifier.ts';
import { lastAtMost, type Region } from './spans.ts';

/** Where a document lists what it cites. What stands there is never its own identifier. */

/** What such a list is called, in the languages of most papers. */
const NAME = [
  String.raw`(?:(?:normative|informative|general|additional|key|selected|web|online|electronic|literature|bibliographic(?:al)?)[ ]+)?references(?:[ ]+(?:and[ ]+notes|cited|and[ ]+(?:further|recommended)[ ]+reading|and[ ]+links|and[ ]+sources))?`,
  String.raw`notes[ ]+and[ ]+references`,
  String.raw`(?:selected[ ]+|annotated[ ]+)?bibliograph(?:y|ies|ie|ia)`,
  String.raw`(?:literature|works|sources|publications|references|documents)[ ]+(?:cited|consulted|used)`,
  String.raw`further[ ]+reading|recommended[ ]+reading|cited[ ]+(?:literature|works|references)|reference[ ]+list|list[ ]+of[ ]+references|literature`,
  String.raw`r[ée]f[ée]rences(?:[ ]+bibliographiques)?|bibliographie`,
  String.raw`literatur(?:verzeichnis|angaben|hinweise)?|quellen(?:verzeichnis|angaben)?`,
  String.raw`referencias(?:[ ]+bibliogr[áa]ficas)?|bibliograf[íi]a|fuentes`,
  String.raw`refer[êe]ncias(?:[ ]+bibliogr[áa]ficas)?|refer[èe]ncies`,
  String.raw`riferimenti(?:[ ]+bibliografici)?|bibliografia`,
  String.raw`literatuur(?:lijst)?|referenties|bronnen|litteratur(?:f[öo]rteckning|liste)?|referens(?:er|lista)|referans(?:er|eliste)|referencer|k[äa]llor|kirjallisuus|l[äa]hteet|kirjandus`,
  String.raw`kaynak[çc]a|kaynaklar|piśmiennictwo|źródła|(?:použitá|seznam)[ ]+literatur[ay]|literatura|literatūra|bibliografie|irodalom(?:jegyzék)?|viri|daftar[ ]+pustaka|rujukan|tài[ ]+liệu[ ]+tham[ ]+khảo`,
  String.raw`литература|список[ ]+(?:использованной[ ]+)?литературы|список[ ]+використаних[ ]+джерел|література|библиография|βιβλιογραφία|αναφορές`,
  String.raw`المراجع|المصادر(?:[ ]+والمراجع)?|منابع|מקורות|ביבליוגרפיה`,
  String.raw`(?:引 ?用 ?[・･] ?)?参 ?考 ?文 ?献|參 ?考 ?文 ?獻|参考資料|引 ?用 ?文 ?献|文 ?献|참 ?고 ?문 ?헌`,
].join('|');
/** Alone on their line, a number or an ornament before them, two languages beside each other. */
const HEADING = new RegExp(
  String.raw`^[ ]*(?:(?:\d{1,2}(?:\.\d{1,2})*|[a-h](?:\.\d{1,2})+|[ivx]{1,5}|\(\d\d\))[.)]?[ ]+|[■▪●•◆►▶□][ ]*)?(?:${NAME})(?:[ ]*[/|·–(-][ ]*(?:${NAME})\)?)?[ ]*[:.]?[ ]*$`,
  'gimu',
);
/** Letters set apart: `R E F E R E N C E S`. */
const SPACED = /^[ ]*R ?E ?F ?E ?R ?E ?N ?C ?E ?S[ ]*$/gm;
/** What may follow a list of references. Alone on its line. */
const AFTER =
  /^[ ]*(?:\(5[1-9]\)[ ].*|appendi(?:x|ces)\b.*|supplement(?:ary|al)\b.*|supporting information\b.*|acknowledge?ments?|author contributions?|about the authors?|annex\b.*|figure legends?|figures?|tables?|correction\b.*|erratum\b.*|(?:how to |to |please )?cite (?:this|as)\b.*|how to cite\b.*|c[oó]mo citar\b.*|pour citer\b.*|come citare\b.*|zitier(?:weise|vorschlag|hinweis)\b.*|(?:suggested |recommended )?citation:.*)[ ]*$/gim;
/** "Bibliography" over an article's own imprint, as some publishers have it. */
const IMPRINT = /^\s*(?:doi\b|https?:\/\/(?:dx\.)?doi|online-?publi|published\b|issn\b|isbn\b)/i;

/** The lists of references of a text, from each heading to what follows it. Folded text. */
export function referenceLists(text: string): Region[] {
  const starts = [...text.matchAll(HEADING), ...text.matchAll(SPACED)]
    .map((match) => match.index + match[0].length)
    .toSorted((a, b) => a - b);
  const ends = [...text.matchAll(AFTER)].map((match) => match.index);
  return starts.flatMap((start, i) => {
    const before = starts[i + 1] ?? text.length;
    const after = ends[lastAtMost(ends, start, (end) => end) + 1] ?? before;
    const next = Math.min(after, before);
    const article = articleInList(text, start, next);
    const end = article < 0 ? next : article;
    return !IMPRINT.test(text.slice(start, start + 80)) && isList(text.slice(start, end)) ? [{ start, end }] : [];
  });
}

/** So many entries with identifiers, one behind the other, are a list without its heading. */
const ENTRIES = 3;
/** An entry between two identifiers: so long, with a year and an author. UTF-16 units. */
const [SHORTEST, LONGEST] = [20, 450];
const YEAR = /\b(?:1[89]|20)\d\d[a-z]?\b/;
const AUTHOR =
  /\p{Lu}[\p{L}’'-]+,? (?:\p{Lu}\.[ -]?){1,3}|(?:\p{Lu}\.[ -]?){1,3}\p{Lu}[\p{L}’'-]+|\p{Lu}[\p{L}’'-]+ \p{Lu}{1,3}[,.;]/u;
/** A line that begins as an entry does. */
const BEGINS = new RegExp(
  String.raw`^\s*(?:\[?\d{1,3}[\].)]\s*|\[[^\]\n]{1,30}\]\s*)?(?:${AUTHOR.source}|\p{Lu}[\p{L}’-]+, \p{Lu}\.)`,
  'u',
);
/** What stands between mentions of a document's own identifier. */
const OWN_WORDS = /\b(?:received|accepted|cite (?:this|as)|abstract|copyright|©|keywords)/i;

/**
 * Entries that follow each other without a heading, up to behind the last identifier: from the first one, or from behind
 * it where that does not end an entry itself. `found` in the order of the text; its places are those of `source`.
 */
export function entriesInRow(source: string, found: readonly FoundIdentifier[]): Region[] {
  const regions: Region[] = [];
  let run: FoundIdentifier[] = [];
  const close = (): void => {
    const [first, last] = [run[0], run.at(-1)];
    if (first && last && new Set(run.map(({ value }) => value)).size > ENTRIES)
      regions.push({ start: isEntryBefore(source, first.start) ? first.start : first.end, end: last.end });
    run = [];
  };
  for (const one of found) {
    const last = run.at(-1);
    if (last !== undefined && !isEntryBetween(source, last.end, one.start)) close();
    run.push(one);
  }
  close();
  return regions;
}

/** On its line, or on one of the two above that run into it. */
function isEntryBefore(source: string, at: number): boolean {
  const lines = source
    .slice(Math.max(0, at - LONGEST), at)
    .split('\n')
    .slice(-3);
  return lines.some((line, i) => BEGINS.test(line) && YEAR.test(lines.slice(i).join(' ')));
}

function isEntryBetween(source: string, from: number, to: number): boolean {
  if (to - from < SHORTEST || to - from > LONGEST) return false;
  const between = source.slice(from, to);
  return YEAR.test(between) && AUTHOR.test(between) && !OWN_WORDS.test(between);
}

/** Its key or number in brackets, above the entry or before it. */
const MARKED = /^\s*\[[\p{L}\d][^\]\n]{0,30}\]/u;

/** A heading in a table of contents has no list behind it: entries have years, a single one its author or its key first. */
function isList(text: string): boolean {
  const years = (text.match(/\b(?:1[89]|20)\d\d[a-z]?\b/g) ?? []).length;
  return years >= 2 || (years === 1 && (BEGINS.test(text) || MARKED.test(text)));
}
