/**
 * VIDEO-50, VIDEO-51: the language of naming templates. Which tokens there are, the lane says.
 *
 *   {show} {season:00}   a token; the zeros are the digits that a number has at least
 *   [ - {title}]         vanishes with all that is in it where a token in it has nothing to say
 *   [Group]              brackets without a token are text
 *   /                    parts folders
 *   {{ }} [[ ]]          the brackets themselves
 */
/** The tokens of a lane's templates. `ext`, the file's extension with its dot, belongs to all of them. */
export interface TokenSet<Token extends string = string> {
  /** In the order in which they are listed for a person. */
  readonly names: readonly Token[];
  /** Numbers: zeros behind a colon fill them up. */
  readonly numbers: ReadonlySet<string>;
  /** One of these tells one file from the next. */
  readonly telling: ReadonlySet<string>;
  /** What is said of a template that has none of those. */
  readonly sameName: string;
  /** Texts that give way where a name is too long, first to last, as a person knows them: `the episode's title`. */
  readonly cut: readonly (readonly [token: Token, called: string])[];
}

/** A naming template, read once and used for every file. */
export type Piece<Token extends string = string> =
  | { kind: 'text'; text: string }
  | { kind: 'slash' }
  /** `digits`: to which a number is filled up with zeros. */
  | { kind: 'token'; token: Token | 'ext'; digits: number }
  /** Vanishes when one of its tokens has nothing to say. */
  | { kind: 'optional'; pieces: Piece<Token>[] };

export interface TemplateError {
  /** From 0, in UTF-16 units of the template. */
  at: number;
  /** What is wrong there, as it is written. */
  token: string;
  /** For a person, with the place. */
  sentence: string;
}

export type ParsedPieces<Token extends string> =
  { ok: true; pieces: Piece<Token>[] } | { ok: false; error: TemplateError };

const MOST_DIGITS = 4;
const LONGEST = 500;

/** Reads a template; says what is wrong with it, and where, instead of throwing. A missing `{ext}` is added. */
export function parsePieces<Token extends string>(text: string, tokens: TokenSet<Token>): ParsedPieces<Token> {
  try {
    if (text.trim() === '') throw new Wrong(0, '', 'The template is empty.');
    if (text.length > LONGEST) throw new Wrong(LONGEST, '', `The template is longer than ${LONGEST} characters.`);
    const reader = new Reader(text, tokens);
    const pieces = reader.pieces(false);
    finish(text, pieces, tokens);
    return { ok: true, pieces };
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

class Reader<Token extends string> {
  readonly #text: string;
  readonly #known: TokenSet<Token>;
  #at = 0;

  constructor(text: string, known: TokenSet<Token>) {
    this.#text = text.normalize('NFC');
    this.#known = known;
  }

  /** @param inside of brackets: reads up to the closing one */
  pieces(inside: boolean): Piece<Token>[] {
    const pieces: Piece<Token>[] = [];
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
            `A bracket ${place(this.#at)} is inside another one; write [[ for a bracket itself.`,
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
          throw new Wrong(this.#at, '/', `The slash ${place(this.#at)} is in brackets; a folder cannot be optional.`);
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

  #optional(): Piece<Token>[] {
    this.#at++;
    const inner = this.pieces(true);
    this.#at++;
    if (inner.some(({ kind }) => kind === 'token')) return [{ kind: 'optional', pieces: inner }];
    return [{ kind: 'text', text: '[' }, ...inner, { kind: 'text', text: ']' }];
  }

  #token(): Piece<Token> {
    const start = this.#at;
    const end = this.#text.indexOf('}', start);
    if (end < 0) throw new Wrong(start, this.#text.slice(start), `The bracket { ${place(start)} is never closed.`);
    const written = this.#text.slice(start, end + 1);
    const [, name, format] = /^\{\s*([^:{}]*?)\s*(?::([^{}]*))?\}$/.exec(written) ?? [];
    const all = [...this.#known.names, 'ext' as const];
    const token = all.find((known) => known === name?.toLowerCase());
    if (token === undefined)
      throw new Wrong(
        start,
        written,
        `${written} ${place(start)} is no token; there are ${all.map((one) => `{${one}}`).join(' ')}.`,
      );
    const isNumber = this.#known.numbers.has(token);
    if (format !== undefined && !(isNumber && /^0+$/.test(format) && format.length <= MOST_DIGITS))
      throw new Wrong(
        start,
        written,
        isNumber
          ? `${written} ${place(start)}: behind the colon belong up to ${MOST_DIGITS} zeros, one for each digit, as in {${token}:00}.`
          : `${written} ${place(start)}: {${token}} is no number and takes nothing behind a colon.`,
      );
    this.#at = end + 1;
    return { kind: 'token', token, digits: format?.length ?? 1 };
  }
}

function add<Token extends string>(pieces: Piece<Token>[], text: string): void {
  const last = pieces.at(-1);
  if (last?.kind === 'text') last.text += text;
  else pieces.push({ kind: 'text', text });
}

/** What only the whole can say. */
function finish<Token extends string>(
  text: string,
  pieces: Piece<Token>[],
  { telling, sameName }: TokenSet<Token>,
): void {
  const all = tokensOf(pieces);
  if (!all.some((token) => telling.has(token))) throw new Wrong(0, text, sameName);
  const ext = text.toLowerCase().indexOf('{ext}');
  const last = pieces.at(-1);
  const ends = last?.kind === 'token' && last.token === 'ext';
  if (all.filter((token) => token === 'ext').length > (ends ? 1 : 0))
    throw new Wrong(ext, '{ext}', `{ext} ${place(ext)} belongs at the end of the template, once.`);
  if (!ends) pieces.push({ kind: 'token', token: 'ext', digits: 1 });
  const names = splitNames(pieces);
  const empty = names.findIndex(
    (of) => of.length === 0 || of.every((piece) => piece.kind === 'text' && /^[\s.]*$/.test(piece.text)),
  );
  if (empty >= 0)
    throw new Wrong(0, '/', 'The template has a folder without a name; a slash belongs between two names.');
  if (names.at(-1)?.length === 1)
    throw new Wrong(text.length, '{ext}', 'The template has nothing for the name of the file behind its last slash.');
}

/** The pieces of each name, the file's last. */
export function splitNames<Token extends string>(pieces: readonly Piece<Token>[]): Piece<Token>[][] {
  const names: Piece<Token>[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind === 'slash') names.push([]);
    else names.at(-1)?.push(piece);
  }
  return names;
}

/** The tokens of some pieces, those in brackets too. */
export function tokensOf<Token extends string>(pieces: readonly Piece<Token>[]): (Token | 'ext')[] {
  return pieces.flatMap((piece) =>
    piece.kind === 'token' ? [piece.token] : piece.kind === 'optional' ? tokensOf(piece.pieces) : [],
  );
}
