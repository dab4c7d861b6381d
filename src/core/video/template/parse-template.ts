/**
 * VIDEO-50, VIDEO-51: the language of naming templates.
 *
 *   {show} {season:00}   a token; the zeros are the digits that a number has at least
 *   [ - {title}]         vanishes with all that is in it where a token in it has nothing to say
 *   [Group]              brackets without a token stand for themselves
 *   /                    parts folders
 *   {{ }} [[ ]]          the brackets themselves
 */
import { TOKENS, type Piece, type Style, type Template, type TemplateError, type Token } from './template.types.ts';

export type ParsedTemplate = { ok: true; template: Template } | { ok: false; error: TemplateError };

const PLAIN: Style = { multi: 'range', specials: null };
const NUMBERS: ReadonlySet<Token> = new Set(['season', 'episode', 'absolute', 'part', 'year', 'version']);
/** One of these tells one file from the next. */
const TELLING: ReadonlySet<Token> = new Set(['episode', 'absolute', 'date', 'title', 'name']);
const MOST_DIGITS = 4;
const LONGEST = 500;

/** Reads a template; says what is wrong with it, and where, instead of throwing. A missing `{ext}` is added. */
export function parseTemplate(text: string, style: Style = PLAIN): ParsedTemplate {
  try {
    if (text.trim() === '') throw new Wrong(0, '', 'The template is empty.');
    if (text.length > LONGEST) throw new Wrong(LONGEST, '', `The template is longer than ${LONGEST} characters.`);
    const reader = new Reader(text);
    const pieces = reader.pieces(false);
    finish(text, pieces);
    return { ok: true, template: { pieces, style } };
  } catch (thrown) {
    if (!(thrown instanceof Wrong)) throw thrown;
    return { ok: false, error: { at: thrown.at, token: thrown.token, sentence: thrown.message } };
  }
}

class Wrong extends Error {
  readonly at: number;
  readonly token: string;
  constructor(at: number, token: string, sentence: string) {
    super(sentence);
    this.at = at;
    this.token = token;
  }
}

/** Where a person looks for it: places count from 1. */
const place = (at: number): string => `at character ${at + 1}`;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.normalize('NFC');
  }

  /** @param inside of brackets: reads up to the closing one */
  pieces(inside: boolean): Piece[] {
    const pieces: Piece[] = [];
    const open = this.#at - 1;
    while (this.#at < this.#text.length) {
      const two = this.#text.slice(this.#at, this.#at + 2);
      const one = two.charAt(0);
      if (two === '{{' || two === '}}' || two === '[[' || (two === ']]' && !inside)) {
        this.#at += 2;
        add(pieces, one);
      } else if (one === '{') pieces.push(this.#token());
      else if (one === '[') {
        if (inside)
          throw new Wrong(
            this.#at,
            '[',
            `A bracket ${place(this.#at)} stands inside another one; write [[ for a bracket itself.`,
          );
        pieces.push(...this.#optional());
      } else if (one === ']') {
        if (inside) return pieces;
        throw new Wrong(
          this.#at,
          ']',
          `The bracket ] ${place(this.#at)} closes nothing; write ]] for a bracket itself.`,
        );
      } else if (one === '}')
        throw new Wrong(
          this.#at,
          '}',
          `The bracket } ${place(this.#at)} closes nothing; write }} for a bracket itself.`,
        );
      else if (one === '/') {
        if (inside)
          throw new Wrong(
            this.#at,
            '/',
            `The slash ${place(this.#at)} stands in brackets; a folder cannot be optional.`,
          );
        pieces.push({ kind: 'slash' });
        this.#at++;
      } else {
        if (/[<>:"|?*\\]/.test(one) || one < ' ')
          throw new Wrong(this.#at, one, `The character ${one} ${place(this.#at)} is refused by Windows in names.`);
        add(pieces, one);
        this.#at++;
      }
    }
    if (inside) throw new Wrong(open, '[', `The bracket [ ${place(open)} is never closed.`);
    return pieces;
  }

  #optional(): Piece[] {
    this.#at++;
    const inner = this.pieces(true);
    this.#at++;
    if (inner.some(({ kind }) => kind === 'token')) return [{ kind: 'optional', pieces: inner }];
    return [{ kind: 'text', text: '[' }, ...inner, { kind: 'text', text: ']' }];
  }

  #token(): Piece {
    const start = this.#at;
    const end = this.#text.indexOf('}', start);
    if (end < 0) throw new Wrong(start, this.#text.slice(start), `The bracket { ${place(start)} is never closed.`);
    const written = this.#text.slice(start, end + 1);
    const [, name, format] = /^\{\s*([^:{}]*?)\s*(?::([^{}]*))?\}$/.exec(written) ?? [];
    const token = TOKENS.find((known) => known === name?.toLowerCase());
    if (token === undefined)
      throw new Wrong(
        start,
        written,
        `${written} ${place(start)} is no token; there are ${TOKENS.map((one) => `{${one}}`).join(' ')}.`,
      );
    if (format !== undefined && !(NUMBERS.has(token) && /^0+$/.test(format) && format.length <= MOST_DIGITS))
      throw new Wrong(
        start,
        written,
        NUMBERS.has(token)
          ? `${written} ${place(start)}: behind the colon stand up to ${MOST_DIGITS} zeros, one for each digit, as in {${token}:00}.`
          : `${written} ${place(start)}: {${token}} is no number and takes nothing behind a colon.`,
      );
    this.#at = end + 1;
    return { kind: 'token', token, digits: format?.length ?? 1 };
  }
}

function add(pieces: Piece[], text: string): void {
  const last = pieces.at(-1);
  if (last?.kind === 'text') last.text += text;
  else pieces.push({ kind: 'text', text });
}

/** What only the whole can say. */
function finish(text: string, pieces: Piece[]): void {
  const tokens = (of: readonly Piece[]): Token[] =>
    of.flatMap((piece) =>
      piece.kind === 'token' ? [piece.token] : piece.kind === 'optional' ? tokens(piece.pieces) : [],
    );
  const all = tokens(pieces);
  if (!all.some((token) => TELLING.has(token)))
    throw new Wrong(
      0,
      text,
      'The template gives every episode the same name: it needs {episode}, {absolute}, {date} or {title}.',
    );
  const ext = text.toLowerCase().indexOf('{ext}');
  const last = pieces.at(-1);
  const ends = last?.kind === 'token' && last.token === 'ext';
  if (all.filter((token) => token === 'ext').length > (ends ? 1 : 0))
    throw new Wrong(ext, '{ext}', `{ext} ${place(ext)} belongs at the end of the template, once.`);
  if (!ends) pieces.push({ kind: 'token', token: 'ext', digits: 1 });
  const names: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind === 'slash') names.push([]);
    else names.at(-1)?.push(piece);
  }
  const empty = names.findIndex(
    (of) => of.length === 0 || of.every((piece) => piece.kind === 'text' && /^[\s.]*$/.test(piece.text)),
  );
  if (empty >= 0)
    throw new Wrong(0, '/', 'The template has a folder without a name; a slash stands between two names.');
  if (names.at(-1)?.length === 1)
    throw new Wrong(text.length, '{ext}', 'The template has nothing for the name of the file behind its last slash.');
}
