/** Brackets of a Lisp, read in one pass without recursion: lists with the first of what is in them. */

export type Dialect = 'lisp' | 'scheme' | 'emacs-lisp' | 'clojure';

/** An atom, a string, or a list. Offsets are UTF-16 units. */
export interface Datum {
  kind: 'atom' | 'string' | 'list';
  start: number;
  end: number;
  /** The first of a list; empty for the others. */
  items: Datum[];
  /** Behind a quote, or left out by `#;` or `#_`. */
  quoted: boolean;
}

interface Open extends Datum {
  parent: Open | null;
}

/** Items of a list that are kept: a definition's head, name, arguments and documentation are among them. */
const KEPT = 6;
const OPENING = '([{';
const CLOSING = ')]}';
/** Ends an atom. */
const STOP = /[\s()[\]{}";]/;

/** Each list as it closes, with the lists around it from the inside out. A list that is never closed ends with the text. */
export function readLists(
  text: string,
  dialect: Dialect,
  onList: (list: Datum, around: readonly Datum[]) => void,
): void {
  let open: Open | null = null;
  let quoted = false;
  const add = (datum: Datum): void => {
    if (open && open.items.length < KEPT) open.items.push(datum);
    quoted = false;
  };
  const close = (end: number): void => {
    if (!open) return;
    const list: Open = open;
    list.end = end;
    const around: Datum[] = [];
    for (let above = list.parent; above && around.length < 16; above = above.parent) around.push(above);
    onList(list, around);
    open = list.parent;
    const wasQuoted = quoted;
    add(list);
    quoted = wasQuoted && open === null ? false : quoted;
  };
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    if (/\s|,/.test(character) && (character !== ',' || dialect === 'clojure')) {
      at++;
      continue;
    }
    const skipped = skipComment(text, at, dialect);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    if (OPENING.includes(character)) {
      // A definition at the margin begins anew, whatever was left open before it.
      if (open && text.startsWith('(def', at) && isMargin(text, at)) while (open) close(at);
      const list: Open = { kind: 'list', start: at, end: text.length, items: [], quoted, parent: open };
      open = list;
      quoted = false;
      at++;
    } else if (CLOSING.includes(character)) {
      close(++at);
    } else if (character === '"') {
      const end = stringEnd(text, at);
      add({ kind: 'string', start: at, end, items: [], quoted });
      at = end;
    } else {
      const mark = prefixAt(text, at, dialect);
      if (mark !== null) {
        if (mark.quotes) quoted = true;
        at += mark.length;
      } else {
        const end = atomEnd(text, at, dialect);
        add({ kind: 'atom', start: at, end, items: [], quoted });
        at = end;
      }
    }
  }
  while (open) close(text.trimEnd().length);
}

const isMargin = (text: string, at: number): boolean => at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r';

/** Behind a comment that begins here; the same place where none does. */
function skipComment(text: string, at: number, dialect: Dialect): number {
  if (text[at] === ';' || (text.startsWith('#!', at) && (at === 0 || dialect === 'clojure'))) {
    const rest = /[\r\n]/.exec(text.slice(at, at + 4096));
    if (rest) return at + rest.index;
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (!text.startsWith('#|', at) || (dialect !== 'lisp' && dialect !== 'scheme')) return at;
  const marks = /#\||\|#/g;
  marks.lastIndex = at;
  for (let depth = 0, mark = marks.exec(text); mark; mark = marks.exec(text)) {
    depth += mark[0] === '#|' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

function stringEnd(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === '"') return end + 1;
  }
  return text.length;
}

/** Marks before a datum: quotes, which make it data, and marks of the reader, which do not. */
function prefixAt(text: string, at: number, dialect: Dialect): { length: number; quotes: boolean } | null {
  const two = text.slice(at, at + 2);
  if (two === '#;' || two === '#_') return { length: 2, quotes: true };
  if (two === "#'" || two === ',@' || two === '~@') return { length: 2, quotes: false };
  if (dialect === 'clojure' && two === '#?') return { length: text[at + 2] === '@' ? 3 : 2, quotes: false };
  if (two === '#(' || two === '#{' || two === '#"') return { length: 1, quotes: false };
  const one = text.charAt(at);
  if (one === "'" || one === '`') return { length: 1, quotes: true };
  return one === ',' || (dialect === 'clojure' && (one === '~' || one === '@')) ? { length: 1, quotes: false } : null;
}

/** Behind an atom; characters (`#\(`, `\(`, `?\(`) and `|symbols with blanks|` included. */
function atomEnd(text: string, at: number, dialect: Dialect): number {
  const character = characterLength(text, at, dialect);
  let end = at + Math.max(1, character);
  let bars = text[at] === '|' && dialect !== 'clojure';
  for (; end < text.length; end++) {
    const unit = text.charAt(end);
    if (unit === '|' && (dialect === 'lisp' || dialect === 'scheme')) bars = !bars;
    else if (unit === '\\' && dialect !== 'clojure') end++;
    else if (!bars && STOP.test(unit)) break;
  }
  return Math.min(end, text.length);
}

function characterLength(text: string, at: number, dialect: Dialect): number {
  if (text.startsWith('#\\', at)) return 3;
  if (dialect === 'clojure' && text[at] === '\\') return 2;
  if (dialect === 'emacs-lisp' && text[at] === '?') return text[at + 1] === '\\' ? 3 : 2;
  return 0;
}
