/** What the line before an identifier says that it leads to. */
import { CITE } from './cite.ts';
import { LABEL, lineBefore, lineStart, lastBefore, wordsBefore, type Surroundings } from './surroundings.ts';

/** A line that begins with what it leads to: data, a registration, an archive, where something else is from. */
const LABELS_ELSEWHERE =
  /(?:^|[\s•–-])(?:(?:underlying |supporting |research |materials? and )?data(?: citation(?: \d+)?| record)?|materials?(?: and data)?|code|software|archive|repository|review|pre-?registration|(?:trial )?registration|source|quelle|reading|also (?:available|published|by|from)|other titles?|paper)\s*:[^\n]*$/i;
const LEADS_ELSEWHERE =
  /\b(?:peer[ -]?reviews?(?: (?:reports?|history|files?))?|review(?:er)?s?'? (?:reports?|comments)|decision letter|author response|support(?:ing|ive) information|supplement(?:ary|al) (?:materials?|information|data|files?|tables?|figures?|videos?|methods|notes?)|supplements?(?! ?\d)|video abstracts?|posters?|slides|fund(?:ed by|ing)|(?<!author\/)funder|grants?|(?:later|now|since|subsequently) published|published (?:later|since)|part (?:[ivx]+|\d+|one|two|three) (?:is|was|appears|appeared|can be found)|book reviews?|read (?:more|on|the (?:full )?(?:paper|article|study|story))|full (?:paper|text|story|article|study)|(?:latest|new) (?:paper|article|publication)|link to (?:the )?(?:paper|article)|(?:later|shorter|longer|earlier|extended|revised|previous) versions?(?: of (?:this|the) \w+)? (?:appear|is|was|has|have|will|can|may)\w*)\b[^\n]*$/i;
/** Another document beside this one, with or without its colon: "See Comment", "Original DOI:", "Associated publication:". */
const BESIDE =
  /\bsee (?:also )?(?:the )?(?:comment(?:ary)?|editorial|correspondence|perspective|viewpoint|accompanying|companion|related)\b[^\n]*$|\b(?:(?:related|associated|linked|companion|accompanying|previous|preceding|translated) (?:doi|articles?|papers?|publications?|studies|study|works?|version)|(?:original|source|parent|resource|data(?:set)?|code|software|protocol) (?:doi|publication|citation))\b[^\n.]{0,40}$/i;
/** "Okafor et al. (2019), River Res, doi:", "Read: Okafor (2019)": a work as text names it. */
const NAMED =
  /\bet al\.?,? \(?(?:19|20)\d\d[a-z]?\)?[^\n]*$|\b(?:[Rr]ead|[Ss]ee):?\s+\p{Lu}\p{L}+[^\n]{0,30}\((?:19|20)\d\d[a-z]?\)[^\n]*$/u;

/** "P3 L12: see also", "should cite", "a review of", "doi = {" of a file of references: what follows is another work. */
const POINTS_AWAY =
  /(?:\b(?:see|cf\.?|vgl\.?|siehe|voir|véase)(?: also| auch| aussi| e\.g\.?| for example)?|\b(?:should|must|could|might|do not|does not|did not)(?: \p{L}+)? (?:cite|mention|discuss|refer to)|\b(?:p?re)?(?:review|recommendation|evaluation|appraisal|critique|replication|translation|summary)s? of|\bdoi\s*=)[\s:,{"]*$/iu;

const ADDRESS = /(?:https?:\/\/)?(?:(?:dx\.|www\.)?doi\.org\/)?\s*$/i;

/** Whether the line says that it leads to something else than this document. */
export function leadsElsewhere(text: Surroundings, start: number): boolean {
  const line = lineBefore(text, start);
  return (
    LEADS_ELSEWHERE.test(line) ||
    LABELS_ELSEWHERE.test(line) ||
    BESIDE.test(line.replace(ADDRESS, '')) ||
    POINTS_AWAY.test(wordsBefore(text, start).replace(LABEL, '')) ||
    (NAMED.test(line) && !CITE.test(line))
  );
}

/** What publishers and repositories call a document's own identifier, address or imprint, in the usual languages. */
const OWN_LABEL =
  /\b(?:doi|d\.o\.i|digital|identif\w*|cit[eiao]\w*|zit\w*|referen\w*|référence|perm\w*|persistent|handle|stable|ur[lin]s?|links?|lien|web\w*|site|online|ligne|línea|avail\w*|dispon\w*|verfügbar|access\w*|publi\w*|veröffentlich\w*|erschienen|posted|issued?|appear\w*|version|articles?|artikel|artículo|artigo|articolo|chapter|kapitel|book|buch|report|bericht|this|dies\w*|thesis|document|item|record|manuscript|preprint|journal|zeitschrift|revue|revista|rivista|proc\w*|vol\w*|edition|ausgabe|imprint|isbn|issn|copyright|licen[cs]e\w*|received|accepted|revised|submitted|doc)\b/iu;
const COLON = /[:：]\s*$/u;
/** A label has few words. */
const WORDS = 6;

/** Whether it is introduced as something (`Twin study: 10.5555/a`) that no document's own identifier is called. */
export function hasForeignLabel(text: Surroundings, start: number): boolean {
  const { source, ends } = text;
  const from = Math.max(lastBefore(ends, start), start - 220);
  const at = lineStart(source, start, from);
  const line = source.slice(at, start).normalize('NFKC');
  let label = withoutAddress(line);
  // Where the word itself stands before it a line above is about something else.
  if (label.trim() === '' && at > from && !/d ?o ?i\W*$/i.test(line.replace(ADDRESS, '')))
    label = source.slice(lineStart(source, at - 1, from), at - 1);
  if (!COLON.test(label)) return false;
  const last =
    label
      .replace(COLON, '')
      .split(/[.;|·•]\s|\s[-–—]\s/u)
      .at(-1) ?? '';
  const words = last.match(/\p{L}+/gu) ?? [];
  const isLatin = words.length > 0 && words.every((word) => /^\p{Script=Latin}+$/u.test(word));
  return isLatin && words.length <= WORDS && !/\d/.test(last) && !OWN_LABEL.test(last);
}

/** Without its address and the word itself. */
function withoutAddress(line: string): string {
  const bare = line.replace(ADDRESS, '');
  return bare.replace(/[\s([<⟨]*\b(?:digital object identifier|d ?o ?i)\b(?:\s*(?:no\.?|number))?[\s:：.=]*$/iu, '');
}

/** What of a line is no label, address or bracket. */
export const wordsIn = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(LABEL, '')
    .replaceAll(/[\p{Ps}\p{Pe}]/gu, '')
    .trim();
