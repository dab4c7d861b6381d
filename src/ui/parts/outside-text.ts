/**
 * Text from outside (file names, tags, what a model said) made fit to be shown: cut before anything else is done
 * with it, what cannot be seen written out, stacks of accents flattened. Shown as text inside `<bdi>`, never as markup.
 */

/** Accents over one character that any script needs; more of them is decoration that covers the lines around it. */
const ACCENTS_KEPT = 3;

// C0 and C1 controls (line feed and tab excepted), zero-width space and bidi controls (the joiners of Persian and emoji stay), the tag block, lone surrogates.
const UNSEEN = /(?![\n\t])\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}\p{Cs}]/gu;
const ACCENTS = new RegExp(`(\\p{M}{${ACCENTS_KEPT}})\\p{M}+`, 'gu');

export interface Clipped {
  text: string;
  /** Characters (UTF-16 units) that are not in it. */
  left: number;
}

/** At most `most` characters, never half a character; the rest is counted. Line breaks stay. */
export function clip(text: string, most: number): Clipped {
  const cut = text.length > most ? wholeCharacters(text.slice(0, most)) : text;
  return { text: visible(cut), left: text.length - cut.length };
}

/** One line of at most `most` characters, with an ellipsis where it goes on. */
export function oneLine(text: string, most: number): string {
  const { text: cut, left } = clip(text, most);
  const line = cut.replace(/\s+/g, ' ').trim();
  return left > 0 ? `${line}\u2026` : line;
}

function visible(text: string): string {
  return text
    .replace(ACCENTS, '$1')
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
