/** Whether an identifier stands within a sentence, and which one is under way before it. */
import { LABEL, lineStart } from './surroundings.ts';

/** So far before an identifier its sentence is looked for. UTF-16 units. */
const BEFORE = 240;
/** What says that the document itself is there. */
const ITSELF =
  /\b(?:this (?:article|paper|work|document|report|book|version)|(?:the )?(?:article|paper|version) online|online version|available (?:online|at|from)|published as|appear(?:s|ed)|cite|citation)\b/i;
/** What the sentence goes on with behind an identifier that it names. */
const GOES_ON =
  /^[\p{Pe}"”’'⟩]{0,2},?\s+(?:and|or|which|who|whose|that|was|were|has|have|had|showed?|found|for|but|as|where|while|because|und|et|y|e)\s+\p{Ll}/u;

interface Span {
  start: number;
  end: number;
}

/** So many words of a sentence on the line itself are one that names it, unless they tell of publishing. */
const SENTENCE = 6;
const OF_PUBLISHING =
  /\b(?:publi|post|preprint|versi|accept|receiv|identifi|licen|permi|reprint|deposit|regist|dispon|verfügbar|veröffentlich|erschien|accesi|cop(?:y|ies))\p{L}*/iu;

/** Words of a sentence that is under way: most begin with a small letter. */
function isRunning(text: string, least = 4): boolean {
  const words = text.match(/\p{L}[\p{L}’'-]*/gu) ?? [];
  return words.length >= least && words.filter((word) => /^\p{Ll}/u.test(word)).length >= words.length * 0.6;
}

const withoutAddress = (line: string): string => line.replace(LABEL, '').replace(/(?:https?:\/\/|www\.)\S*\s*$/i, '');

/** "…, as was argued before (Ostrow 2012, 10.5555/a)", "the index computed in 10.5555/a", "10.5555/a, which was". */
export function isProse(source: string, { start, end }: Span): boolean {
  const piece = source.slice(Math.max(0, start - BEFORE), start);
  const before = piece.slice(piece.lastIndexOf('\n\n') + 1).replace(LABEL, '');
  if (ITSELF.test(before)) return false;
  const open = Math.max(before.lastIndexOf('('), before.lastIndexOf('['));
  const isOpen = open >= 0 && !/[)\]]/.test(before.slice(open).replaceAll(/\([^()]*\)/g, ''));
  if (isOpen && /^[^\n([]{0,40}\n?[^\n([]{0,40}[)\]]/.test(source.slice(end, end + 90)))
    return [before.lastIndexOf('\n', open) + 1, Math.max(0, open - 90)].some((at) => isRunning(before.slice(at, open)));
  const line = withoutAddress(piece.slice(piece.lastIndexOf('\n') + 1));
  if (isRunning(line, SENTENCE) && !OF_PUBLISHING.test(line)) return true;
  const words = before.slice(-90);
  if (!isRunning(words)) return false;
  return (
    /\b(?:in|by|of|from|with|see|to|as|than|after|and|at)\s*$/.test(words) || GOES_ON.test(source.slice(end, end + 60))
  );
}

/** "(doi:...) In the trial": in brackets, behind words and before words. */
export function isInline(source: string, { start, end }: Span): boolean {
  const before = source
    .slice(Math.max(0, start - 80), start)
    .replace(/(?:https?:\/\/)?(?:dx\.)?doi(?:\.org)?[:/\s]*$/i, '');
  return /(?:\p{Ll}{3,}|\bet al\.)[\s\n]+[([]\s*$/u.test(before) && /^\s*[)\]]/.test(source.slice(end, end + 3));
}

/** A line of the imprint ends what a heading above it says. */
const IMPRINT_LINE = /^\s*(?:received|accepted|published|revised|©|\(c\)|copyright)/gim;
/** What kind of article it is, above its title. */
const KIND_LINE = /^[^\n]{0,40}\boriginal (?:article|paper|research|contribution|publication|study)s?[ ]*$/gim;

/** The words below the last line of an imprint. */
export const belowImprint = (words: string): string => {
  const plain = words.replaceAll(KIND_LINE, '');
  return plain.slice([...plain.matchAll(IMPRINT_LINE)].at(-1)?.index ?? 0);
};

/** `Phys. Rev.`, `Res. Lett.`: one short word behind another, each with its full stop, is a journal's name. */
const ABBREVIATED = /\b\p{Lu}\p{Ll}{0,5}\.\s+\p{Lu}\p{Ll}{0,5}\.$/u;

/** The sentence that is under way: behind the last full stop with a capital after it that ends no initial and no abbreviation. */
export function sentenceOf(words: string): string {
  const before = belowImprint(words);
  const stops = [...before.matchAll(/(?<!\b\p{Lu})[.!?]\s+(?=\p{Lu})/gu)];
  const at = stops.findLast(({ index }) => {
    const next = /^[.!?]\s+\p{Lu}\p{Ll}{0,5}\./u.exec(before.slice(index))?.[0];
    return next === undefined || !ABBREVIATED.test(before.slice(Math.max(0, index - 8), index) + next);
  });
  return at ? before.slice(at.index) : before;
}

/** What of its line stands before `start`; '' where its beginning is further away than any label. */
export function labelOn(source: string, start: number, most: number): string | null {
  const at = lineStart(source, start, Math.max(0, start - most - 1));
  return start - at > most ? null : source.slice(at, start);
}
