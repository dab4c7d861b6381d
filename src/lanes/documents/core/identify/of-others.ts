/** What of a document is about other documents: its kind, and headings over what others wrote. */
import type { Region } from './spans.ts';

/** So far down a document says what kind it is. UTF-16 units, lines. */
const HEAD = 1_500;
const FIRST_LINES = 4;
/** Letters to members, to the press: what they name is news of others. */
const NEWS =
  /\b(?:newsletter|(?:news|research) digest|rundbrief|lettre d.information|bolet[ií]n informativo|dear (?:members|readers|colleagues|friends)|(?:press|news|media) release|for immediate release|under embargo|medienmitteilung|pressemitteilung|communiqué de presse|nota de prensa|comunicato stampa)\b/i;
/** What the first lines of a document say that is itself no publication. */
const ABOUT =
  /^[ ]*(?:curriculum vitae|cv|list of publications|publication list|syllabus|course outline|reading list|readme\b.*|(?:referee|reviewer|review)(?:['’]?s)?(?: \d)? (?:report|comments)\b.*|(?:the )?\S+ blog)[ ]*:?[ ]*$/im;

/** News, lists of somebody's works and remarks on a work: none of what they name is the document. */
export function tellsOfOthers(source: string): boolean {
  const lines = source.slice(0, HEAD).split('\n');
  const first = lines.filter((line) => line.trim() !== '').slice(0, FIRST_LINES);
  return NEWS.test(source.slice(0, HEAD)) || ABOUT.test(first.join('\n'));
}

/** Over links to works of others, alone on its line but for a few words, with a capital. */
const HEADING =
  /^[ ]*(?:(?:related|linked|companion|associated|similar|recommended|suggested) (?:articles?|papers?|publications?|content|works?|resources?|links?|reading)|recent (?:publications|papers|citations)|(?:articles?|papers?|content|items?|others?) (?:that )?(?:you|readers)\b[^\n:]{0,40}|you (?:may|might)\b[^\n:]{0,40}|(?:people|readers|users) (?:also|who)\b[^\n:]{0,40}|more (?:from|on|articles|like)\b[^\n:]{0,40}|most (?:read|cited|popular)(?: articles| papers)?|(?:(?:selected|my|our|own|appended|included) (?:publications|papers|articles)|publications)(?: (?:included|of|in|by)\b[^\n:]{0,60})?|(?:papers|articles) (?:included|contained|appended|in this)\b[^\n:]{0,60}|list of (?:original |included |appended )?(?:papers|publications|articles)|(?:this|the) (?:thesis|dissertation|work) (?:is based|contains|includes|consists|comprises)\b[^\n]{0,90}|further (?:links|resources)|(?:das könnte sie auch|ähnliche artikel|articles (?:similaires|connexes)|artículos relacionados|artigos relacionados|verwandte artikel)\b[^\n:]{0,30})[ ]*[:.]?[ ]*$/gim;
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
