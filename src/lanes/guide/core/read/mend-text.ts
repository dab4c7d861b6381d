/**
 * Mends text of a guide on its way to the parser, a piece at a time: a stray `&`, names of characters that only HTML has,
 * names that nobody knows, and characters that XML forbids. What it mends is noted by its place in the mended text.
 *
 *   markup --> <![CDATA[ ... ]]>  <!-- ... -->  <? ... ?>  <!DOCTYPE ... >  --> markup
 *
 * Within those only forbidden characters are taken out: an `&` in them is an `&`.
 */
import { decodeHTMLStrict } from 'entities/decode';

export type TextCode = 'badentity' | 'badcharacter';

/** A place of the mended text: characters from its beginning. */
export interface Mend {
  at: number;
  code: TextCode;
}

type State = 'markup' | 'cdata' | 'comment' | 'instruction' | 'doctype';

const ENDS: Readonly<Record<Exclude<State, 'markup' | 'doctype'>, string>> = {
  cdata: ']]>',
  comment: '-->',
  instruction: '?>',
};

/** What XML forbids below the blank, for patterns. */
const LOW = '\\0-\\x08\\x0b\\x0c\\x0e-\\x1f';
/** Where the mender looks closer, in markup and elsewhere. */
const IN_MARKUP = new RegExp(`[&${LOW}\\ufffe\\uffff\\ud800-\\udfff]|<[!?]`, 'g');
const FORBIDDEN = new RegExp(
  `[${LOW}\\ufffe\\uffff]|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]`,
  'g',
);
const REFERENCE = /&(?:#([0-9]+|x[0-9a-fA-F]+)|([A-Za-z_:][\w:.-]*));/y;
/** The longest reference that is waited for across pieces: longer than every name that HTML has. */
const LONGEST = 80;
const XML_NAMES = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
/** A declaration of the document type is kept back until its end is there, but not more of it: characters. */
const LONGEST_DOCTYPE = 262_144;

export class TextMender {
  readonly mends: Mend[] = [];
  #state: State = 'markup';
  #carried = '';
  /** Characters of mended text that were given out. */
  #given = 0;
  #out: string[] = [];
  #written = 0;

  /** @returns the mended text of this piece; its end may be kept back until the next one comes */
  write(piece: string): string {
    const text = this.#carried + piece;
    return this.#mend(text, false);
  }

  /** What was kept back. */
  end(): string {
    return this.#mend(this.#carried, true);
  }

  #mend(text: string, last: boolean): string {
    this.#carried = '';
    this.#out = [];
    this.#written = 0;
    let at = 0;
    while (at < text.length) {
      const next = this.#state === 'markup' ? this.#markup(text, at, last) : this.#section(text, at, last);
      if (next === null) break;
      at = next;
    }
    this.#given += this.#written;
    return this.#out.length === 1 ? (this.#out[0] ?? '') : this.#out.join('');
  }

  #give(text: string): void {
    if (text === '') return;
    this.#out.push(text);
    this.#written += text.length;
  }

  #note(code: TextCode): void {
    this.mends.push({ at: this.#given + this.#written, code });
  }

  /** Keeps the text from here until more comes. */
  #wait(text: string, from: number, at: number): null {
    this.#give(text.slice(from, at));
    this.#carried = text.slice(at);
    return null;
  }

  /** @returns where it goes on; null where the piece is used up */
  #markup(text: string, from: number, last: boolean): number | null {
    IN_MARKUP.lastIndex = from;
    let found: RegExpExecArray | null;
    let start = from;
    while ((found = IN_MARKUP.exec(text)) !== null) {
      const at = found.index;
      const code = text.charCodeAt(at);
      if (code === 0x26) {
        const end = knownReference(text, at);
        if (end > 0) {
          IN_MARKUP.lastIndex = end;
          continue;
        }
        const length = this.#reference(text, start, at, last);
        if (length === null) return null;
        start = at + length;
      } else if (code === 0x3c) {
        const opened = this.#open(text, at, last);
        if (opened === null) return this.#wait(text, start, at);
        if (opened === 0) continue;
        this.#give(text.slice(start, at + opened));
        return at + opened;
      } else if (code >= 0xd800 && code <= 0xdbff) {
        if (at + 1 === text.length && !last) return this.#wait(text, start, at);
        if ((text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
          IN_MARKUP.lastIndex = at + 2;
          continue;
        }
        start = this.#leaveOut(text, start, at);
      } else start = this.#leaveOut(text, start, at);
      IN_MARKUP.lastIndex = start;
    }
    // The beginning of `<!--` and the like may end the piece.
    const open = last ? -1 : text.endsWith('<') ? text.length - 1 : -1;
    if (open >= start) return this.#wait(text, start, open);
    this.#give(start === 0 ? text : text.slice(start));
    return null;
  }

  #leaveOut(text: string, from: number, at: number): number {
    this.#give(text.slice(from, at));
    this.#note('badcharacter');
    return at + 1;
  }

  /** @returns how long the reference is that was mended; null where more of it may come */
  #reference(text: string, from: number, at: number, last: boolean): number | null {
    REFERENCE.lastIndex = at;
    const found = REFERENCE.exec(text);
    if (found === null) {
      const rest = text.slice(at, at + LONGEST);
      if (!last && at + rest.length === text.length && rest.length < LONGEST && /^&#?[\w:.-]*$/.test(rest))
        return this.#wait(text, from, at);
    }
    this.#give(text.slice(from, at));
    if (found === null) {
      this.#note('badentity');
      this.#give('&amp;');
      return 1;
    }
    const [whole, number] = found;
    // A number that is known to be none of a character.
    this.#note(number === undefined ? 'badentity' : 'badcharacter');
    if (number !== undefined) return whole.length;
    const read = decodeHTMLStrict(whole);
    this.#give(read === whole ? `&amp;${whole.slice(1)}` : escaped(read));
    return whole.length;
  }

  /** @returns how long the mark is that opens a section; 0: it opens none; null: that is not seen yet */
  #open(text: string, at: number, last: boolean): number | null {
    for (const [mark, state] of MARKS) {
      if (text.startsWith(mark, at)) {
        this.#state = state;
        return mark.length;
      }
      if (!last && text.length - at < mark.length && mark.startsWith(text.slice(at))) return null;
    }
    return 0;
  }

  #section(text: string, from: number, last: boolean): number | null {
    const end = this.#state === 'doctype' ? doctypeEnd(text, from) : this.#sectionEnd(text, from);
    if (end === null) {
      if (this.#state === 'doctype' && !last && text.length - from < LONGEST_DOCTYPE) {
        this.#carried = text.slice(from);
        return null;
      }
      // An end mark, or a pair of surrogates, may be cut in two.
      let upTo = last ? text.length : Math.max(from, text.length - 2);
      if (!last && upTo > from && (text.charCodeAt(upTo - 1) & 0xfc00) === 0xd800) upTo--;
      this.#clean(text.slice(from, upTo));
      this.#carried = text.slice(upTo);
      return null;
    }
    this.#clean(text.slice(from, end));
    this.#state = 'markup';
    return end;
  }

  #sectionEnd(text: string, from: number): number | null {
    if (this.#state === 'markup' || this.#state === 'doctype') return null;
    const end = ENDS[this.#state];
    const at = text.indexOf(end, from);
    return at < 0 ? null : at + end.length;
  }

  /** Gives text of a section out without what XML forbids. */
  #clean(text: string): void {
    let start = 0;
    for (const { index } of text.matchAll(FORBIDDEN)) start = this.#leaveOut(text, start, index);
    this.#give(text.slice(start));
  }
}

