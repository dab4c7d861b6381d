/** VIDEO-50, VIDEO-54: one file's name by a template. */
import { bytesOf, cutTo, LONGEST_NAME, safeName, safeValue } from './safe-name.ts';
import type { Piece, Template, Token } from './template.types.ts';

/** What the tokens say of one file; null where nothing. */
export interface Values {
  show: string | null;
  year: number | null;
  season: number | null;
  /** Ascending. */
  episodes: readonly number[];
  absolute: readonly number[];
  title: string | null;
  /** ISO 8601 day. */
  date: string | null;
  part: number | null;
  quality: string | null;
  version: number | null;
  /** The name that the file has now, without its extension. */
  name: string;
  /** With its dot. */
  ext: string;
}

export type Filled =
  | { ok: true; path: string; why: string[] }
  /** `token`: what nothing is known of, and what is not optional; null where a name does not fit its bytes. */
  | { ok: false; token: Token | null; sentence: string };

/**
 * @param room bytes that are kept free behind the name, for what follows it
 * @param from first folder of the template that is written: 1 where the first is the picked folder itself
 */
export function fillTemplate(
  template: Template,
  values: Values,
  options: { room?: number; from?: number } = {},
): Filled {
  const names = splitNames(template.pieces).slice(options.from ?? 0);
  const segments: string[] = [];
  const why: string[] = [];
  for (const [at, pieces] of names.entries()) {
    const isFile = at === names.length - 1;
    const folder = isFile ? null : specialsFolder(pieces, template, values);
    const made =
      folder === null
        ? fit(pieces, template, values, isFile ? (options.room ?? 0) : 0)
        : { ok: true as const, text: folder, why: [] };
    if (!made.ok) return made;
    segments.push(made.text);
    why.push(...made.why);
  }
  return { ok: true, path: segments.join('/'), why: [...new Set(why)] };
}

/** The pieces of each name, the file's last. */
export function splitNames(pieces: readonly Piece[]): Piece[][] {
  const names: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind === 'slash') names.push([]);
    else names.at(-1)?.push(piece);
  }
  return names;
}

/** A folder of nothing but the season is the specials' own, by the name that the media server knows. */
function specialsFolder(pieces: readonly Piece[], { style }: Template, { season }: Values): string | null {
  const tokens = pieces.flatMap((piece) =>
    piece.kind === 'token' ? [piece.token] : piece.kind === 'optional' ? ['optional'] : [],
  );
  return season === 0 && style.specials !== null && tokens.length === 1 && tokens[0] === 'season'
    ? style.specials
    : null;
}

type Made = { ok: true; text: string; why: string[] } | Extract<Filled, { ok: false }>;

/** The title gives way first, then the show's name; numbers never do. */
function fit(pieces: readonly Piece[], template: Template, values: Values, room: number): Made {
  const limit = LONGEST_NAME - room;
  const whole = written(pieces, template, values);
  if (!whole.ok || bytesOf(whole.text) <= limit) return whole;
  let cut = values;
  for (const token of ['title', 'name', 'show'] as const) {
    const value = cut[token];
    if (value === null) continue;
    const now = written(pieces, template, cut);
    if (!now.ok) return now;
    // Written more than once, each of them gives its share.
    const times = count(pieces, token);
    if (times === 0) continue;
    const over = bytesOf(now.text) - limit;
    const safe = safeValue(value).text;
    const shorter = cutTo(safe, Math.max(0, bytesOf(safe) - Math.ceil(over / times)));
    cut = { ...cut, [token]: shorter === '' && token !== 'show' ? (token === 'title' ? null : shorter) : shorter };
    const next = written(pieces, template, cut);
    if (next.ok && bytesOf(next.text) <= limit)
      return { ...next, why: [...next.why, `The ${WORDS[token]} is cut: a name has at most ${LONGEST_NAME} bytes.`] };
  }
  return {
    ok: false,
    token: null,
    sentence: `The name would be longer than ${LONGEST_NAME} bytes, and its numbers are not cut.`,
  };
}

