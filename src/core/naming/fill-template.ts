/** VIDEO-50, VIDEO-54: one file's name by a template. */
import { splitNames, tokensOf, type Piece, type TokenSet } from './parse-template.ts';
import { bytesOf, cutTo, LONGEST_NAME, safeName, safeValue } from './safe-name.ts';

/** What a token says of one file; a list is of ascending numbers; null or nothing in it where nothing is known. */
export type TokenValue = string | number | readonly number[] | null;
export type Values<Token extends string = string> = Record<Token, TokenValue> & {
  /** With its dot. */
  ext: string;
};

export interface FillOptions<Token extends string = string> {
  tokens: TokenSet<Token>;
  /** Numbers 1 to 3 in one name: `range` E01-E03, `each` E01E02E03. */
  multi: 'range' | 'each';
  /** Another name for a folder of the template whose only token is this one, with this value; null: as the template says. */
  folders?: (token: Token, value: TokenValue) => string | null;
  /** Bytes that are kept free behind the name, for what follows it. */
  room?: number;
  /** First folder of the template that is written: 1 where the first is the picked folder itself. */
  from?: number;
}

export type Filled =
  | { ok: true; path: string; why: string[] }
  /** `token`: what nothing is known of, and what is not optional; null where a name does not fit its bytes. */
  | { ok: false; token: string | null; sentence: string };

type Made = { ok: true; text: string; why: string[] } | Extract<Filled, { ok: false }>;

const said = (text: string): Made => ({ ok: true, text, why: [] });

/** The path, below the folder, that a template makes of a file. */
export function fillTemplate<Token extends string>(
  template: readonly Piece<Token>[],
  whole: Values<Token>,
  { tokens, multi, folders, room = 0, from = 0 }: FillOptions<Token>,
): Filled {
  type Pieces = readonly Piece<Token>[];

  /** A folder of one token alone may be known by a name of its own. */
  function folderName(pieces: Pieces): string | null {
    const [token, ...others] = tokensOf(pieces);
    if (token === undefined || token === 'ext' || others.length > 0) return null;
    return pieces.some(({ kind }) => kind === 'optional') ? null : (folders?.(token, whole[token]) ?? null);
  }

  /** Texts give way in their order; numbers never do. */
  function fit(pieces: Pieces, limit: number): Made {
    const uncut = written(pieces, whole);
    if (!uncut.ok || bytesOf(uncut.text) <= limit) return uncut;
    let cut = whole;
    for (const [token, called] of tokens.cut) {
      const value = cut[token];
      // Written more than once, each of them gives its share.
      const times = tokensOf(pieces).filter((one) => one === token).length;
      if (typeof value !== 'string' || times === 0) continue;
      const now = written(pieces, cut);
      if (!now.ok) return now;
      const over = bytesOf(now.text) - limit;
      const safe = safeValue(value).text;
      const shorter = cutTo(safe, Math.max(0, bytesOf(safe) - Math.ceil(over / times)));
      cut = { ...cut, [token]: shorter };
      const next = written(pieces, cut);
      if (next.ok && bytesOf(next.text) <= limit)
        return { ...next, why: [...next.why, `The ${called} is cut: a name has at most ${LONGEST_NAME} bytes.`] };
    }
    const sentence = `The name would be longer than ${LONGEST_NAME} bytes, and its numbers are not cut.`;
    return { ok: false, token: null, sentence };
  }

  function written(pieces: Pieces, values: Values<Token>): Made {
    const made = sayAll(pieces, '', values);
    if (!made.ok) return made;
    const { ext } = values;
    const { text } = made;
    const dot = ext !== '' && text.endsWith(ext) ? text.length - ext.length : text.length;
    // The extension is no end of a name: "Who?.mkv" must not become "Who .mkv".
    const safe = safeName(text.slice(0, dot));
    if (safe.text === '') return { ok: false, token: null, sentence: 'Nothing is left of the name.' };
    return { ok: true, text: safe.text + text.slice(dot), why: [...made.why, ...safe.changes] };
  }

  /** @param before what the name begins with */
  function sayAll(pieces: Pieces, before: string, values: Values<Token>): Made {
    let text = '';
    const why: string[] = [];
    for (const piece of pieces) {
      const made = sayPiece(piece, before + text, values);
      if (!made.ok) return made;
      text += made.text;
      why.push(...made.why);
    }
    return { ok: true, text, why };
  }

  function sayPiece(piece: Piece<Token>, before: string, values: Values<Token>): Made {
    switch (piece.kind) {
      case 'slash':
        return said('');
      case 'text':
        return said(piece.text);
      case 'optional': {
        const made = sayAll(piece.pieces, before, values);
        return made.ok ? made : said('');
      }
      case 'token': {
        const { token, digits } = piece;
        const made = token === 'ext' ? said(values.ext) : sayToken(values[token], digits, before, multi);
        return made ?? { ok: false, token, sentence: `Nothing is known for {${token}}.` };
      }
    }
  }

  const names = splitNames(template).slice(from);
  const segments: string[] = [];
  const why: string[] = [];
  for (const [at, name] of names.entries()) {
    const isFile = at === names.length - 1;
    const known = isFile ? null : folderName(name);
    const made = known === null ? fit(name, LONGEST_NAME - (isFile ? room : 0)) : said(known);
    if (!made.ok) return made;
    segments.push(made.text);
    why.push(...made.why);
  }
  return { ok: true, path: segments.join('/'), why: [...new Set(why)] };
}

/** Null where nothing is known. */
function sayToken(value: TokenValue, digits: number, before: string, multi: 'range' | 'each'): Made | null {
  if (value === null) return null;
  if (typeof value === 'number') return said(padded(value, digits));
  if (typeof value !== 'string') {
    const text = numbers(value, digits, before, multi);
    return text === null ? null : said(text);
  }
  const { text, changes } = safeValue(value);
  return text === '' ? null : { ok: true, text, why: changes };
}

function padded(number: number, digits: number): string {
  const [whole = '', rest] = String(number).split('.');
  return whole.padStart(digits, '0') + (rest === undefined ? '' : `.${rest}`);
}

/** The letter in front of the number is said again: `E01-E02`, `e01e02`; without one, `01-02`, and `01+03` over a gap. */
function numbers(of: readonly number[], digits: number, before: string, multi: 'range' | 'each'): string | null {
  const [first, ...others] = of;
  const last = others.at(-1);
  if (first === undefined) return null;
  if (last === undefined) return padded(first, digits);
  const letter = /(?<![a-z])(?:s\d+)?(e|ep)$/i.exec(before)?.[1] ?? '';
  const running = others.every((number, at) => number === first + at + 1);
  const isRange = multi === 'range' && running;
  // A dash between numbers that do not follow each other would say those between them, too.
  const joint = isRange || (running && letter === '') ? `-${letter}` : letter === '' ? '+' : letter;
  const rest = isRange ? [last] : others;
  return [first, ...rest].map((number) => padded(number, digits)).join(joint);
}
