/** A file's words, length and place beside a track's: what differs, and how much that says. Pure. */
import type { Tone } from '#ui/parts/words.ts';

/** Seconds up to which a length is taken without a look, and up to which it is near. */
const FITS = 3;
const NEAR = 5;
/** From this likeness on the titles say the same, however they are written (another script, `&` for `and`). */
const SAME = 0.95;

export interface TitlePiece {
  text: string;
  /** A word that the file's title does not have. */
  differs: boolean;
}

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** UI-41: the title cut into pieces; those that the file's own title does not say differ. `own` null: nothing to compare. */
export function titlePieces(title: string, own: string | null, likeness: number | null = null): TitlePiece[] {
  const whole = [{ text: title, differs: false }];
  if (own === null || wordsOf(own).length === 0 || (likeness ?? 0) >= SAME) return whole;
  if (wordsOf(own).join('') === wordsOf(title).join('')) return whole;
  const left = wordsOf(own);
  const pieces: TitlePiece[] = [];
  for (const { 0: text } of title.matchAll(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu)) {
    const at = left.indexOf(fold(text));
    const word = /[\p{L}\p{N}]/u.test(text);
    // Each word of the file answers one of the track's.
    if (word && at >= 0) left.splice(at, 1);
    add(pieces, { text, differs: word ? at < 0 : false });
  }
  return pieces;
}

/** Joins what is alike, and two marked words over the space between them, so that the line under them is one. */
function add(pieces: TitlePiece[], piece: TitlePiece): void {
  const last = pieces.at(-1);
  const before = pieces.at(-2);
  if (last?.differs === piece.differs) last.text += piece.text;
  else if (piece.differs && before?.differs && last !== undefined && /^\s+$/.test(last.text)) {
    before.text += last.text + piece.text;
    pieces.pop();
  } else pieces.push(piece);
}

/** How a length difference (seconds) is to be taken. */
export function offTone(seconds: number): Extract<Tone, 'good' | 'attention' | 'bad'> {
  const size = Math.abs(seconds);
  return size <= FITS ? 'good' : size <= NEAR ? 'attention' : 'bad';
}

/** The same in a word, for those who do not see the tone. */
export function offWord(seconds: number): 'fits' | 'near' | 'off' {
  return ({ good: 'fits', attention: 'near', bad: 'off' } as const)[offTone(seconds)];
}

/** `7`, `2-7` on a second disc. */
export function placeNumber(place: { disc: number | null; position: number }): string {
  return place.disc !== null && place.disc > 1 ? `${place.disc}-${place.position}` : String(place.position);
}

/** A log-likelihood or log-odds with its sign: `+2.1`, `−0.4`. */
export function signed(value: number): string {
  const text = Math.abs(value).toFixed(1);
  return text === '0.0' ? '0.0' : `${value < 0 ? '\u2212' : '+'}${text}`;
}

/** UI-263: how well a track fits beside the one that fits best, in words; the numbers are behind *Why*. Log-likelihoods. */
export function besideBest(total: number, best: number): string {
  if (total === best) return 'fits best';
  const behind = best - total;
  return behind < 1 ? 'fits as well' : behind < 4 ? 'fits less' : 'fits far less';
}