const WORDS = { title: "episode's title", name: 'former name', show: "show's name" };

function count(pieces: readonly Piece[], token: Token): number {
  return pieces.reduce(
    (sum, piece) =>
      sum +
      (piece.kind === 'token' && piece.token === token
        ? 1
        : piece.kind === 'optional'
          ? count(piece.pieces, token)
          : 0),
    0,
  );
}

function written(pieces: readonly Piece[], template: Template, values: Values): Made {
  const why: string[] = [];
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'slash') continue;
    const said = sayPiece(piece, text, template, values);
    if (typeof said !== 'string' && !Array.isArray(said))
      return { ok: false, token: said.missing, sentence: `Nothing is known for {${said.missing}}.` };
    const [words, changes] = typeof said === 'string' ? [said, []] : [said[0] ?? '', said.slice(1)];
    text += words;
    why.push(...changes);
  }
  const dot = values.ext !== '' && text.endsWith(values.ext) ? text.length - values.ext.length : text.length;
  // The extension is no end of a name: "Who?.mkv" must not become "Who .mkv".
  const safe = safeName(text.slice(0, dot));
  if (safe.text === '') return { ok: false, token: null, sentence: 'Nothing is left of the name.' };
  return { ok: true, text: safe.text + text.slice(dot), why: [...why, ...safe.changes] };
}

/** The text and its changes; or the token that says nothing. */
function sayPiece(
  piece: Piece,
  before: string,
  template: Template,
  values: Values,
): string | string[] | { missing: Token } {
  switch (piece.kind) {
    case 'slash':
      return '';
    case 'text':
      return piece.text;
    case 'token':
      return say(piece.token, piece.digits, before, template, values) ?? { missing: piece.token };
    case 'optional': {
      let text = '';
      const changes: string[] = [];
      for (const inner of piece.pieces) {
        const said = sayPiece(inner, before + text, template, values);
        if (typeof said === 'string') text += said;
        else if (Array.isArray(said)) {
          text += said[0] ?? '';
          changes.push(...said.slice(1));
        } else return '';
      }
      return [text, ...changes];
    }
  }
}

/** Null where nothing is known. */
function say(
  token: Token,
  digits: number,
  before: string,
  template: Template,
  values: Values,
): string | string[] | null {
  switch (token) {
    case 'ext':
      return values.ext;
    case 'episode':
      return numbers(values.episodes, digits, before, template);
    case 'absolute':
      return numbers(values.absolute, digits, before, template);
    case 'season':
    case 'year':
    case 'part':
    case 'version':
      return values[token] === null ? null : padded(values[token], digits);
    case 'show':
    case 'title':
    case 'date':
    case 'quality':
    case 'name': {
      const value = values[token];
      const safe = safeValue(value ?? '');
      return safe.text === '' ? null : [safe.text, ...safe.changes];
    }
  }
}

function padded(number: number, digits: number): string {
  const [whole = '', rest] = String(number).split('.');
  return whole.padStart(digits, '0') + (rest === undefined ? '' : `.${rest}`);
}

/** The letter in front of the number is said again: `E01-E02`, `e01e02`; without one, `01-02`, and `01+03` over a gap. */
function numbers(of: readonly number[], digits: number, before: string, { style }: Template): string | null {
  const [first, ...others] = of;
  const last = others.at(-1);
  if (first === undefined) return null;
  if (last === undefined) return padded(first, digits);
  const letter = /(?<![a-z])(?:s\d+)?(e|ep)$/i.exec(before)?.[1] ?? '';
  const running = others.every((number, at) => number === first + at + 1);
  const isRange = style.multi === 'range' && running;
  // A dash between numbers that do not follow each other would say those between them, too.
  const joint = isRange || (running && letter === '') ? `-${letter}` : letter === '' ? '+' : letter;
  const rest = isRange ? [last] : others;
  return [first, ...rest].map((number) => padded(number, digits)).join(joint);
}
