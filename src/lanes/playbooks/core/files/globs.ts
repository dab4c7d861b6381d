/** Patterns of `input`: `*` `**` `?` `[...]` `{a,b}`, without dotfiles; what a token put in is no pattern (PB-20). */
import picomatch from 'picomatch';
import { PlaybookFault } from '../faults.ts';

/** Characters of a pattern, and alternatives of its braces: what they multiply to is bounded. */
const MOST_PATTERN = 1000;
const MOST_BRACES = 16;

const MAGIC = /[*?[\]{}]/;
/** What picomatch gives a meaning, and the language none. */
const OTHERS = /[()|!+@$^\\]/g;

export interface Pattern {
  /** As it stands in the playbook, its tokens put in. */
  said: string;
  /** Folder above everything that it may match; empty: the root. */
  base: string;
  matches(path: string): boolean;
}

/** One piece of a path: as it stands in the playbook, or put in by a token. */
export interface Piece {
  text: string;
  literal: boolean;
}

/** null where it is a plain path. Throws PlaybookFault `playbook_value`. */
export function patternOf(pieces: readonly Piece[]): Pattern | null {
  if (!pieces.some(({ text, literal }) => !literal && isMagic(text))) return null;
  const said = pieces.map(({ text }) => text).join('');
  const braces = said.split('{').length - 1;
  if (said.length > MOST_PATTERN || braces > MOST_BRACES)
    throw new PlaybookFault('playbook_value', 'input', `The pattern "${said.slice(0, 60)}…" is too long.`);
  const glob = pieces
    .map(({ text, literal }) => text.replace(literal ? /[()|!+@$^\\*?[\]{},]/g : OTHERS, String.raw`\$&`))
    .join('')
    .replace(/^(?:\.\/)+/, '');
  const plain = pieces[0]?.literal === true ? '' : (/^[^*?[\]{}]*/.exec(pieces[0]?.text ?? '')?.[0] ?? '');
  const matches = picomatch(glob, { dot: false, noextglob: true, nonegate: true, strictBrackets: false });
  return {
    said,
    base: plain
      .replace(/^(?:\.\/)+/, '')
      .replace(/[^/]*$/, '')
      .replace(/\/$/, ''),
    matches,
  };
}

/** `{a}` without a comma is text. */
const isMagic = (text: string): boolean => MAGIC.test(text.replace(/\{[^{},]*\}/g, ''));
