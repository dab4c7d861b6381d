/** What of a document is about other documents: its kind, and headings over what others wrote. */
import type { Region } from './spans.ts';

/** So far down a document says what kind it is. UTF-16 units, lines. */
const HEAD = 1_500;
const FIRST_LINES = 4;
/** Letters to members, to the press, licences for a part of a work: what they name is of others. */
const NEWS =
  /\b(?:licensed content (?:publisher|title|author)|newsletter|(?:news|research) digest|rundbrief|lettre d.information|bolet[ií]n informativo|dear (?:members|readers|colleagues|friends)|(?:press|news|media) release|for immediate release|under embargo|medienmitteilung|pressemitteilung|communiqué de presse|nota de prensa|comunicato stampa)\b|^[ ]*peer-reviewed publication[ ]*$/im;
/** What the first lines of a document say that is itself no publication. */
const ABOUT =
  /^[ ]*(?:curriculum vitae|cv|list of publications|publication list|syllabus(?:,? (?:spring|summer|fall|autumn|winter)\b.*)?|course outline|reading list|(?:an? )?(?:select(?:ed)?|annotated|working) bibliograph(?:y|ies)\b.*|readme\b.*|(?:peer[ -])?(?:referee|reviewer|review)(?:['’]?s)?(?: \d)? (?:reports?|comments|file|history)\b(?: \S+){0,3}|(?:summary|review|critique|appraisal|discussion) of:.*|(?:the )?\S+ blog|(?:rapid|electronic) responses?\b.*|e-?letters?(?: to the editor)?\b.*)[ ]*:?[ ]*$/im;

/** Patents have numbers and no DOI: their kinds, at the start of a line, and the headings of a description. */
const PATENT =
  /^[ ]*(?:\(\d\d\)[ ]*)?(?:(?:united states patent|(?:european )?patent (?:application|specification)|international (?:application published|publication number))[^.\n]{0,60}$|(?:technical )?field of the (?:present )?invention[ ]*$|what is claimed is|europ[äa]ische patent|patentschrift|offenlegungsschrift|gebrauchsmusterschrift|(?:demande|fascicule|brevet) (?:internationale |de brevet|d.invention)|solicitud de patente|公開特許公報|特許公報|(?:发明|发明专利|实用新型)(?:专利)?(?:申请|公开|说明书))/imu;
/** Numbers by which offices print what a line of a patent is: (12) its kind, (19) who publishes it; (54) its title, (73) its owner. */
const [KIND_OF_PATENT, TITLE_OF_PATENT] = [
  /^[ ]*\(1[0-9]\)[ ]*\p{L}/mu,
  /^[ ]*\((?:4[3-7]|5[1-7]|7[1-5])\)[ ]*\P{Nd}/mu,
];

const isPatent = (head: string): boolean =>
  PATENT.test(head) || (KIND_OF_PATENT.test(head) && TITLE_OF_PATENT.test(head));

/** News, patents, lists of somebody's works and remarks on a work: none of what they name is the document. */
export function tellsOfOthers(source: string): boolean {
  const lines = source.slice(0, HEAD).split('\n');
  const first = lines.filter((line) => line.trim() !== '').slice(0, FIRST_LINES);
  const head = source.slice(0, HEAD);
  return NEWS.test(head) || ABOUT.test(first.join('\n')) || isPatent(head);
}

/** Over links to works of others, alone on its line but for a few words, with a capital. */
const HEADING =
  /^[ ]*(?:(?:related|linked|companion|associated|similar|recommended|suggested) (?:articles?|papers?|publications?|content|works?|resources?|links?|reading)|recent (?:publications|papers|citations)|(?:articles?|papers?|content|items?|others?) (?:that )?(?:you|readers)\b[^\n:]{0,40}|you (?:may|might)\b[^\n:]{0,40}|(?:people|readers|users) (?:also|who)\b[^\n:]{0,40}|more (?:from|on|articles|like)\b[^\n:]{0,40}|most (?:read|cited|popular|downloaded|viewed|accessed|shared|discussed)(?: \p{L}+){0,4}|(?:journal|primary|source) (?:reference|publication)s?|original(?:publikation|veröffentlichung)(?:en)?|publication originale|(?:(?:selected|my|our|own|appended|included) (?:publications|papers|articles)|publications)(?: (?:included|of|in|by)\b[^\n:]{0,60})?|(?:papers|articles) (?:included|contained|appended|in this)\b[^\n:]{0,60}|list of (?:original |included |appended )?(?:papers|publications|articles)|(?:this|the) (?:thesis|dissertation|work) (?:is based|contains|includes|consists|comprises)\b[^\n]{0,90}|further (?:links|resources)|(?:das könnte sie auch|ähnliche artikel|articles (?:similaires|connexes)|artículos relacionados|artigos relacionados|verwandte artikel)\b[^\n:]{0,30})[ ]*[:.]?[ ]*$/gimu;
/** So far a heading speaks, unless its part ends before. UTF-16 units. */
const REACH = 700;
/** A line that begins what the document says of itself, or its text. */
const ENDS =
  /^[ ]*(?:.*\bdownloaded (?:from|by|on)\b.*|abstract|summary|a b s t r a c t|background|received\b.*|accepted\b.*|published\b.*|©.*|copyright\b.*|(?:how to |to |please )?cite (?:this|as)\b.*|key ?words\b.*|(?:\d\.? )?introduction)[ ]*[.:]?[ ]*$/im;

/** Where they stand, each up to the next part of the document. In the order of the text; none has another's part. */
export function othersFrom(source: string): Region[] {
  const regions: Region[] = [];
  for (const match of source.matchAll(HEADING)) {
    const start = match.index + match[0].length;
    if (!/^\s*\p{Lu}/u.test(match[0])) continue;
    const piece = source.slice(start, start + REACH);
    const end = start + (ENDS.exec(piece)?.index ?? piece.length);
    const last = regions.at(-1);
    if (last !== undefined && match.index < last.end) last.end = Math.max(last.end, end);
    else regions.push({ start, end });
  }
  return regions;
}
