import { articleInList } from './article-begins.ts';

/** Where a document lists what it cites. What stands there is never its own identifier. */

export interface Region {
  start: number;
  end: number;
}

/** Headings of lists of references, in the languages of most papers. Alone on their line, a number before them. */
const HEADING = new RegExp(
  String.raw`^[ ]*(?:(?:\d{1,2}|[ivx]{1,5}|\(\d\d\))[.)]?[ ]+)?(?:` +
    [
      String.raw`references(?:[ ]+(?:and[ ]+notes|cited|and[ ]+further[ ]+reading|and[ ]+links))?`,
      String.raw`(?:selected[ ]+|annotated[ ]+)?bibliograph(?:y|ies|ie|ia)`,
      String.raw`(?:literature|works|sources|publications|references|documents)[ ]+(?:cited|consulted|used)`,
      String.raw`further[ ]+reading|recommended[ ]+reading|cited[ ]+(?:literature|works|references)|reference[ ]+list|list[ ]+of[ ]+references`,
      String.raw`r[ée]f[ée]rences(?:[ ]+bibliographiques)?|bibliographie`,
      String.raw`literatur(?:verzeichnis|angaben)?|quellen(?:verzeichnis)?`,
      String.raw`referencias(?:[ ]+bibliogr[áa]ficas)?|bibliograf[íi]a`,
      String.raw`refer[êe]ncias(?:[ ]+bibliogr[áa]ficas)?`,
      String.raw`riferimenti(?:[ ]+bibliografici)?|bibliografia`,
      String.raw`literatuur(?:lijst)?|litteratur|k[äa]llor|kirjallisuus|l[äa]hteet|kaynak[çc]a|kaynaklar|piśmiennictwo|литература|список[ ]+литературы|(?:引 ?用 ?[・･] ?)?参 ?考 ?文 ?献|参考資料|引 ?用 ?文 ?献|文 ?献|참고문헌`,
    ].join('|') +
    String.raw`)[ ]*[:.]?[ ]*$`,
  'gimu',
);
/** Letters set apart: `R E F E R E N C E S`. */
const SPACED = /^[ ]*R ?E ?F ?E ?R ?E ?N ?C ?E ?S[ ]*$/gm;
/** What may follow a list of references. Alone on its line. */
const AFTER =
  /^[ ]*(?:\(5[1-9]\)[ ].*|appendi(?:x|ces)\b.*|supplement(?:ary|al)\b.*|supporting information\b.*|acknowledge?ments?|author contributions?|about the authors?|annex\b.*|figure legends?|figures?|tables?|correction\b.*|erratum\b.*|(?:how to |to |please )?cite (?:this|as)\b.*|how to cite\b.*|c[oó]mo citar\b.*|pour citer\b.*|come citare\b.*|zitier(?:weise|vorschlag|hinweis)\b.*|(?:suggested |recommended )?citation:.*)[ ]*$/gim;

/** The lists of references of a text, from each heading to what follows it. Folded text. */
export function referenceLists(text: string): Region[] {
  const starts = [...text.matchAll(HEADING), ...text.matchAll(SPACED)]
    .map((match) => match.index + match[0].length)
    .toSorted((a, b) => a - b);
  const ends = [...text.matchAll(AFTER)].map((match) => match.index);
  return starts.flatMap((start, i) => {
    const before = starts[i + 1] ?? text.length;
    const next = ends.find((one) => one > start && one < before) ?? before;
    const article = articleInList(text, start, next);
    const end = article < 0 ? next : article;
    return isList(text.slice(start, end)) ? [{ start, end }] : [];
  });
}

/** A heading in a table of contents has no list behind it: entries have years. */
const isList = (text: string): boolean => (text.match(/\b(?:1[89]|20)\d\d[a-z]?\b/g) ?? []).length >= 2;
