/** Where an article begins whose first page has the end of the one before it above. */
import { FRONT } from './layout.ts';

/** What journals print above a title, alone on its line. */
const KIND =
  /^[ ]*(?:(?:short|brief|rapid|preliminary) (?:communication|report|paper)|(?:research|technical|scientific|field|short) (?:letter|note|article|paper|report|correspondence)|original (?:article|research|paper|contribution|investigation)|case (?:report|study|series)|letters? to the editor|perspectives?|commentar(?:y|ies)|editorial|correspondence|review(?: article| paper)?)s?[ ]*$/gim;
const ABSTRACT = /^[ ]*(?:abstract|summary|a b s t r a c t|introduction|background)[ ]*[.:]?[ ]*$/gim;
/** From its kind to its abstract: title, authors and where they work. UTF-16 units. */
const HEAD = 1_500;
/** So many lines above an abstract are its title and authors, at most. */
const LINES = 9;
/** A line of an entry of a list: its mark, a year or pages, identifiers apart. */
const ENTRY_LINE = /^\s*(?:\[\d{1,3}\]|\d{1,3}\.)\s|\b(?:19|20)\d\d\b|\d[-\u2010-\u2013]\d|\bdoi\b/i;
const OWN_LINE = /^\s*(?:doi\s*:?\s*)?(?:https?:\/\/(?:dx\.)?doi\.org\/)?10\.\d+\/\S+\s*$/i;
/** A sentence's end at the end of a line: text stands above, not a title page. */
const PROSE = /\p{Ll}[.)]$/gmu;

/** Where it begins, in the piece of the text, by the line that names its kind; -1 where none does. */
export function kindLine(text: string, from: number, to: number): number {
  const piece = text.slice(from, Math.min(to, FRONT));
  for (const { index } of piece.matchAll(KIND))
    if (index > 0 && [...text.slice(from + index, from + index + HEAD).matchAll(ABSTRACT)].length > 0)
      return from + index;
  return -1;
}

/** The same inside a list of references, where none names its kind, by its abstract. */
export function articleInList(text: string, from: number, to: number): number {
  const kind = kindLine(text, from, to);
  if (kind >= 0) return kind;
  const piece = text.slice(from, Math.min(to, FRONT));
  const abstract = [...piece.matchAll(ABSTRACT)][0]?.index ?? -1;
  if (abstract < 0) return -1;
  let at = abstract;
  for (let lines = 0; lines < LINES && at > 1; lines++) {
    const start = piece.lastIndexOf('\n', at - 2) + 1;
    const line = piece.slice(start, at - 1);
    if (!OWN_LINE.test(line) && ENTRY_LINE.test(line)) break;
    at = start;
  }
  return at < abstract ? from + at : -1;
}

/** Where the article begins on a page that begins with text of another; -1 where it begins the page. */
export function beginsBelow(text: string): number {
  const at = kindLine(text, 0, FRONT);
  return at > 0 && [...text.slice(0, at).matchAll(PROSE)].length >= 2 ? at : -1;
}