const MARKS: readonly (readonly [mark: string, state: State])[] = [
  ['<!--', 'comment'],
  ['<![CDATA[', 'cdata'],
  ['<!DOCTYPE', 'doctype'],
  ['<?', 'instruction'],
];

/** Where a reference ends that XML itself knows; 0: there is none here. */
function knownReference(text: string, at: number): number {
  REFERENCE.lastIndex = at;
  const found = REFERENCE.exec(text);
  if (found === null) return 0;
  const [whole, number, name = ''] = found;
  return (number === undefined ? XML_NAMES.has(name) : isAllowed(numberOf(number))) ? at + whole.length : 0;
}

/** Where a declaration of the document type ends; null: not in this text. */
function doctypeEnd(text: string, from: number): number | null {
  let inside = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    const skipped =
      char === '"' || char === "'"
        ? char
        : text.startsWith('<!--', at)
          ? '-->'
          : text.startsWith('<?', at)
            ? '?>'
            : null;
    if (skipped !== null) {
      const end = text.indexOf(skipped, at + 1);
      if (end < 0) return null;
      at = end + skipped.length - 1;
    } else if (char === '[' || char === '<') inside++;
    else if (char === ']') inside--;
    else if (char === '>') {
      if (inside === 0) return at + 1;
      inside--;
    }
  }
  return null;
}

const numberOf = (written: string): number =>
  written.startsWith('x') ? Number.parseInt(written.slice(1), 16) : Number(written);

/** What XML 1.0 calls a character. */
const isAllowed = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
